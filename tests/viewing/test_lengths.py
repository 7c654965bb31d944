"""A score against the length of sentences: one curve per model, told apart in any print."""

import math

import pytest
from matplotlib.figure import Figure

from regard.viewing import draw_by_length, save

CURVES = {"search": {10: 20.0, 30: 25.0, 20: 24.0}, "fixed": {10: 18.0, 20: 12.0, 30: math.nan}}


@pytest.fixture
def axes():
    return Figure(figsize=(4, 3)).add_subplot()


def test_each_model_is_a_curve_of_its_scores_in_order_of_length(axes):
    draw_by_length(axes, CURVES)
    search, fixed = axes.get_lines()
    assert search.get_xydata().tolist() == [[10, 20], [20, 24], [30, 25]]
    assert fixed.get_xydata()[:2].tolist() == [[10, 18], [20, 12]]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["search", "fixed"]


def test_curves_are_told_apart_without_colour(axes):
    draw_by_length(axes, {str(place): {10: place} for place in range(12)})
    looks = {(line.get_linestyle(), line.get_marker()) for line in axes.get_lines()}
    assert len(looks) == 12


def test_the_longest_trained_length_is_marked_and_named(axes):
    draw_by_length(axes, CURVES, longest_trained=50)
    assert axes.get_lines()[-1].get_xdata() == [50, 50]
    assert "longest in training: 50" in [one.get_text() for one in axes.get_legend().get_texts()]


def test_the_score_begins_at_zero_unless_it_is_below(axes):
    draw_by_length(axes, CURVES)
    assert axes.get_ylim()[0] == 0
    below = Figure().add_subplot()
    draw_by_length(below, {"loss": {1: -3.0, 2: 4.0}})
    assert below.get_ylim()[0] <= -3


def test_names_that_look_like_formulas_are_shown_as_they_are(axes, tmp_path):
    draw_by_length(axes, {"$\\frac{$": {1: 2}}, score="$\\frac{$")
    save(axes.figure, tmp_path / "lengths.png")
    assert axes.get_ylabel() == "$\\frac{$"


@pytest.mark.parametrize(
    ("curves", "message"),
    [
        ({}, "no curve to draw"),
        ({"a": {}}, "the curve 'a' has no point"),
        ({"a": {-1: 2.0}}, r"0 or more, but the curve 'a' has \[-1\]"),
        ({"a": {math.nan: 2.0}}, "0 or more"),
        ({"a": {1: math.inf}}, "infinite score has no place, but the curve 'a'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(axes, curves, message):
    with pytest.raises(ValueError, match=message):
        draw_by_length(axes, curves)
