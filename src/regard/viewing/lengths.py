"""How a score holds up as sentences grow longer."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from regard.viewing.fonts import choose_fonts
from regard.viewing.labels import readable

if TYPE_CHECKING:
    import matplotlib.axes

Number = int | float
Curve = Mapping[int, Number] | Mapping[float, Number]  # the score at each length

# Told apart without colour, too: by line and by mark. Okabe and Ito's colours suit every eye.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
LINES = ("-", "--", "-.", ":")
MARKS = ("o", "s", "^", "D", "v")


def draw_by_length(
    axes: "matplotlib.axes.Axes",
    curves: Mapping[str, Curve],
    *,
    longest_trained: Number | None = None,
    score: str = "BLEU",
) -> None:
    """Draw a score against the length of sentences, one named curve for each model.

    Figure 2 of Neural Machine Translation by Jointly Learning to Align and Translate, Bahdanau,
    Cho, Bengio 2015. https://arxiv.org/abs/1409.0473
    ``curves`` gives each model's score at each length, such as the last of a bucket. A score that
    is NaN leaves a gap. ``longest_trained`` marks the longest sentence that was trained on.
    """
    _check(curves)
    names = [readable(name) for name in curves]
    fonts = choose_fonts([*names, readable(score)])
    for place, (name, curve) in enumerate(zip(names, curves.values(), strict=True)):
        points = sorted(curve.items())
        axes.plot(
            [length for length, _ in points],
            [height for _, height in points],
            label=fonts.drawable(name),
            color=COLOURS[place % len(COLOURS)],
            linestyle=LINES[place % len(LINES)],
            marker=MARKS[place % len(MARKS)],
            markersize=4,
            linewidth=1.6,
        )
    if longest_trained is not None:
        label = f"longest in training: {longest_trained:g}"
        axes.axvline(longest_trained, color="0.7", linewidth=1.0, label=label, zorder=0)
    axes.set_xlabel("length of the sentence in words", fontsize=9)
    axes.set_ylabel(
        fonts.drawable(readable(score)), fontsize=9, parse_math=False, fontfamily=fonts.families
    )
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
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
            raise ValueError(f"the curve {name!r} has no point; it gives a score for each length")
        if any(not length >= 0 or math.isinf(length) for length in curve):
            raise ValueError(
                f"lengths are numbers of words, 0 or more, but the curve {name!r} has "
                f"{sorted(curve, key=str)}"
            )
        if any(math.isinf(score) for score in curve.values()):
            raise ValueError(f"an infinite score has no place, but the curve {name!r} has one")
