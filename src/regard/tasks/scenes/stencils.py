"""The outlines of the things: shapes by inequalities between whole numbers, digits by dots.

A shape ``side`` pixels wide is given over coordinates counted in half pixels from its centre: the
pixels' centres are x, y = 1 - side, 3 - side, ..., side - 1, with y growing downwards, and the
edges lie at -side and side. No fraction is ever rounded, so every machine draws the same pixels.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

Grid = Int[ndarray, "..."]  # one coordinate of every pixel
Stencil = Bool[ndarray, "height width"]  # True = paint here
Outline = Callable[[Grid, Grid, int], Stencil]  # of x, y and the side


def _circle(x: Grid, y: Grid, side: int) -> Stencil:
    return x**2 + y**2 <= side**2


def _square(x: Grid, y: Grid, side: int) -> Stencil:
    return np.maximum(abs(x), abs(y)) <= side


def _ring(x: Grid, y: Grid, side: int) -> Stencil:
    return _circle(x, y, side) & ~_circle(x, y, side - 2 * _thickness(side))


def _frame(x: Grid, y: Grid, side: int) -> Stencil:
    return _square(x, y, side) & ~_square(x, y, side - 2 * _thickness(side))


def _thickness(side: int) -> int:
    """Pixels of the line of a ring or a frame."""
    return max(side // 5, 2)


def _diamond(x: Grid, y: Grid, side: int) -> Stencil:
    return abs(x) + abs(y) <= side


def _cross(x: Grid, y: Grid, side: int) -> Stencil:
    return 3 * np.minimum(abs(x), abs(y)) < side


def _triangle(x: Grid, y: Grid, side: int) -> Stencil:
    return 2 * abs(x) <= y + side


def _heart(x: Grid, y: Grid, side: int) -> Stencil:
    lobes = (2 * abs(x) - side) ** 2 + (2 * y + side) ** 2 <= side**2
    return lobes | ((2 * y >= -side) & (3 * abs(x) <= 2 * (side - y)))


def _moon(x: Grid, y: Grid, side: int) -> Stencil:
    shadow = 100 * ((2 * x - side) ** 2 + (2 * y) ** 2) <= 289 * side**2
    return _circle(x, y, side) & ~shadow


def _arrow(x: Grid, y: Grid, side: int) -> Stencil:
    head = (x >= 0) & (abs(y) <= side - x)
    return head | ((x < 0) & (4 * abs(y) <= side))


# The corners of a five-pointed star in thousandths of its side, from the top, clockwise.
_CORNERS = ((500, 0), (639, 334), (1000, 363), (725, 599), (809, 951),
            (500, 763), (191, 951), (275, 599), (0, 363), (361, 334))  # fmt: skip


def _star(x: Grid, y: Grid, side: int) -> Stencil:
    """Inside is where a line to the right crosses the outline an odd number of times."""
    across, down = 500 * (x + side), 500 * (y + side)
    inside = np.zeros(np.broadcast_shapes(x.shape, y.shape), dtype=bool)
    corners = [(column * side, row * side) for column, row in _CORNERS]
    for (left, top), (right, bottom) in zip(corners, corners[1:] + corners[:1], strict=True):
        rise = bottom - top
        between = (top > down) != (bottom > down)
        beyond = (across - left) * abs(rise) < (right - left) * (down - top) * np.sign(rise)
        inside ^= between & beyond
    return inside


SHAPES: dict[str, Outline] = {
    "circle": _circle,
    "square": _square,
    "triangle": _triangle,
    "star": _star,
    "cross": _cross,
    "diamond": _diamond,
    "ring": _ring,
    "frame": _frame,
    "heart": _heart,
    "moon": _moon,
    "arrow": _arrow,
}

DIGITS = {
    "zero": ".###. #...# #...# #...# #...# #...# .###.",
    "one": "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.",
    "two": ".###. #...# ....# ..##. .#... #.... #####",
    "three": "####. ....# ....# .###. ....# ....# ####.",
    "four": "#..#. #..#. #..#. ##### ...#. ...#. ...#.",
    "five": "##### #.... ####. ....# ....# #...# .###.",
    "six": ".###. #.... #.... ####. #...# #...# .###.",
    "seven": "##### ....# ...#. ...#. ..#.. ..#.. ..#..",
    "eight": ".###. #...# #...# .###. #...# #...# .###.",
    "nine": ".###. #...# #...# .#### ....# ....# .###.",
}
DIGIT_HEIGHT = 7  # dots


def shape_stencil(kind: str, side: int) -> Stencil:
    """The shape ``side`` pixels wide, without the rows and columns that it leaves empty."""
    steps = np.arange(1 - side, side, 2)
    return _tight(SHAPES[kind](steps[None, :], steps[:, None], side))


def digit_stencil(kind: str, dot: int) -> Stencil:
    """The digit with dots of ``dot`` by ``dot`` pixels, without its empty columns."""
    dots = np.array([[mark == "#" for mark in row] for row in DIGITS[kind].split()])
    return _tight(dots.repeat(dot, axis=0).repeat(dot, axis=1))


def _tight(drawn: Bool[ndarray, "rows columns"]) -> Stencil:
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    return drawn[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
