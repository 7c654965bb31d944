"""The tasks of the tape machine as knobs: what is practised, and what is tested beyond it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from regard.recipes.knobs import COUNT, knob

if TYPE_CHECKING:
    from torch import Generator

    from regard.tasks.algorithms import Drawn, SequenceTask

    Draw = Callable[[int, Generator], Drawn]  # so many examples, from a generator


@dataclass(frozen=True)
class Practice(ABC):
    """A task, as it is trained and as it is tested."""

    name: ClassVar[str]

    @abstractmethod
    def task(self) -> "SequenceTask":
        """What is practised."""

    @abstractmethod
    def tests(self) -> "Mapping[str, Draw]":
        """What is tested, by a name that says how it differs."""

    @abstractmethod
    def example(self, text: str) -> "Draw":
        """What a person asks for."""


def as_number(text: str, what: str) -> int:
    """The number that a person typed."""
    if not text.strip().isdigit() or int(text) < 1:
        raise ValueError(f"{text!r}: give {what} as a whole number, such as 20")
    return int(text)


@dataclass(frozen=True)
class Copying(Practice):
    """Copy up to so many vectors; tested up to 120."""

    name: ClassVar[str] = "copy"

    longest: int = knob(20, "vectors of the longest sequence in training", COUNT)
    bits: int = knob(8, "bits of a vector", COUNT)

    def task(self) -> "SequenceTask":
        from regard.tasks.algorithms import Copy

        return Copy((1, self.longest), self.bits)

    def tests(self) -> "Mapping[str, Draw]":
        return {f"length {length}": self._of(length) for length in (10, 20, 30, 50, 120)}

    def example(self, text: str) -> "Draw":
        return self._of(as_number(text, "the number of vectors to copy"))

    def _of(self, length: int) -> "Draw":
        from regard.tasks.algorithms import Copy

        task = Copy((1, self.longest), self.bits)
        return lambda batch, generator: task.draw_length(length, batch, generator)


@dataclass(frozen=True)
class RepeatCopying(Practice):
    """Copy several times; tested with longer sequences, and with more times."""

    name: ClassVar[str] = "repeat copy"

    longest: int = knob(10, "vectors of the longest sequence in training", COUNT)
    repeats: int = knob(10, "times that it is said at most in training", COUNT)
    bits: int = knob(8, "bits of a vector", COUNT)

    def task(self) -> "SequenceTask":
        from regard.tasks.algorithms import RepeatCopy

        return RepeatCopy((1, self.longest), (1, self.repeats), self.bits)

    def tests(self) -> "Mapping[str, Draw]":
        return {
            f"length {length}, {times} times": self._of(length, times)
            for length, times in ((10, 10), (20, 10), (10, 20))
        }

    def example(self, text: str) -> "Draw":
        length, _, times = text.partition("x")
        what = "the number of vectors, x and how often, as 5x3,"
        return self._of(as_number(length, what), as_number(times, what))

    def _of(self, length: int, times: int) -> "Draw":
        from regard.tasks.algorithms import RepeatCopy

        task = RepeatCopy((1, self.longest), (1, self.repeats), self.bits)
        return lambda batch, generator: task.draw_sizes(length, times, batch, generator)


@dataclass(frozen=True)
class Recalling(Practice):
    """Say the item that followed; tested with more items."""

    name: ClassVar[str] = "associative recall"

    items: int = knob(6, "items at most in training", COUNT)

    def task(self) -> "SequenceTask":
        from regard.tasks.algorithms import Recall

        return Recall((2, self.items))

    def tests(self) -> "Mapping[str, Draw]":
        return {f"{items} items": self._of(items) for items in (6, 10, 15, 20)}

    def example(self, text: str) -> "Draw":
        return self._of(as_number(text, "the number of items"))

    def _of(self, items: int) -> "Draw":
        from regard.tasks.algorithms import Recall

        task = Recall((2, self.items))
        return lambda batch, generator: task.draw_items(items, batch, generator)


@dataclass(frozen=True)
class Foretelling(Practice):
    """Foretell bits whose rule is another one in every sequence."""

    name: ClassVar[str] = "dynamic N-grams"

    length: int = knob(200, "bits of a sequence", COUNT)

    def task(self) -> "SequenceTask":
        from regard.tasks.algorithms import NGrams

        return NGrams(self.length)

    def tests(self) -> "Mapping[str, Draw]":
        return {f"{self.length} bits": self.task().draw}

    def example(self, text: str) -> "Draw":
        from regard.tasks.algorithms import NGrams

        return NGrams(as_number(text, "the number of bits")).draw


@dataclass(frozen=True)
class Sorting(Practice):
    """Say the vectors of highest priority."""

    name: ClassVar[str] = "priority sort"

    given: int = knob(20, "vectors that are given", COUNT)
    wanted: int = knob(16, "vectors that are to be said", COUNT)

    def task(self) -> "SequenceTask":
        from regard.tasks.algorithms import PrioritySort

        return PrioritySort(self.given, self.wanted)

    def tests(self) -> "Mapping[str, Draw]":
        return {f"{self.wanted} of {self.given}": self.task().draw}

    def example(self, text: str) -> "Draw":
        from regard.tasks.algorithms import PrioritySort

        given = as_number(text, "the number of vectors")
        return PrioritySort(given, max(1, given * self.wanted // self.given)).draw
