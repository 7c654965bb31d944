"""What is said of a scene: which thing first, with which words, and how they stand to each other.

The caption is a function of the picture:

- large things are told before small ones, and things of one scale as they are read, row by row
  from the top and from the left within a row;
- each is told as "a", its scale, its colour, its kind; the scale is never left out;
- between two things that follow each other stands where the first is, seen from the second:
  "above", "below", "left of" or "right of". Those two share a row or a column of the arrangement
  (``is_plain``), so that only one of the four can be meant.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from regard.tasks.scenes.stencils import DIGITS, SHAPES

SCALES = ("large", "small")  # in the order of telling
COLOURS = {
    "red": (222, 28, 36),
    "orange": (255, 140, 0),
    "yellow": (242, 214, 0),
    "green": (24, 148, 52),
    "blue": (28, 76, 224),
    "purple": (128, 32, 160),
    "pink": (255, 128, 190),
    "black": (16, 16, 16),
}
KINDS = (*SHAPES, *DIGITS)
RELATIONS = (("above",), ("below",), ("left", "of"), ("right", "of"))
WORDS = tuple(
    sorted({"a", *SCALES, *COLOURS, *KINDS, *(word for way in RELATIONS for word in way)})
)


class Box(NamedTuple):
    """The pixels from ``top`` and ``left`` on, up to ``bottom`` and ``right`` but without them."""

    top: int
    left: int
    bottom: int
    right: int


class Thing(NamedTuple):
    """One thing: what it is, the cell where it stands, and how far it is moved off the middle."""

    scale: str
    colour: str
    kind: str
    row: int
    column: int
    down: int
    right: int


def in_order(things: Sequence[Thing]) -> tuple[Thing, ...]:
    """The things in the order of telling: large before small, then as they are read."""
    return tuple(sorted(things, key=lambda it: (SCALES.index(it.scale), it.row, it.column)))


def is_plain(told: Sequence[Thing]) -> bool:
    """Whether all that follow each other share a row or a column."""
    return all(
        first.row == second.row or first.column == second.column for first, second in pairwise(told)
    )


def relation(first: Thing, second: Thing) -> tuple[str, ...]:
    """Where the first is, seen from the second; they share a row or a column."""
    above, below, left_of, right_of = RELATIONS
    if first.column == second.column:
        return above if first.row < second.row else below
    return left_of if first.column < second.column else right_of


def tell(told: Sequence[Thing]) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
    """The caption of things in order, and for each word the number of the thing that it names."""
    words: list[str] = []
    owners: list[int | None] = []
    for number, thing in enumerate(told):
        between = relation(told[number - 1], thing) if number else ()
        words += [*between, "a", thing.scale, thing.colour, thing.kind]
        owners += [None] * (len(between) + 1) + [number] * 3
    return tuple(words), tuple(owners)
