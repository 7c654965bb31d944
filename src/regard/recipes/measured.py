"""A number that was measured, with everything that is needed to read it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import mean, stdev
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable


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
        return f"{where}: {in_unit(self.metric, f'{self.value:.2f}', self.unit)}{spread}"

    @property
    def spread(self) -> str:
        """The mean of all restarts and their standard deviation, in words."""
        return f"{mean(self.restarts):.2f} ± {stdev(self.restarts):.2f}"


def in_unit(metric: str, value: str, unit: str) -> str:
    """A number behind its metric, with its unit where the metric does not say it already."""
    return f"{metric} {value}" if unit in metric else f"{metric} {value} {unit}"


class Published(NamedTuple):
    """What a paper has of a test: its number, where it has one, and how that was come by."""

    value: float | None
    note: str


def beside(
    found: Iterable[Measured], published: Mapping[tuple[str, str], Published]
) -> list[Measured]:
    """What was measured, with what is published by test set and metric."""
    told = []
    for each in found:
        known = published.get((each.split, each.metric)) if each.scope == "all" else None
        if known is not None:
            note = "; ".join(part for part in (each.note, known.note) if part)
            each = replace(each, paper=known.value, note=note)  # noqa: PLW2901
        told.append(each)
    return told


@runtime_checkable
class Noted(Protocol):
    """A number with a note; the clauses of a note are parted by semicolons."""

    @property
    def metric(self) -> str: ...
    @property
    def scope(self) -> str: ...
    @property
    def note(self) -> str: ...


def clauses(found: Sequence[Noted]) -> dict[str, list[str]]:
    """Each clause of the notes once, with the metrics that it is true of.

    Where it is true of one task of several, or whatever else the scopes are, that is named, too.
    """
    having = defaultdict[str, list[Noted]](list)
    for each in found:
        for clause in filter(None, each.note.split("; ")):
            having[clause].append(each)
    return {
        clause: [_true_of(metric, some, found) for metric in dict.fromkeys(n.metric for n in some)]
        for clause, some in having.items()
    }


def _true_of(metric: str, having: Sequence[Noted], found: Sequence[Noted]) -> str:
    scopes, every = (
        dict.fromkeys(each.scope for each in some if each.metric == metric)
        for some in (having, found)
    )
    if "all" in scopes or len(scopes) == len([scope for scope in every if scope != "all"]):
        return metric
    return f"{metric}, {', '.join(scopes)}"
