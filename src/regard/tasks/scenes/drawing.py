"""Painting a scene: things in the cells of an arrangement of three by three, clear of each other.

All sizes follow from the cell: a large thing leaves room to be moved by ``nudge`` pixels each
way with one clear pixel over, a small one has three fifths of its side, or half of its dots.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
import torch
from jaxtyping import UInt8
from torch import Tensor

from regard.tasks.scenes.stencils import (
    DIGIT_HEIGHT,
    SHAPES,
    Stencil,
    digit_stencil,
    shape_stencil,
)
from regard.tasks.scenes.telling import COLOURS, Box, Thing

CELLS = 3  # along each side
SMALLEST = 54  # pixels: below, a large digit would have dots no larger than a small one's

Image = UInt8[Tensor, "3 size size"]
Colour = tuple[int, int, int]
_PAINT = {name: np.array(colour, dtype=np.uint8)[:, None] for name, colour in COLOURS.items()}


def check_size(size: int) -> None:
    """Refuse pictures in which small and large could not be told apart."""
    if size < SMALLEST:
        raise ValueError(
            f"size is the side of the pictures in pixels, {SMALLEST} or more so that small and "
            f"large can be told apart, but size={size}"
        )


def nudge(size: int) -> int:
    """How many pixels a thing may be moved off the middle of its cell, each way."""
    return size // CELLS // 10


@cache
def stencil(scale: str, kind: str, size: int) -> Stencil:
    """The pixels of a thing in a picture of this size."""
    side = size // CELLS - 2 * nudge(size) - 2  # of a large thing
    small = scale == "small"
    if kind in SHAPES:
        return shape_stencil(kind, side * 3 // 5 if small else side)
    dot = side // DIGIT_HEIGHT
    return digit_stencil(kind, dot // 2 if small else dot)


def boxes_of(things: Sequence[Thing], size: int) -> list[Box]:
    """The tight box around the pixels of each thing."""
    cell = size // CELLS
    boxes = []
    for thing in things:
        height, width = stencil(thing.scale, thing.kind, size).shape
        top = thing.row * cell + (cell - height) // 2 + thing.down
        left = thing.column * cell + (cell - width) // 2 + thing.right
        boxes.append(Box(top, left, top + height, left + width))
    return boxes


def draw(things: Sequence[Thing], ground: Colour, size: int) -> tuple[Image, list[Box]]:
    """The things on a ground of one colour (channels, rows, columns), and where each stands."""
    picture = np.empty((3, size, size), dtype=np.uint8)
    picture[:] = np.array(ground, dtype=np.uint8)[:, None, None]
    boxes = boxes_of(things, size)
    for thing, (top, left, bottom, right) in zip(things, boxes, strict=True):
        pixels = stencil(thing.scale, thing.kind, size)
        picture[:, top:bottom, left:right][:, pixels] = _PAINT[thing.colour]
    return torch.from_numpy(picture), boxes
