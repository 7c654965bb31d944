"""The recipe of every machine: a system, a task and a course, put together."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from regard.recipes.algorithms.course import Practising
from regard.recipes.algorithms.practice import Practice
from regard.recipes.algorithms.systems import MachineSystem

if TYPE_CHECKING:
    from torch import nn

    from regard.recipes.algorithms.player import Player
    from regard.recipes.measured import Measured
    from regard.training import Journal, Outcome, RunFolder

TESTED, TOGETHER = 1_000, 100  # sequences of each test, and those that are played side by side


@dataclass(frozen=True)
class Algorithm:
    """Train a machine on a task, use it, measure it."""

    higher_is_better: ClassVar[bool] = False

    summary: str
    system: MachineSystem
    data: Practice
    course: Practising
    inputs: tuple[str, ...] = ("20",)  # what is shown where nobody asks for anything else

    def train(
        self, folder: "RunFolder", device: str, journals: "Sequence[Journal]", resume_with: str
    ) -> "Outcome":
        """Train in a run folder, from where it stands to the end."""
        import torch

        from regard.recipes.algorithms.experiment import Exercise
        from regard.training import choose_threads, train

        if device == "cpu":
            choose_threads(self.course.batch * self.system.work).use()
        torch.manual_seed(self.course.seed)
        model = self._model().to(device)
        course = self.course
        experiment = Exercise(model, self.data.task(), batch=course.batch, seed=course.seed)
        return train(
            experiment, course.schedule(), folder, journals=journals, resume_with=resume_with
        )

    def load(self, folder: Path) -> "Player":
        """The trained machine of a run folder."""
        from regard.recipes.algorithms.player import Player
        from regard.training import load_weights

        model = self._model()
        load_weights(model, folder / "model.safetensors")
        return Player(model.eval(), self.data)

    def evaluate(self, folder: Path) -> "list[Measured]":
        """Bits per sequence, and bits that are wrong, on fresh sequences of every test."""
        from regard.recipes.algorithms.measuring import measure

        return measure(self.load(folder).model, self.data, TESTED, TOGETHER)

    def least(self) -> float | None:
        """The bits of the best guesses on what a run is judged by; None where they are zero."""
        import torch

        from regard.recipes.algorithms.experiment import judged

        batches = judged(self.data.task(), self.course.batch)
        found = [self.data.least_bits(batch) for batch in batches]
        known = [bits for bits in found if bits is not None]
        return float(torch.cat(known).mean()) if known else None

    def examples(self) -> list[str]:
        """Tasks that the machine was not trained on."""
        return list(self.inputs)

    def _model(self) -> "nn.Module":
        return self.system.build(self.data.task())
