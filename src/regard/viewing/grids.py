"""All heads of all layers in one picture: layers down, heads across."""

import itertools
from typing import TYPE_CHECKING

from torch import Tensor

from regard.viewing.figures import empty_figure, put_colour_bar, put_title
from regard.viewing.labels import Words
from regard.viewing.panels import Scale, draw_cells

if TYPE_CHECKING:
    import matplotlib.figure

LARGE = 2.4  # inches of a map, where there are few
WIDE = 14.0  # inches of all maps side by side
READABLE = 4.0  # points of the smallest letters beside a map


def show_grid(
    weights: Tensor,
    rows: Words = None,
    columns: Words = None,
    *,
    title: str = "",
    scale: Scale = (0.0, 1.0),
) -> "matplotlib.figure.Figure":
    """Picture weights (layer, head, query, key): one small map for each layer and head.

    Words stand along the left and the top if there is room to read them. ``scale`` says which
    numbers are black and white, as in ``show``, for all maps alike.
    """
    if weights.dim() != 4 or weights.numel() == 0:
        raise ValueError(
            "a grid shows the weights of one example, (layer, head, query, key), but these have "
            f"the shape {tuple(weights.shape)}; show() takes one layer"
        )
    layers, heads, queries, keys = weights.shape
    cell = min(LARGE, WIDE / heads) / max(queries, keys)  # inches
    points = min(7.0, 0.7 * 72 * cell)
    worded = points >= READABLE
    size = (heads * (keys * cell + 0.1) + 1.6, layers * (queries * cell + 0.1) + 1.2)
    figure = empty_figure(size)
    places = figure.subplots(layers, heads, squeeze=False)
    for layer, head in itertools.product(range(layers), range(heads)):
        axes = places[layer, head]
        mesh = draw_cells(axes, weights[layer, head], rows, columns, scale=scale)
        mesh.set_linewidth(0.0)
        axes.set_aspect("equal")
        axes.tick_params(
            labelsize=points, labelleft=worded and head == 0, labeltop=worded and layer == 0
        )
        for label in axes.get_xticklabels():  # upright, so that they stay apart
            label.set(rotation=90, ha="left", va="center", rotation_mode="anchor")
        if layer == 0:
            axes.set_title(f"head {head}", fontsize=8)
        if head == 0:
            axes.set_ylabel(f"layer {layer}", fontsize=8)
    put_colour_bar(figure, mesh, places.ravel().tolist())
    put_title(figure, title)
    return figure
