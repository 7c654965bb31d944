"""Curves of runs: a level that nothing is below, and marks that do not hide the line."""

import pytest
from matplotlib.figure import Figure

from regard.viewing import draw_curves

NAMES = {"across": "examples", "up": "bits"}


@pytest.fixture
def axes():
    return Figure(figsize=(4, 3)).add_subplot()


def test_heights_begin_just_below_a_level_that_is_named(axes):
    draw_curves(axes, {"run": {1: 180.0, 2: 140.0}}, level=(133.0, "the best"), **NAMES)
    line = axes.get_lines()[-1]
    assert line.get_ydata() == [133.0, 133.0]
    assert axes.get_ylim()[0] == pytest.approx(0.95 * 133)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["run", "the best"]


def test_without_a_level_heights_begin_at_zero(axes):
    draw_curves(axes, {"run": {1: 180.0, 2: 140.0}}, **NAMES)
    assert axes.get_ylim()[0] == 0


@pytest.mark.parametrize("points", [3, 20, 400])
def test_long_curves_have_some_marks_only(axes, points):
    draw_curves(axes, {"run": dict.fromkeys(range(points), 1.0)}, **NAMES)
    every = axes.get_lines()[0].get_markevery()
    assert len(axes.get_lines()[0].get_xdata()) == points
    assert len(range(0, points, every)) in (points, 20)
