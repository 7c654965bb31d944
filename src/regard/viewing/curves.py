"""Curves, told apart in any print."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from regard.viewing.fonts import Fonts, choose_fonts
from regard.viewing.labels import readable

if TYPE_CHECKING:
    import matplotlib.axes

Number = int | float
Curve = Mapping[int, Number] | Mapping[float, Number]  # a height at each place

# Told apart without colour, too: by line and by mark. Okabe and Ito's colours suit every eye.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
LINES = ("-", "--", "-.", ":")
MARKS = ("o", "s", "^", "D", "v")
MARKED = 20  # marks along a curve, at most about
FAR = 0.95  # of a level that nothing is below: where the heights begin
ROOM = 1.04  # of the largest number that an axis reaches, so that no mark is cut


def draw_curves(
    axes: "matplotlib.axes.Axes",
    curves: Mapping[str, Curve],
    *,
    across: str,
    up: str,
    mark: tuple[Number, str] | None = None,
    level: tuple[Number, str] | None = None,
) -> None:
    """Draw named curves over one axis; ``across`` and ``up`` say what the axes count.

    A height that is NaN leaves a gap. ``mark`` is a place across, ``level`` a height, each with
    what it is.
    """
    _check(curves)
    names = [readable(name) for name in curves]
    fonts = choose_fonts([*names, readable(across), readable(up)])
    for place, (name, curve) in enumerate(zip(names, curves.values(), strict=True)):
        points = sorted(curve.items())
        axes.plot(
            [where for where, _ in points],
            [height for _, height in points],
            label=fonts.drawable(name),
            color=COLOURS[place % len(COLOURS)],
            linestyle=LINES[place % len(LINES)],
            marker=MARKS[place % len(MARKS)],
            markersize=4,
            markevery=max(1, len(points) // MARKED),
            linewidth=1.6,
        )
    if mark is not None:
        axes.axvline(mark[0], color="0.7", linewidth=1.0, label=mark[1], zorder=0)
    if level is not None:
        axes.axhline(level[0], color="black", linewidth=1.0, linestyle=(0, (1, 2)), label=level[1])
    finish(axes, fonts, across, up, above=0 if level is None else FAR * level[0])


def finish(
    axes: "matplotlib.axes.Axes", fonts: Fonts, across: str, up: str, *, above: Number = 0
) -> None:
    """Name the axes, begin them at zero or at ``above``, and say which line or mark is whose."""
    style: dict[str, Any] = {"fontsize": 9, "parse_math": False, "fontfamily": fonts.families}
    axes.set_xlabel(fonts.drawable(readable(across)), **style)
    axes.set_ylabel(fonts.drawable(readable(up)), **style)
    right, top = axes.dataLim.x1, axes.dataLim.y1
    axes.set_xlim(0, max(axes.get_xlim()[1], ROOM * right))
    axes.set_ylim(min(above, axes.get_ylim()[0]), max(axes.get_ylim()[1], ROOM * top))
    axes.grid(color="0.92", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)
    legend = axes.legend(frameon=False, prop={"family": fonts.families, "size": 8})
    for text in legend.get_texts():
        text.set_parse_math(False)


def _check(curves: Mapping[str, Curve]) -> None:
    if not curves:
        raise ValueError("there is no curve to draw: curves gives each model's scores by its name")
    for name, curve in curves.items():
        if not curve:
            raise ValueError(f"the curve {name!r} has no point")
        if any(math.isinf(height) for height in curve.values()):
            raise ValueError(f"an infinite score has no place, but the curve {name!r} has one")
