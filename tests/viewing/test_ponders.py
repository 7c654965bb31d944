"""Pictures of pondering: the line of one sequence, and the dots of runs."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from matplotlib.figure import Figure

from regard.viewing import PonderSheet, draw_dots, save, show_ponder
from regard.viewing.figures import empty_figure


@pytest.fixture
def sheet():
    """Three inputs, of which the second took three steps."""
    weights = torch.tensor([[0.9, 0.1, 0.0], [0.3, 0.3, 0.4], [1.0, 0.0, 0.0]])
    return PonderSheet(
        "addition, 1+234+5",
        weights,
        words=["1", "234", "5"],
        ponder=torch.tensor([2.1, 3.4, 2.0]),
        hard=torch.tensor([1.0, 3.0, 1.0]),
        unit="digits",
    )


def test_black_is_the_ponder_and_grey_is_how_hard_it_was(sheet):
    above, _ = show_ponder(sheet).axes
    hard, ponder = above.patches
    assert np.allclose(ponder.get_data().values, [2.1, 3.4, 2.0])
    assert hard.get_data().values.tolist() == [1.0, 3.0, 1.0]
    assert ponder.get_data().edges.tolist() == [0, 1, 2, 3]
    assert ponder.get_edgecolor()[:3] == (0, 0, 0)
    assert len(set(hard.get_edgecolor()[:3])) == 1
    assert [text.get_text() for text in above.get_legend().get_texts()] == ["digits", "ponder"]


def test_below_stands_what_each_step_weighs_under_its_input(sheet):
    figure = show_ponder(sheet)
    below = figure.axes[1]
    assert np.array_equal(below.images[0].get_array(), sheet.weights.mT)
    assert below.images[0].get_extent() == [0, 3, 3.5, 0.5]
    assert [text.get_text() for text in below.get_xticklabels()] == ["1", "234", "5"]
    assert below.get_xticks().tolist() == [0.5, 1.5, 2.5]
    assert "white: 1.00" in below.get_title(loc="left")


def test_without_a_difficulty_there_is_one_line(sheet):
    above, _ = show_ponder(replace(sheet, hard=None)).axes
    assert len(above.patches) == 1


def test_long_words_are_slanted(sheet):
    words = ["1", "a word too long to stand", "5"]
    labels = show_ponder(replace(sheet, words=words)).axes[1].get_xticklabels()
    assert labels[1].get_text() == "a word too long to stand"  # there is room for three
    assert {label.get_rotation() for label in labels} == {45}


def test_words_of_many_inputs_keep_fourteen_letters():
    many = PonderSheet(
        "many", torch.ones(13, 2) / 2, words=["abcdefghijklmnopq"] * 13, ponder=torch.ones(13)
    )
    labels = show_ponder(many).axes[1].get_xticklabels()
    assert {label.get_text() for label in labels} == {"abcdefghijklm…"}


def test_the_axis_says_that_ponder_is_steps_and_remainder(sheet):
    assert show_ponder(sheet).axes[0].get_ylabel() == "steps + remainder"


def test_no_dot_is_cut_at_the_edge():
    axes = Figure().add_subplot()
    draw_dots(axes, {"one": [(7.6, 12.0)], "another": [(6.8, 11.9)]}, across="a", up="b")
    assert axes.get_xlim()[1] >= 1.04 * 7.6
    assert axes.get_ylim()[1] >= 1.04 * 12.0


def test_a_word_is_wanted_for_each_input(sheet):
    with pytest.raises(ValueError, match="words must give one word for each of the 3"):
        show_ponder(replace(sheet, words=["1"]))


def test_words_that_look_like_formulas_are_shown_as_they_are(sheet, tmp_path):
    path = save(show_ponder(replace(sheet, words=["$\\frac{$"] * 3)), tmp_path / "ponder.png")
    assert path.stat().st_size > 1_000


def test_every_run_is_a_dot_and_kinds_differ_without_colour():
    axes = Figure().add_subplot()
    draw_dots(axes, {"a": [(1.0, 50.0), (2.0, 30.0)], "b": [(3.0, 4.0)]}, across="x", up="y")
    first, second = axes.get_lines()
    assert first.get_xydata().tolist() == [[1, 50], [2, 30]]
    assert second.get_xydata().tolist() == [[3, 4]]
    assert first.get_marker() != second.get_marker()
    assert first.get_linestyle() == "None"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "y")


def test_names_of_dots_stand_beside_the_axes():
    figure = empty_figure((6.5, 3.6))
    axes = figure.add_subplot()
    draw_dots(axes, {"a": [(1.0, 50.0)], "b": [(3.0, 4.0)]}, across="x", up="y")
    figure.draw_without_rendering()
    legend = axes.get_legend().get_window_extent()
    assert axes.get_window_extent().x1 <= legend.x0
    assert legend.x1 <= figure.bbox.x1


def test_no_dots_are_refused():
    with pytest.raises(ValueError, match="no dot to draw"):
        draw_dots(Figure().add_subplot(), {"a": []}, across="x", up="y")
