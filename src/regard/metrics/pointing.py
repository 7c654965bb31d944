"""Whether the looks of a captioner fall on the thing that a word names."""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Float64
from torch import Tensor

Looks = Float[Tensor, "word rows columns"]  # a word's weights over the cells of the image's grid
Shares = Float64[Tensor, "rows columns"]  # of each cell, from 0 to 1
Number = int | float
Box = tuple[Number, Number, Number, Number]  # top, left, bottom, right in pixels
TOLERANCE = 1e-2  # by which the weights of a word may miss one: those of half precision do


def attention_inside(weights: Looks, boxes: Sequence[Box | None], size: tuple[int, int]) -> float:
    """The share of a word's weight on cells that the box of its thing touches, mean over words.

    ``boxes`` has one box for each word, None for a word that names nothing, which is left out;
    ``size`` is the image's height and width in pixels. A cell counts whole as soon as the box
    covers any of it: a thing smaller than a cell can be looked at no better than by its cell, and
    would else make a perfect look look bad. So large cells are judged mildly; compare with the
    score of even weights, which is the share of cells touched. ``attention_covered`` is strict.

    >>> import torch
    >>> look = torch.tensor([[[0.7, 0.1], [0.2, 0.0]]])
    >>> round(attention_inside(look, [(0, 0, 30, 10)], size=(40, 40)), 3)  # the left column
    0.9
    """
    return _mean(
        [float((look * (share > 0)).sum()) for look, share in _named(weights, boxes, size)]
    )


def attention_covered(weights: Looks, boxes: Sequence[Box | None], size: tuple[int, int]) -> float:
    """As ``attention_inside``, but a cell counts by the fraction of its area in the box.

    It is the weight inside the box if each cell's weight lies evenly on its pixels. 1 can be
    reached only where the box covers a whole cell.

    >>> import torch
    >>> look = torch.tensor([[[0.7, 0.1], [0.2, 0.0]]])
    >>> round(attention_covered(look, [(0, 0, 30, 10)], size=(40, 40)), 3)  # 0.7 / 2 + 0.2 / 4
    0.4
    """
    return _mean([float((look * share).sum()) for look, share in _named(weights, boxes, size)])


def pointing_hits(weights: Looks, boxes: Sequence[Box | None], size: tuple[int, int]) -> float:
    """The share of naming words whose most looked-at cell the box of their thing touches.

    Top-down Neural Attention by Excitation Backprop, Zhang et al. 2016, section 5.1, calls it the
    pointing game; theirs takes the largest pixel of an enlarged map with 15 pixels of tolerance,
    here it is the largest cell, the first in reading order among equals.
    https://arxiv.org/abs/1608.00507
    """
    named = _named(weights, boxes, size)
    return _mean([float(share.flatten()[look.argmax()] > 0) for look, share in named])


def _named(
    weights: Looks, boxes: Sequence[Box | None], size: tuple[int, int]
) -> list[tuple[Shares, Shares]]:
    """For each word that names a thing: its weights, and the share of each cell in the box."""
    words, rows, columns = weights.shape
    if len(boxes) != words:
        raise ValueError(
            "each word needs its box, or None if it names nothing, but there are weights of "
            f"{words} words and {len(boxes)} boxes"
        )
    if min(size) < 1:
        raise ValueError(f"size is the image's height and width in pixels, but it is {size}")
    looks = weights.detach().to("cpu", torch.float64)
    found = []
    for word, (look, box) in enumerate(zip(looks, boxes, strict=True)):
        if box is None:
            continue
        total = float(look.sum())
        if not abs(total - 1) <= TOLERANCE or float(look.min()) < 0:
            raise ValueError(
                f"the weights of a word are not negative and sum to one over the cells, but those "
                f"of word {word} sum to {total:g}, the smallest being {float(look.min()):g}"
            )
        found.append((look, _covered(box, size, rows, columns, word)))
    if not found:
        raise ValueError(f"none of the {words} words has a box, so there is no look to judge")
    return found


def _covered(box: Box, size: tuple[int, int], rows: int, columns: int, word: int) -> Shares:
    """The fraction of each cell's area that lies in the box."""
    top, left, bottom, right = box
    if not (top < bottom and left < right):
        raise ValueError(
            "a box is (top, left, bottom, right) with top < bottom and left < right, but that of "
            f"word {word} is {tuple(box)}"
        )
    share = torch.outer(
        _overlap(top, bottom, size[0], rows), _overlap(left, right, size[1], columns)
    )
    if not share.any():
        raise ValueError(
            f"the box of word {word}, {tuple(box)}, lies outside its image of height and width "
            f"{tuple(size)}"
        )
    return share


def _overlap(first: Number, last: Number, length: int, cells: int) -> Float64[Tensor, "cell"]:
    """The fraction of each of so many equal cells along a side that lies from first to last."""
    edges = torch.arange(cells + 1, dtype=torch.float64) * length / cells
    inside = edges[1:].clamp(max=last) - edges[:-1].clamp(min=first)
    return inside.clamp(min=0) * cells / length


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
