"""What each hop over a story looked at: its sentences, a column for each hop, the answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from regard.viewing.figures import empty_figure
from regard.viewing.fonts import choose_fonts
from regard.viewing.labels import readable
from regard.viewing.sheets import Sheet

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

LETTERS = 64  # of a sentence, at most
LINE, LETTER, CELL = 0.26, 0.082, 0.62  # inches: a row, a letter, the width of a hop


@dataclass(frozen=True, eq=False, kw_only=True)
class StorySheet(Sheet):
    """One question over a story: as a sheet, the weight of each sentence (row) in each hop.

    ``supporting`` are the places of the sentences that lead to the answer, where they are known.
    """

    reading: ClassVar[str] = "A row is a sentence, a column is a look at it"
    arrow: ClassVar[str] = "\u2190"

    question: str
    answer: str
    supporting: Sequence[int] = ()


def show_story(sheet: StorySheet) -> "matplotlib.figure.Figure":
    """The sentences one below the other, and beside each how much every hop looked at it.

    As figure 2 of End-To-End Memory Networks, Sukhbaatar, Szlam, Weston, Fergus 2015
    (https://arxiv.org/abs/1503.08895), and table 4 of its sort in Ask Me Anything, Kumar et al.
    2016: the darker, the more; sentences that lead to the answer are bold, where they are known.
    """
    weights = sheet.weights.detach().float().cpu()
    sentences = [_short(sentence) for sentence in sheet.rows or map(str, range(len(weights)))]
    asked = _short(f"{sheet.question} {sheet.answer}")
    fonts = choose_fonts([*sentences, asked])
    left = LETTER * max(map(len, (*sentences, asked))) + 0.2
    hops = weights.shape[1]
    width, height = left + CELL * hops + 0.15, LINE * (len(sentences) + 3)
    figure = empty_figure((width, height))
    figure.set_layout_engine("none")
    grid = figure.add_axes((left / width, 2 * LINE / height, CELL * hops / width,
                            LINE * len(sentences) / height))  # fmt: skip
    grid.imshow(weights.numpy(), cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto")
    _label(grid, sheet, hops)
    for row, sentence in enumerate(sentences):
        grid.text(
            -0.02 * 3 / hops, 1 - (row + 0.5) / len(sentences), fonts.drawable(sentence),
            transform=grid.transAxes, ha="right", va="center", fontsize=9, parse_math=False,
            fontfamily=fonts.families, weight="bold" if row in sheet.supporting else "normal",
        )  # fmt: skip
        for hop in range(hops):
            share = float(weights[row, hop])
            grid.text(
                hop, row, f"{share:.2f}", ha="center", va="center", fontsize=8,
                color="white" if share > 0.55 else "0.25",
            )  # fmt: skip
    figure.text(
        0.1 / width, LINE / height, fonts.drawable(asked), fontsize=10, va="center",
        fontfamily=fonts.families, parse_math=False,
    )  # fmt: skip
    return figure


def _label(grid: "matplotlib.axes.Axes", sheet: StorySheet, hops: int) -> None:
    names = sheet.columns or [f"hop {hop}" for hop in range(1, hops + 1)]
    grid.xaxis.tick_top()
    grid.set_xticks(range(hops), list(names), fontsize=9)
    grid.set_yticks([])
    grid.tick_params(length=0)
    for side in grid.spines.values():
        side.set_color("0.8")


def _short(text: str) -> str:
    visible = "".join(letter if letter.isprintable() else readable(letter) for letter in text)
    return visible if len(visible) <= LETTERS else f"{visible[: LETTERS - 1]}…"
