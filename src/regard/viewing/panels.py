"""One panel: a matrix of weights, or a mask, drawn into axes that are given."""

import math
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from regard.viewing.fonts import choose_fonts
from regard.viewing.labels import Side, Words, side

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.collections

Scale = tuple[int | float, int | float]  # the numbers that are drawn black and white

FEW = 12  # up to so many rows and columns there is room for a number in each cell
MANY = 2_500  # beyond so many cells a vector file holds them as pixels


def draw(
    axes: "matplotlib.axes.Axes",
    weights: Tensor,
    rows: Words = None,
    columns: Words = None,
    *,
    scale: Scale = (0.0, 1.0),
) -> "matplotlib.collections.QuadMesh":
    """Draw weights (query, key): black and white are the ends of ``scale``.

    Grey, as in figure 3 of Bahdanau, Cho, Bengio 2015: its lightness grows evenly with the weight,
    nothing is black, it prints without colour, and every eye sees it. Numbers outside the scale are
    an error, since they would be shown as what they are not. A small matrix also has its
    numbers written in: 0 where it is exactly that, 0.00 where it only rounds to it.
    """
    mesh = draw_cells(axes, weights, rows, columns, scale=scale)
    if is_small(weights):
        _write_numbers(axes, weights, scale)
    return mesh


def draw_cells(
    axes: "matplotlib.axes.Axes",
    weights: Tensor,
    rows: Words = None,
    columns: Words = None,
    *,
    scale: Scale = (0.0, 1.0),
) -> "matplotlib.collections.QuadMesh":
    """Draw weights as ``draw`` does, but with no numbers in the cells, however few there are."""
    _check_numbers(weights, scale)
    return _cells(axes, weights, rows, columns, scale)


def draw_mask(
    axes: "matplotlib.axes.Axes", mask: Tensor, rows: Words = None, columns: Words = None
) -> "matplotlib.collections.QuadMesh":
    """Draw a mask (query, key): white where the query may attend to the key, black where not."""
    if mask.dtype != torch.bool:
        raise TypeError(
            f"a mask is boolean, True = may attend, but its type is {mask.dtype}; draw() takes "
            "weights"
        )
    return _cells(axes, mask.float(), rows, columns, (0.0, 1.0))


def is_small(weights: Tensor) -> bool:
    """Whether there is room for a number in each cell."""
    return max(weights.shape[-2:]) <= FEW


def _cells(
    axes: "matplotlib.axes.Axes", matrix: Tensor, rows: Words, columns: Words, scale: Scale
) -> "matplotlib.collections.QuadMesh":
    if matrix.dim() != 2 or matrix.numel() == 0:
        raise ValueError(
            "one panel shows one matrix (query, key) that is not empty, but this one has the shape "
            f"{tuple(matrix.shape)}"
        )
    down, across = side("rows", rows, matrix.shape[0]), side("columns", columns, matrix.shape[1])
    few = max(matrix.shape) <= 4 * FEW
    mesh = axes.pcolormesh(
        matrix.detach().to("cpu", torch.float64).numpy(),
        cmap="gray",
        vmin=scale[0],
        vmax=scale[1],
        edgecolors="0.45" if few else "face",  # lines between cells, so that they can be counted
        linewidth=0.4 if few else 0.0,
        rasterized=matrix.numel() > MANY,
    )
    axes.invert_yaxis()  # the first query on top
    axes.set_aspect(down.cell / across.cell)
    _write_words(axes, down, across)
    return mesh


def _write_words(axes: "matplotlib.axes.Axes", down: Side, across: Side) -> None:
    """Write queries on the left and keys on top; a word that looks like a formula stays a word."""
    fonts = choose_fonts([*down.words, *across.words])
    wide = across.reach > 0.9 * across.cell * across.step
    turned: dict[str, Any] = {"rotation": 45, "ha": "left", "rotation_mode": "anchor"}
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.tick_params(length=0, pad=2)
    axes.set_xticks(
        [place + 0.5 for place in range(0, len(across.words), across.step)],
        labels=[fonts.drawable(word) for word in across.words[:: across.step]],
        fontsize=across.points,
        fontfamily=fonts.families,
        parse_math=False,
        **(turned if wide else {}),
    )
    axes.set_yticks(
        [place + 0.5 for place in range(0, len(down.words), down.step)],
        labels=[fonts.drawable(word) for word in down.words[:: down.step]],
        fontsize=down.points,
        fontfamily=fonts.families,
        parse_math=False,
    )
    for spine in axes.spines.values():
        spine.set(color="0.45", linewidth=0.4)


def _write_numbers(axes: "matplotlib.axes.Axes", weights: Tensor, scale: Scale) -> None:
    middle = sum(scale) / 2
    for row, line in enumerate(weights.tolist()):
        for column, weight in enumerate(line):
            text = str(int(weight)) if weight == int(weight) else f"{weight:.2f}"
            colour = "black" if weight > middle else "white"
            place = (column + 0.5, row + 0.5)
            axes.text(*place, text, color=colour, fontsize=7, ha="center", va="center")


def _check_numbers(weights: Tensor, scale: Scale) -> None:
    """Raise where a number has no true place between black and white."""
    black, white = scale
    if not weights.is_floating_point():
        raise TypeError(
            f"weights are floating-point numbers, but their type is {weights.dtype}; show_mask() "
            "and draw_mask() take masks"
        )
    if not black < white:
        raise ValueError(f"scale goes from black up to white, but scale={scale}")
    if not bool(weights.isfinite().all()):
        raise ValueError("weights that are NaN or infinite have no brightness: nothing is drawn")
    if weights.numel() == 0:
        return
    lowest, highest = weights.min().item(), weights.max().item()
    rounding = 4 * torch.finfo(weights.dtype).eps * (white - black)  # a softmax may pass one
    if lowest < black - rounding or highest > white + rounding:
        raise ValueError(
            f"black stands for {black} and white for {white}, but the numbers go from {lowest:.4g} "
            f"to {highest:.4g}; scale=({math.floor(lowest)}, {math.ceil(highest)}) holds them all"
        )
