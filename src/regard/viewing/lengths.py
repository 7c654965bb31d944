"""How a score holds up as sentences grow longer."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from regard.viewing.curves import Curve, Number, draw_curves

if TYPE_CHECKING:
    import matplotlib.axes


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
    for name, curve in curves.items():
        if any(not length >= 0 or math.isinf(length) for length in curve):
            raise ValueError(
                f"lengths are numbers of words, 0 or more, but the curve {name!r} has "
                f"{sorted(curve, key=str)}"
            )
    mark = None
    if longest_trained is not None:
        mark = longest_trained, f"longest in training: {longest_trained:g}"
    draw_curves(axes, curves, across="length of the sentence in words", up=score, mark=mark)
