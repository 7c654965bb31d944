"""What a score is: a number for how well each key fits each query."""

from abc import ABC, abstractmethod

from torch import nn

from regard.masks import both
from regard.shapes import Key, Mask, Number, Prepared, Query, Scores


class Score(nn.Module, ABC):
    """Says how well each key fits each query; any real number, higher fits better.

    A score splits in two, so that a decoder prepares the keys once and compares many times:
    score(query, key) = compare(query, prepare(key)). Scores add: ``ScaledDot() + Distance(0.1)``.
    """

    @abstractmethod
    def prepare(self, key: Key) -> Prepared:
        """What can be worked out from the keys alone; the axis before the last stays the key's."""

    @abstractmethod
    def compare(self, query: Query, prepared: Prepared) -> Scores:
        """The scores of each query against prepared keys."""

    def reach(self, query: Query, prepared: Prepared) -> Mask | None:
        """Which keys this score can judge at all; None means every one."""
        return None

    def forward(self, query: Query, key: Key) -> Scores:
        """The scores of each query against each key."""
        return self.compare(query, self.prepare(key))

    def __add__(self, other: "Score") -> "Sum":
        if not isinstance(other, Score):
            return NotImplemented
        return Sum(*terms(self), *terms(other))


class Sum(Score):
    """Several scores added up; written ``first + second``."""

    def __init__(self, *scores: Score) -> None:
        super().__init__()
        self.terms = nn.ModuleList(scores)

    def prepare(self, key: Key) -> Prepared:
        """Each term's own preparation, side by side."""
        return tuple(term.prepare(key) for term in terms(self))

    def compare(self, query: Query, prepared: Prepared) -> Scores:
        """The sum of the terms' scores."""
        first, *others = (
            term.compare(query, own) for term, own in zip(terms(self), prepared, strict=True)
        )
        return sum(others, start=first)

    def reach(self, query: Query, prepared: Prepared) -> Mask | None:
        """The keys that every term can judge."""
        reached = None
        for term, own in zip(terms(self), prepared, strict=True):
            reached = both(reached, term.reach(query, own))
        return reached


def terms(score: Score) -> tuple[Score, ...]:
    """The scores that a sum adds up; a score that is no sum is its own only term."""
    return tuple(score.terms) if isinstance(score, Sum) else (score,)  # type: ignore[arg-type]


def check_size(score: Score, name: str, size: int, given: int) -> None:
    """Raise where an input is not as wide as the score was made for."""
    if given != size:
        kind = type(score).__name__
        raise ValueError(
            f"{kind} was made for {name}_size={size}, but the {name} has size {given}; "
            f"make it with {name}_size={given}, or project the {name} to {size}"
        )


def positive(kind: str, **sizes: Number) -> None:
    """Raise where a size or strength that must be above zero is not."""
    for name, size in sizes.items():
        if name.endswith("_size") and not isinstance(size, int):
            raise TypeError(f"{kind} needs a whole number for {name}, but {name}={size!r}")
        if not size > 0:
            raise ValueError(f"{kind} needs {name} above 0, but {name}={size}")
