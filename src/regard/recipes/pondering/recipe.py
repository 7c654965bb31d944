"""The recipe of every network that ponders: a system, a task and a course, put together."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from regard.recipes.algorithms.course import Practising
from regard.recipes.pondering.practice import Practice
from regard.recipes.pondering.systems import PonderingSystem

if TYPE_CHECKING:
    from regard.models import AdaptiveComputation
    from regard.recipes.measured import Measured
    from regard.recipes.pondering.player import Thinker
    from regard.training import Journal, Outcome, RunFolder

TESTED, TOGETHER = 5_000, 50  # sequences of the test, and those that are answered side by side


@dataclass(frozen=True)
class Pondering:
    """Train a network on a task, use it, measure it and how long it thinks."""

    higher_is_better: ClassVar[bool] = False

    summary: str
    system: PonderingSystem
    data: Practice
    course: Practising
    inputs: tuple[str, ...] = ("5",)  # what is shown where nobody asks for anything else

    def train(
        self, folder: "RunFolder", device: str, journals: "Sequence[Journal]", resume_with: str
    ) -> "Outcome":
        """Train in a run folder, from where it stands to the end."""
        import torch

        from regard.recipes.pondering.experiment import Thinking
        from regard.training import choose_threads, train

        course = self.course
        if device == "cpu":
            choose_threads(course.batch * self.system.work).use()
        torch.manual_seed(course.seed)
        experiment = Thinking(
            self._model().to(device),
            self.data,
            penalty=self.system.penalty,
            batch=course.batch,
            steps=course.steps,
            seed=course.seed,
        )
        return train(
            experiment, course.schedule(), folder, journals=journals, resume_with=resume_with
        )

    def load(self, folder: Path) -> "Thinker":
        """The trained network of a run folder."""
        from regard.recipes.pondering.player import Thinker
        from regard.training import load_weights

        model = self._model()
        load_weights(model, folder / "model.safetensors")
        return Thinker(model.eval(), self.data)

    def evaluate(self, folder: Path) -> "list[Measured]":
        """Sequences with any mistake, answers that are wrong and steps taken, by difficulty."""
        from regard.recipes.pondering.measuring import measure

        return measure(self.load(folder).model, self.data, TESTED, TOGETHER)

    def examples(self) -> list[str]:
        """Questions that the network was not trained on."""
        return list(self.inputs)

    def _model(self) -> "AdaptiveComputation":
        return self.system.build(self.data.task())
