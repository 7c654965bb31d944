"""Dots, one for each run, told apart by kind in any print."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from regard.viewing.curves import COLOURS, MARKS, finish
from regard.viewing.fonts import choose_fonts
from regard.viewing.labels import readable

if TYPE_CHECKING:
    import matplotlib.axes


def draw_dots(
    axes: "matplotlib.axes.Axes",
    dots: Mapping[str, Sequence[tuple[float, float]]],
    *,
    across: str,
    up: str,
) -> None:
    """Draw named groups of places; ``across`` and ``up`` say what the axes count.

    Their names stand beside the axes, where no mark of theirs can be taken for a dot.
    """
    if not any(dots.values()):
        raise ValueError("there is no dot to draw: dots gives each group's places by its name")
    names = [readable(name) for name in dots]
    fonts = choose_fonts([*names, readable(across), readable(up)])
    for number, (name, places) in enumerate(zip(names, dots.values(), strict=True)):
        axes.plot(
            [place for place, _ in places],
            [height for _, height in places],
            label=fonts.drawable(name),
            color=COLOURS[number % len(COLOURS)],
            marker=MARKS[number % len(MARKS)],
            markersize=6,
            alpha=0.8,
            linestyle="none",
        )
    finish(axes, fonts, across, up)
    legend = axes.get_legend()
    if legend is not None:
        legend.set_loc("upper left")
        legend.set_bbox_to_anchor((1.0, 1.0))
