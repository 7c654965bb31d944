"""Whole pictures: a panel for each head, or for each example of a mask."""

import importlib.util
import math
from typing import TYPE_CHECKING

from torch import Tensor

from regard.recording import Looks
from regard.viewing.fonts import choose_fonts
from regard.viewing.labels import LONGEST, Side, Words, readable, side
from regard.viewing.panels import Scale, draw, draw_mask, is_small

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.collections
    import matplotlib.figure

ACROSS = 4  # panels side by side before the next line begins
GAP = 0.35  # inches between panels
LETTERS_TO_AN_INCH = 11  # of a title


def show(
    weights: Tensor | Looks,
    rows: Words = None,
    columns: Words = None,
    *,
    title: str = "",
    scale: Scale = (0.0, 1.0),
) -> "matplotlib.figure.Figure":
    """Picture weights: a bright cell means that its query (row) looked at its key (column).

    ``weights`` is (query, key), or (head, query, key) with one panel per head, or what ``record``
    kept of one module. Leading axes of one are passed over. ``rows`` and ``columns`` are the words
    of the queries and keys. ``scale`` says which numbers are black and white; for long sequences,
    whose weights are all small, a lower second number shows more.
    """
    axes_names = weights.axes if isinstance(weights, Looks) else ("head", "query", "key")
    tensor = weights.weights if isinstance(weights, Looks) else weights
    panels = _panels(tensor, axes_names)
    figure, places = _lay_out(panels, rows, columns, title, _name(axes_names, panels))
    for place, panel in zip(places, panels, strict=True):
        mesh = draw(place, panel, rows, columns, scale=scale)
    _label_outside(places, axes_names[-2], axes_names[-1])
    if not is_small(panels):
        put_colour_bar(figure, mesh, places)
    return figure


def show_mask(
    mask: Tensor, rows: Words = None, columns: Words = None, *, title: str = ""
) -> "matplotlib.figure.Figure":
    """Picture a mask: a bright cell means that its query (row) may attend to its key (column).

    ``mask`` is (query, key), or (batch, query, key) with one panel per example.
    """
    names = ("example", "query", "key")
    panels = _panels(mask, names)
    figure, places = _lay_out(panels, rows, columns, title, _name(names, panels))
    for place, panel in zip(places, panels, strict=True):
        draw_mask(place, panel, rows, columns)
    _label_outside(places, "query", "key")
    return figure


def _panels(tensor: Tensor, names: tuple[str, ...]) -> Tensor:
    """Find the matrices to draw, (panel, query, key), or say why it is not clear which they are."""
    shape = tuple(tensor.shape)
    known = f" (axes {', '.join(names)})" if len(names) == len(shape) else ""
    kept = tensor
    while kept.dim() > 2 and kept.shape[0] == 1:
        kept = kept[0]
    batch = kept.dim() == 3 and len(names) == len(shape) and names[-3].startswith("batch")
    if kept.dim() not in (2, 3) or batch:
        raise ValueError(
            "a picture shows one example: weights (query, key) or (head, query, key), a mask "
            f"(query, key) or (batch, query, key), but this has the shape {shape}{known}; "
            "pick one, such as weights[0]"
        )
    if kept.numel() == 0:
        raise ValueError(f"there is nothing to draw in a tensor of shape {shape}{known}")
    return kept if kept.dim() == 3 else kept.unsqueeze(0)


def _name(names: tuple[str, ...], panels: Tensor) -> str:
    return names[-3] if len(panels) > 1 and len(names) > 2 else ""


def _lay_out(
    panels: Tensor, rows: Words, columns: Words, title: str, name: str
) -> tuple["matplotlib.figure.Figure", "list[matplotlib.axes.Axes]"]:
    """Make an empty figure as large as its panels and words need, with a place for each panel."""
    count, queries, keys = panels.shape
    down, across = side("rows", rows, queries), side("columns", columns, keys)
    wide = min(count, ACROSS)
    high = math.ceil(count / wide)
    figure = empty_figure(_size(down, across, wide, high))
    places = [figure.add_subplot(high, wide, number + 1) for number in range(count)]
    for number, place in enumerate(places):
        if name:
            place.set_title(f"{name} {number}", fontsize=9)
    put_title(figure, title)
    return figure, places


def empty_figure(inches: tuple[float, float]) -> "matplotlib.figure.Figure":
    """Make a figure that needs no display, or say what is missing to do so."""
    if importlib.util.find_spec("matplotlib") is None:
        raise ModuleNotFoundError(
            'drawing needs matplotlib, which comes with the extra: pip install "regard[view]"',
            name="matplotlib",
        )
    from matplotlib.figure import Figure

    return Figure(figsize=inches, layout="compressed")


def put_title(figure: "matplotlib.figure.Figure", title: str) -> None:
    """Write a title, if there is one, letter by letter as it is."""
    if title:
        across = int(figure.get_figwidth() * LETTERS_TO_AN_INCH)
        shown = readable(title, max(across, LONGEST))
        fonts = choose_fonts([shown])
        figure.suptitle(
            fonts.drawable(shown), fontsize=11, parse_math=False, fontfamily=fonts.families
        )


def put_colour_bar(
    figure: "matplotlib.figure.Figure",
    mesh: "matplotlib.collections.QuadMesh",
    places: "list[matplotlib.axes.Axes]",
) -> None:
    """Say beside the panels which number each grey stands for."""
    bar = figure.colorbar(mesh, ax=places, shrink=0.6, aspect=30)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=7)


def _size(down: Side, across: Side, wide: int, high: int) -> tuple[float, float]:
    width = wide * (across.length + GAP) + down.reach + 1.2  # the rest: names of axes, colour bar
    height = high * (down.length + GAP) + across.reach + 0.9  # the rest: title and names
    return width, height


def _label_outside(places: "list[matplotlib.axes.Axes]", rows: str, columns: str) -> None:
    """Keep words and names of axes only along the left and the top of all panels together."""
    for number, place in enumerate(places):
        if number % ACROSS == 0:
            place.set_ylabel(rows, fontsize=8, color="0.35")
        else:
            place.tick_params(labelleft=False)
        if number < ACROSS:
            place.set_xlabel(columns, fontsize=8, color="0.35")
        else:
            place.tick_params(labeltop=False)
