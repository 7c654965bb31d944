"""The recipe of every task that is drawn without end: a system, a task and a course."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from regard.recipes.endless.course import Practising
from regard.recipes.measured import Measured, Published, beside

if TYPE_CHECKING:
    from torch import nn

    from regard.training import Experiment, Journal, Outcome, RunFolder

Player = TypeVar("Player")  # a trained model at work


@dataclass(frozen=True)
class Endless(ABC, Generic[Player]):
    """Train a model on fresh examples, use it, measure it."""

    higher_is_better: ClassVar[bool] = False

    summary: str
    system: Any
    data: Any
    course: Practising
    published: Mapping[tuple[str, str], Published] = field(default_factory=dict)

    @abstractmethod
    def experiment(self, model: "nn.Module") -> "Experiment[Any]":
        """What is trained with what it learns from."""

    def remembering(self, model: "nn.Module") -> "nn.Module":
        """The model with what it remembers of its course: what is trained, and what runs keep."""
        return model

    @abstractmethod
    def player(self, model: Any) -> Player:
        """The model at work."""

    @abstractmethod
    def measure(self, player: Player) -> list[Measured]:
        """Every test, on fresh examples."""

    def train(
        self, folder: "RunFolder", device: str, journals: "Sequence[Journal]", resume_with: str
    ) -> "Outcome":
        """Train in a run folder, from where it stands to the end."""
        import torch

        from regard.training import choose_threads, train

        course = self.course
        if device == "cpu":
            choose_threads(course.batch * self.system.work).use()
        torch.manual_seed(course.seed)
        experiment = self.experiment(self.remembering(self.build()).to(device))
        return train(
            experiment, course.schedule(), folder, journals=journals, resume_with=resume_with
        )

    def load(self, folder: Path) -> Player:
        """The trained model of a run folder."""
        import warnings

        from regard.training import load_weights

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what to mind in training is over
            model = self.build()
        load_weights(self.remembering(model), folder / "model.safetensors")
        return self.player(model.eval())

    def evaluate(self, folder: Path) -> list[Measured]:
        """Every test, beside what the paper has of it."""
        return beside(self.measure(self.load(folder)), self.published)

    @abstractmethod
    def examples(self) -> list[str]:
        """What is shown where nobody asks for anything else."""

    def build(self) -> "nn.Module":
        """The model, freshly drawn."""
        made: nn.Module = self.system.build(self.data.task())
        return made


def as_number(text: str, what: str, least: int, most: int, otherwise: str = "") -> int:
    """The number that a person typed, who might have asked ``otherwise``, too."""
    digits = text.strip()
    is_number = digits.isdecimal() and not (digits[0] == "0" and set(digits) <= set("01"))  # bits
    if is_number and len(digits) <= len(str(most)) and least <= int(digits) <= most:
        return int(digits)
    such = min(most, max(least, 20))
    raise ValueError(
        f"{text!r}: give {what} as a whole number from {least} to {most}, such as {such}"
        + (f"; or {otherwise}" if otherwise else "")
    )
