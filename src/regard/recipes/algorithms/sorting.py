"""Priority sort as knobs, and where its picture supposes that a machine writes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from regard.recipes.algorithms.practice import LONGEST, Practice
from regard.recipes.endless import as_number
from regard.recipes.knobs import COUNT, knob

if TYPE_CHECKING:
    from torch import Tensor

    from regard.recipes.endless.experiment import Draw
    from regard.tasks.algorithms import Drawn, SequenceTask
    from regard.viewing import Supposed


@dataclass(frozen=True)
class Sorting(Practice):
    """Say the vectors of highest priority."""

    name: ClassVar[str] = "priority sort"

    given: int = knob(20, "vectors that are given", COUNT)
    wanted: int = knob(16, "vectors that are to be said", COUNT)

    def task(self) -> "SequenceTask":
        from regard.tasks.algorithms import PrioritySort

        return PrioritySort(self.given, self.wanted)

    @property
    def usual(self) -> str:
        return f"{self.given}"

    def tests(self) -> Mapping[str, str]:
        return {f"{self.wanted} of {self.given}": f"{self.given}"}

    def example(self, text: str) -> "Draw[Drawn]":
        from regard.tasks.algorithms import PrioritySort

        given = self.stored(text)
        return PrioritySort(given, max(1, given * self.wanted // self.given)).draw

    def stored(self, text: str) -> int:
        return as_number(text, "the number of vectors", 1, max(LONGEST, self.given))

    def supposed(self, drawn: "Drawn", writing: "Tensor") -> "Supposed | None":
        """In slots that are a straight line of the priority, fitted to where one head wrote.

        Of several heads it is the one that such a line fits best, and the name says how well.
        """
        from torch.nn.functional import one_hot

        from regard.viewing import Supposed

        heard = int((~drawn.counts).sum()) - 1
        if heard < 2:
            return None
        priority, (_, heads, count) = drawn.inputs[0, :heard, -2], writing.shape
        lines = [_fit(priority, places, count) for places in writing[:heard].argmax(dim=2).mT]
        best = max(range(heads), key=lambda head: abs(lines[head][0]))
        fit, slots = lines[best]
        found = writing.new_zeros(len(writing), count)
        found[:heard] = one_hot(slots, count).to(writing.dtype)
        whose = f"head {best + 1} of {heads}, " if heads > 1 else ""
        return Supposed(f"writes by priority ({whose}r = {fit:.2f})", found)


def _fit(priority: "Tensor", places: "Tensor", count: int) -> "tuple[float, Tensor]":
    """How well a line of the priority tells the places on a tape of so many, and its slots."""
    from regard.metrics import correlation, slope

    first = _behind_the_widest_gap(places, count)
    rolled = ((places - first) % count).to(priority.dtype)  # in one piece, wherever they are
    line = rolled.mean() + slope(priority, rolled) * (priority - priority.mean())
    slots = (line.round().long().clamp(0, count - 1) + first) % count
    return correlation(priority, rolled), slots


def _behind_the_widest_gap(places: "Tensor", count: int) -> int:
    """Of slots on a circle of so many, the one that comes after the longest stretch of others."""
    found = sorted(set(places.tolist()))
    before = [found[-1] - count, *found[:-1]]
    return max(zip(found, before, strict=True), key=lambda pair: pair[0] - pair[1])[0]
