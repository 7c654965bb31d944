"""How far a run has come: everything that is not a tensor, and is saved with each checkpoint."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any

from regard.training.moments import Moment


@dataclass(frozen=True)
class Taken:
    """What came of one update: sums over its items, and the gradient's norm before clipping."""

    total: float
    count: int
    metrics: Mapping[str, float]
    gradient_norm: float
    rate: float


@dataclass
class Window:
    """Sums since the last line of training loss."""

    total: float = 0.0
    count: int = 0
    metrics: dict[str, float] = field(default_factory=dict)

    def add(self, taken: Taken) -> None:
        """Count one more update in."""
        self.total += taken.total
        self.count += taken.count
        self.metrics = add_up(self.metrics, taken.metrics)

    def means(self) -> dict[str, Any]:
        """The loss and the metrics per item."""
        metrics = {name: total / self.count for name, total in self.metrics.items()}
        return {"loss": self.total / self.count} | ({"metrics": metrics} if metrics else {})


@dataclass
class Progress:
    """The counts of a run; ``asdict`` and back through JSON leaves every bit as it was."""

    step: int = 0  # updates done
    epoch: int = 1  # the epoch under way, counted from 1
    position: int = 0  # batches of it that are done
    epochs: float = 0.0  # passes through the data done
    seconds: float = 0.0
    best: float | None = None
    best_step: int = 0
    stale: int = 0  # validations since the best
    setbacks: int = 0  # validations in all that brought nothing better
    validated: int = -1  # step of the last validation
    finished: str = ""  # why the run is at its end
    window: Window = field(default_factory=Window)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> "Progress":
        """The progress that was saved."""
        return cls(**(content | {"window": Window(**content["window"])}))

    def to_json(self) -> dict[str, Any]:
        """What is saved."""
        return asdict(self)

    @property
    def moment(self) -> Moment:
        """This point of the run."""
        return Moment(self.step, self.epochs, self.seconds, self.setbacks)

    def count(self, taken: Taken, batches: int, length: int) -> None:
        """One more update is done, of so many batches out of an epoch of ``length``."""
        self.step += 1
        self.position += batches
        self.window.add(taken)
        if self.position >= length:
            self.epoch, self.position = self.epoch + 1, 0
        self.epochs = self.epoch - 1 + self.position / length

    def judge(self, value: float, *, higher_is_better: bool) -> bool:
        """Whether a validation is the best so far; one that is not finite never is."""
        better = isfinite(value) and (
            self.best is None or (value > self.best if higher_is_better else value < self.best)
        )
        if better:
            self.best, self.best_step, self.stale = value, self.step, 0
        else:
            self.stale += 1
            self.setbacks += 1
        return better

    def reaches(self, value: float, *, higher_is_better: bool) -> bool:
        """Whether the best validation so far is as good as that."""
        if self.best is None:
            return False
        return self.best >= value if higher_is_better else self.best <= value


def add_up(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """Sums by name; a name that one side lacks counts as zero there."""
    return {name: first.get(name, 0.0) + second.get(name, 0.0) for name in {**first, **second}}
