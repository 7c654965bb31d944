"""Learning rates over time: the factor on the optimiser's own rate, as a function of the moment.

A rate remembers nothing, so that a resumed run has the same one. Factors multiply with ``*``.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import floor, sqrt

from regard.shapes import Number
from regard.training.moments import Moment, Span


class Rate(ABC):
    """A factor on the learning rate. The ``step`` of the moment is that of the coming update."""

    @abstractmethod
    def __call__(self, moment: Moment) -> float: ...

    def __mul__(self, other: "Rate") -> "Rate":
        return Product(self, other)


@dataclass(frozen=True)
class Product(Rate):
    """Two factors at once."""

    first: Rate
    second: Rate

    def __call__(self, moment: Moment) -> float:
        return self.first(moment) * self.second(moment)


@dataclass(frozen=True)
class Constant(Rate):
    """The optimiser's own rate, always."""

    def __call__(self, moment: Moment) -> float:
        return 1.0


@dataclass(frozen=True)
class InverseRoot(Rate):
    """Rises evenly to 1 over ``warm_up`` steps, then falls as one over the root of the step.

    min(step / warm_up, sqrt(warm_up / step)). Attention Is All You Need, Vaswani et al. 2017,
    eq. 3 is this with the optimiser's rate at (size * warm_up) ** -0.5.
    https://arxiv.org/abs/1706.03762
    """

    warm_up: int = 4000

    def __post_init__(self) -> None:
        if self.warm_up < 1:
            raise ValueError(f"warm_up must be at least 1 step, but it is {self.warm_up}")

    def __call__(self, moment: Moment) -> float:
        return min(moment.step / self.warm_up, sqrt(self.warm_up / moment.step))


@dataclass(frozen=True)
class Linear(Rate):
    """Falls evenly from 1 at the beginning to ``end`` when ``over`` has passed, then stays."""

    over: Span
    end: Number = 0.0

    def __call__(self, moment: Moment) -> float:
        done = min(1.0, self.over.measure(moment) / self.over.count)
        return 1 + (self.end - 1) * done


@dataclass(frozen=True)
class Halving(Rate):
    """1 until ``after`` epochs, then half, and half again with every further ``every`` epochs.

    Luong et al. 2015, section 4.1: ``Halving(after=5)``. Sutskever et al. 2014, section 3.4:
    ``Halving(after=5, every=0.5)``. Where ``last`` is given, nothing falls from that epoch on.
    """

    after: Number
    every: Number = 1
    last: Number | None = None

    def __post_init__(self) -> None:
        if self.after < 0 or self.every <= 0:
            raise ValueError(
                f"after must not be negative and every must be above 0, but after={self.after} "
                f"and every={self.every}"
            )

    def __call__(self, moment: Moment) -> float:
        epochs = moment.epochs if self.last is None else min(moment.epochs, self.last)
        return (
            1.0 if epochs < self.after else 0.5 ** (1 + floor((epochs - self.after) / self.every))
        )


@dataclass(frozen=True)
class Plateau(Rate):
    """Multiplied by ``factor`` at every validation that brought nothing better."""

    factor: Number = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.factor <= 1:
            raise ValueError(f"factor must lie in (0, 1], but it is {self.factor}")

    def __call__(self, moment: Moment) -> float:
        return float(self.factor**moment.setbacks)
