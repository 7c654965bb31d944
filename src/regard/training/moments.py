"""Points of a run, and the spans between them: steps, epochs, seconds."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

from regard.shapes import Number


class Moment(NamedTuple):
    """How far a run has come."""

    step: int  # updates done
    epochs: float  # passes through the data done, 2.5 in the middle of the third
    seconds: float  # spent, those before a resume included
    setbacks: int = 0  # validations so far that brought nothing better


@dataclass(frozen=True)
class Span(ABC):
    """A stretch of a run: how long it lasts, or how often something happens in it."""

    count: Number

    def __post_init__(self) -> None:
        if not self.count > 0:
            raise ValueError(f"{type(self).__name__} must be above 0, but it is {self.count}")

    @abstractmethod
    def measure(self, moment: Moment) -> Number:
        """How far the run has come, counted as this span counts."""

    def reached(self, moment: Moment) -> bool:
        """Whether the run has lasted this long."""
        return self.measure(moment) >= self.count

    def crossed(self, before: Moment, now: Moment) -> bool:
        """Whether one more of these spans came to its end between two moments.

        Ends lie at whole multiples since the beginning, so a resumed run meets the same ones.
        """
        return self.measure(now) // self.count > self.measure(before) // self.count


class Steps(Span):
    """Updates of the weights."""

    def measure(self, moment: Moment) -> int:
        return moment.step


class Epochs(Span):
    """Passes through the data; halves and other fractions are possible."""

    def measure(self, moment: Moment) -> float:
        return moment.epochs


class Seconds(Span):
    """Time on the clock. Never the same twice, so only checkpoints are counted in it."""

    def measure(self, moment: Moment) -> float:
        return moment.seconds
