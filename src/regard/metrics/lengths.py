"""Sentences sorted into buckets by their length."""

from collections.abc import Sequence
from typing import NamedTuple


class Bucket(NamedTuple):
    """The sentences whose length lies from ``shortest`` to ``longest``, by their positions."""

    shortest: int
    longest: int
    positions: list[int]


def buckets(lengths: Sequence[int], width: int) -> list[Bucket]:
    """Buckets of 1 to ``width`` words, ``width`` + 1 to 2 ``width`` and so on; none empty.

    >>> [tuple(bucket) for bucket in buckets([3, 10, 11, 35], width=10)]
    [(1, 10, [0, 1]), (11, 20, [2]), (31, 40, [3])]
    """
    if width < 1:
        raise ValueError(f"width is a number of words, 1 or more, but width={width}")
    found: dict[int, list[int]] = {}
    for position, length in enumerate(lengths):
        found.setdefault(max(length - 1, 0) // width, []).append(position)
    return [
        Bucket(number * width + 1, (number + 1) * width, found[number]) for number in sorted(found)
    ]


def check_same_number(hypotheses: Sequence[object], references: Sequence[object]) -> None:
    """Stop where hypotheses and references cannot belong together."""
    if len(hypotheses) != len(references) or not references:
        raise ValueError(
            "each hypothesis needs its reference, one or more of them, but there are "
            f"{len(hypotheses)} hypotheses and {len(references)} references"
        )
