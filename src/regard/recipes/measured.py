"""A number that was measured, with everything that is needed to read it."""

from dataclasses import asdict, dataclass
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

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    def __str__(self) -> str:
        where = self.split if self.scope == "all" else f"{self.split}, {self.scope}"
        return f"{where}: {self.metric} {self.value:.2f} {self.unit}"
