"""A task of the tape machine as a person meets it: practised, tested, asked for, drawn."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from torch import Tensor

    from regard.recipes.endless.experiment import Draw
    from regard.tasks.algorithms import Drawn, SequenceTask
    from regard.viewing import Mark, Supposed


LONGEST = 1_000  # of what may be asked for, unless it was trained with more


@dataclass(frozen=True)
class Practice(ABC):
    """A task, as it is trained and as it is tested."""

    name: ClassVar[str]
    metrics: ClassVar[tuple[str, ...]] = ("bits per sequence", "wrong bits")  # the main one first

    @abstractmethod
    def task(self) -> "SequenceTask":
        """What is practised."""

    @property
    @abstractmethod
    def usual(self) -> str:
        """What is shown where nobody asks for anything else: the hardest that is practised."""

    @abstractmethod
    def tests(self) -> Mapping[str, str]:
        """What is tested, as a person would ask for it, by a name that says how it differs.

        First comes what the paper is known for: its number stands for the recipe in a list.
        """

    @abstractmethod
    def example(self, text: str) -> "Draw[Drawn]":
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

    def supposed(self, drawn: "Drawn", writing: "Tensor") -> "Supposed | None":
        """Where writes would go by the paper's explanation of where they went.

        ``writing`` is (step, head, slot).
        """
        return None
