"""A number that was measured, with everything that is needed to read it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import mean, stdev
from typing import Any, Literal


@dataclass(frozen=True)
class Measured:
    """One number of one test set."""

    split: str  # the test set
    metric: str
    value: float
    unit: str
    better: Literal["higher", "lower"]
    scope: str = "all"  # or the one task, length, ... that it is of
    note: str = ""  # how it was counted, such as the signature of a BLEU score
    paper: float | None = None  # the paper's number on the same data, where it has one
    restarts: Sequence[float] = ()  # the number of every restart, where a run has several
    selected_by: str = ""  # how the one restart was picked whose value this is

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    def __str__(self) -> str:
        where = self.split if self.scope == "all" else f"{self.split}, {self.scope}"
        spread = f", all restarts {self.spread}" if len(self.restarts) > 1 else ""
        return f"{where}: {self.metric} {self.value:.2f} {self.unit}{spread}"

    @property
    def spread(self) -> str:
        """The mean of all restarts and their standard deviation, in words."""
        return f"{mean(self.restarts):.2f} ± {stdev(self.restarts):.2f}"
