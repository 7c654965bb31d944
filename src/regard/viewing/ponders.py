"""How long a network thought about each input of a sequence, and what each step weighed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxtyping import Float
from torch import Tensor

from regard.viewing.figures import empty_figure, put_title
from regard.viewing.fonts import choose_fonts
from regard.viewing.labels import side
from regard.viewing.sheets import Sheet

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

LEVEL = 7  # letters of a word that still stands level below its input
LETTERS = 150  # of all words together that there is room for
SHORTEST = 14  # letters of a word that are always shown


@dataclass(frozen=True, eq=False, kw_only=True)
class PonderSheet(Sheet):
    """One sequence of a network that ponders: as a sheet what each step on each input weighs.

    ``weights`` is (input, step). ``hard`` says how hard each input is and ``unit`` in what that is
    counted, such as digits.
    """

    words: Sequence[str]  # of the inputs
    ponder: Float[Tensor, " input"]  # rho = N + R
    hard: Float[Tensor, " input"] | None = None
    unit: str = ""


def show_ponder(sheet: PonderSheet) -> "matplotlib.figure.Figure":
    """Above the ponder of each input, below what each step on it weighs; inputs go to the right.

    The upper half is figures 15 and 20 of Adaptive Computation Time for Recurrent Neural Networks,
    Graves 2016 (https://arxiv.org/abs/1603.08983): a black line for the ponder and a grey one for
    how hard the input is. In the lower half black is 0 and white the largest weight, which is told.
    """
    weights = sheet.weights.detach().float().cpu()
    inputs, steps = weights.shape
    largest = float(weights.max())
    width = max(3.6, min(9.0, 0.45 * inputs + 2.0))
    figure = empty_figure((width, 4.2))
    figure.set_layout_engine("constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    _lines(above, sheet)
    below.imshow(
        weights.mT.numpy(),
        cmap="gray",
        vmin=0.0,
        vmax=largest,
        aspect="auto",
        interpolation="nearest",
        extent=(0, inputs, steps + 0.5, 0.5),
    )
    below.set_title(f"what each step weighs (white: {largest:.2f})", fontsize=8, loc="left")
    below.set_ylabel("step", fontsize=9)
    below.yaxis.get_major_locator().set_params(integer=True)
    below.tick_params(labelsize=8)
    _words(below, sheet)
    put_title(figure, sheet.title)
    return figure


def _lines(axes: "matplotlib.axes.Axes", sheet: PonderSheet) -> None:
    style: dict[str, Any] = {"baseline": None, "linewidth": 1.8}
    edges = range(len(sheet.ponder) + 1)
    if sheet.hard is not None:
        axes.stairs(sheet.hard.tolist(), edges, color="0.65", label=sheet.unit, **style)
    ponder = sheet.ponder.detach().float().cpu().tolist()
    axes.stairs(ponder, edges, color="black", label="ponder", **style)
    axes.set_ylim(bottom=0, top=1.15 * axes.dataLim.y1)
    axes.set_ylabel("steps + remainder", fontsize=9)
    axes.grid(axis="y", color="0.92", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)
    axes.legend(frameon=False, fontsize=8, ncols=2, loc="lower right", bbox_to_anchor=(1, 1))


def _words(axes: "matplotlib.axes.Axes", sheet: PonderSheet) -> None:
    """Below each input its word, slanted where words are long."""
    given = side("words", sheet.words, len(sheet.ponder)).words
    most = max(SHORTEST, LETTERS // len(given))
    words = [word if len(word) <= most else f"{word[: most - 1]}…" for word in given]
    fonts = choose_fonts(words)
    places = [place + 0.5 for place in range(len(words))]
    long = max(map(len, words)) > LEVEL or len(words) > 2 * LEVEL
    style: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    axes.set_xticks(
        places,
        [fonts.drawable(word) for word in words],
        fontsize=7 if long else 8,
        fontfamily=fonts.families,
        parse_math=False,
        **(style if long else {}),
    )
    axes.set_xlabel("input", fontsize=9)
