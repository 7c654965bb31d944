"""The tasks of the tape machine as knobs: what is practised, and what is tested beyond it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from regard.recipes.algorithms.practice import LONGEST, Practice
from regard.recipes.endless import as_number
from regard.recipes.knobs import COUNT, Limits, knob

if TYPE_CHECKING:
    from torch import Tensor

    from regard.recipes.endless.experiment import Draw
    from regard.tasks.algorithms import Drawn, NGrams, SequenceTask
    from regard.viewing import Mark


@dataclass(frozen=True)
class Copying(Practice):
    """Copy up to so many vectors; tested up to 120."""

    name: ClassVar[str] = "copy"
    metrics: ClassVar[tuple[str, ...]] = ("wrong bits", "bits per sequence")

    longest: int = knob(20, "vectors of the longest sequence in training", COUNT)
    bits: int = knob(8, "bits of a vector", COUNT)

    def task(self) -> "SequenceTask":
        from regard.tasks.algorithms import Copy

        return Copy((1, self.longest), self.bits)

    @property
    def usual(self) -> str:
        return f"{self.longest}"

    def tests(self) -> Mapping[str, str]:
        return {f"length {length}": f"{length}" for length in (120, 50, 30, 20, 10)}

    def example(self, text: str) -> "Draw[Drawn]":
        """So many vectors that are drawn; or the vectors themselves, such as 01101100 11110000."""
        import torch

        from regard.tasks.algorithms import Copy

        task, own, length = Copy((1, self.longest), self.bits), self._own(text), self.stored(text)
        if not own:
            return lambda batch, generator: task.draw_length(length, batch, generator)
        said = torch.tensor([[float(bit) for bit in vector] for vector in own])
        return lambda batch, _: task.pose(said.expand(batch, -1, -1))

    def stored(self, text: str) -> int:
        return len(self._own(text)) or as_number(
            text,
            "the number of vectors to copy",
            1,
            self._most,
            f"the vectors themselves, up to {self._most} with spaces between them, of {self.bits} "
            "bits each",
        )

    @property
    def _most(self) -> int:
        return max(LONGEST, self.longest)

    def _own(self, text: str) -> list[str]:
        """The vectors that were typed; none where these are no bits, or a number of vectors.

        A single vector is taken for a number if it can be one and does not begin with 0.
        """
        vectors = text.split()
        fit = all(len(each) == self.bits and not set(each) - set("01") for each in vectors)
        if not fit or len(vectors) > self._most:
            return []
        alone = len(vectors) == 1 and len(text.strip()) <= len(str(self._most))
        is_number = alone and not text.strip().startswith("0") and int(text) <= self._most
        return [] if is_number else vectors


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

    @property
    def usual(self) -> str:
        return f"{self.longest}x{self.repeats}"

    def tests(self) -> Mapping[str, str]:
        return {
            f"length {length}, {times} times": f"{length}x{times}"
            for length, times in ((20, 10), (10, 20), (10, 11), (10, 10))
        }

    def example(self, text: str) -> "Draw[Drawn]":
        from regard.tasks.algorithms import RepeatCopy

        task = RepeatCopy((1, self.longest), (1, self.repeats), self.bits)
        length, times = self._sizes(text)
        return lambda batch, generator: task.draw_sizes(length, times, batch, generator)

    def stored(self, text: str) -> int:
        return self._sizes(text)[0]

    def _sizes(self, text: str) -> tuple[int, int]:
        length, sign, times = text.partition("x")
        if not sign:
            raise ValueError(f"{text!r}: give the number of vectors, x and how often, such as 5x3")
        most = max(LONGEST, self.longest)
        found = as_number(length, "the number of vectors", 1, most)
        most = max(LONGEST // found, self.repeats)  # so that it is soon over
        return found, as_number(times, "how often", 1, most)


@dataclass(frozen=True)
class Recalling(Practice):
    """Say the item that followed; tested with more items."""

    name: ClassVar[str] = "associative recall"

    items: int = knob(6, "items at most in training", Limits(2))

    def task(self) -> "SequenceTask":
        from regard.tasks.algorithms import Recall

        return Recall((2, self.items))

    @property
    def usual(self) -> str:
        return f"{self.items}"

    def tests(self) -> Mapping[str, str]:
        return {f"{items} items": f"{items}" for items in (20, 15, 10, 6)}

    def example(self, text: str) -> "Draw[Drawn]":
        from regard.tasks.algorithms import Recall

        task, items = Recall((2, self.items)), self._items(text)
        return lambda batch, generator: task.draw_items(items, batch, generator)

    def stored(self, text: str) -> int:
        from regard.tasks.algorithms import Recall

        return Recall((2, self.items)).item_length * self._items(text)

    def _items(self, text: str) -> int:
        return as_number(text, "the number of items", 2, max(LONGEST, self.items))

    def marks(self, drawn: "Drawn") -> "list[Mark]":
        """The item that is asked about, both times, and the one after it, both times."""
        from regard.tasks.algorithms import Recall
        from regard.viewing import Mark

        length, time = Recall((2, self.items)).item_length, len(drawn.counts)
        each, given = length + 1, drawn.inputs[0, :, :-2]
        question = time - length - each  # the first step of the item that is asked about
        starts = range(1, question - 1, each)
        asked = next(
            start
            for start in starts
            if given[start : start + length].equal(given[question : question + length])
            and given[start + each :][:length].equal(drawn.targets[0, -length:])
        )
        marked = {"asked": (asked, question), "answer": (asked + each, time - length)}
        return [
            Mark(name, start, start + length - 1) for name, both in marked.items() for start in both
        ]


@dataclass(frozen=True)
class Foretelling(Practice):
    """Foretell bits whose rule is another one in every sequence."""

    name: ClassVar[str] = "dynamic N-grams"

    length: int = knob(200, "bits of a sequence", COUNT)

    def task(self) -> "NGrams":
        from regard.tasks.algorithms import NGrams

        return NGrams(self.length)

    @property
    def usual(self) -> str:
        return f"{self.length}"

    def tests(self) -> Mapping[str, str]:
        return {f"{self.length} bits": f"{self.length}"}

    def stored(self, text: str) -> int:
        return self.task().stored

    def example(self, text: str) -> "Draw[Drawn]":
        """So many bits that are drawn; or the bits themselves, such as 0110."""
        import torch

        from regard.tasks.algorithms import NGrams

        most, bits = max(LONGEST, self.length), text.strip()
        is_number = not bits.startswith("0") and len(bits) <= len(str(most))
        if bits and not set(bits) - set("01") and not is_number and len(bits) <= most:
            said = torch.tensor([[float(bit) for bit in bits]])
            return lambda batch, _: self.task().pose(said.expand(batch, -1))
        what, otherwise = "the number of bits", f"the bits themselves, up to {most}, such as 0110"
        return NGrams(as_number(text, what, 1, most, otherwise)).draw

    def least_bits(self, drawn: "Drawn") -> "Tensor | None":
        from regard.tasks.algorithms import best_bits

        return best_bits(drawn.targets[..., 0])

    def marks(self, drawn: "Drawn") -> "list[Mark]":
        """Every bit after those five, not all the same, that come most often."""
        from collections import Counter

        from regard.viewing import Mark

        context = self.task().context
        bits = "".join(str(int(bit)) for bit in drawn.targets[0, :, 0].tolist())
        before = {time: bits[time - context : time] for time in range(context, len(bits))}
        mixed = Counter(found for found in before.values() if len(set(found)) > 1)
        return [
            Mark(f"after {wanted}", time, time)
            for wanted, _ in mixed.most_common(1)
            for time, found in before.items()
            if found == wanted
        ]
