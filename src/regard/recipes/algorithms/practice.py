"""A task of the tape machine as a person meets it: practised, tested, asked for, drawn."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from regard.tasks.algorithms import Drawn, SequenceTask
    from regard.viewing import Mark

    Draw = Callable[[int, Generator], Drawn]  # so many examples, from a generator


@dataclass(frozen=True)
class Practice(ABC):
    """A task, as it is trained and as it is tested."""

    name: ClassVar[str]

    @abstractmethod
    def task(self) -> "SequenceTask":
        """What is practised."""

    @abstractmethod
    def tests(self) -> Mapping[str, str]:
        """What is tested, as a person would ask for it, by a name that says how it differs."""

    @abstractmethod
    def example(self, text: str) -> "Draw":
        """What a person asks for."""

    @abstractmethod
    def stored(self, text: str) -> int:
        """How many vectors have to be remembered at once for what a person asks for."""

    def least_bits(self, drawn: "Drawn") -> "Tensor | None":
        """What the best guesses cost, by sequence; None where whoever knows the task pays none."""
        return None

    def marks(self, drawn: "Drawn") -> "list[Mark]":
        """Steps of the first sequence that a picture points at."""
        return []

    def supposed(self, drawn: "Drawn", writing: "Tensor") -> "Tensor | None":
        """Where writes would go, (step, slot), by the paper's explanation of where they went."""
        return None


def as_number(text: str, what: str) -> int:
    """The number that a person typed."""
    if not text.strip().isdecimal() or int(text) < 1:
        raise ValueError(f"{text!r}: give {what} as a whole number, such as 20")
    return int(text)
