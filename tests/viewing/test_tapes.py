"""The picture of a tape: the paper's six panels, cut where nothing happened."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from regard.viewing import Mark, Supposed, TapeSheet, save, show_tape
from regard.viewing.tapes import UNSEEN, _slot_ticks

STEPS, SLOTS = 7, 30


@pytest.fixture
def sheet():
    """Three vectors written to slots 10, 11, 12 and read back; a delimiter between."""
    weights = torch.zeros(2, STEPS, SLOTS)
    for step, slot in enumerate((10, 11, 12, 12, 12, 12, 12)):
        weights[0, step, slot] = 1  # writes
    for step, slot in enumerate((9, 9, 9, 9, 10, 11, 12)):
        weights[1, step, slot] = 1  # reads
    counts = torch.arange(STEPS) > 3
    inputs = torch.eye(STEPS, 4)
    return TapeSheet(
        "copy, 3", weights, inputs=inputs, outputs=inputs.flip(0), counts=counts,
        added=torch.randn(STEPS, 5), read=torch.randn(STEPS, 5),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("band", "ticks"),
    [
        ([10, 11, 12], {0: "10", 2: "12"}),
        ([*range(90, 128), *range(20)], {0: "90", 57: "19", 37.5: "127|0"}),
        ([*range(88, 128), 0], {0: "88", 39.5: "127|0"}),
        ([127, *range(40)], {40: "39", 0.5: "127|0"}),
    ],
)
def test_the_axis_says_where_the_tape_goes_round_its_end(band, ticks):
    assert _slot_ticks(band) == ticks


def panels(figure):
    """What is drawn under each title, rows downwards and time to the right."""
    return {axes.get_title(loc="left"): axes.images[0].get_array() for axes in figure.axes}


def test_the_diagonals_of_writing_and_reading_coincide(sheet):
    drawn = panels(show_tape(sheet))
    assert list(drawn) == ["inputs", "outputs", "adds", "reads", "write weights", "read weights"]
    written, read = drawn["write weights"], drawn["read weights"]
    assert written.shape == (3, 4)  # slots 10 to 12, the four steps before the answers
    assert read.shape == (3, 3)
    assert np.array_equal(written[:, :3], np.eye(3))
    assert np.array_equal(read, np.eye(3))


def test_panels_show_the_steps_that_are_theirs(sheet):
    drawn = panels(show_tape(sheet))
    assert np.array_equal(drawn["inputs"], sheet.inputs[:4].mT)
    assert np.array_equal(drawn["outputs"], sheet.outputs[4:].mT)
    assert np.array_equal(drawn["reads"], sheet.read[4:].mT)
    assert drawn["adds"].shape == (5, 4)


def test_where_every_step_is_answered_both_sides_have_them_all(sheet):
    always = TapeSheet(
        "foretell", sheet.weights, inputs=sheet.inputs, outputs=sheet.outputs,
        counts=torch.ones(STEPS, dtype=torch.bool), added=sheet.added, read=sheet.read,
    )  # fmt: skip
    figure = show_tape(always)
    drawn = panels(figure)
    assert list(drawn) == ["adds", "write weights", "predictions", "inputs", "read weights"]
    assert drawn["write weights"].shape == drawn["read weights"].shape == (4, STEPS)
    lefts = {round(axes.get_position().x0, 6) for axes in figure.axes}
    assert len(lefts) == 1  # below each other


def test_several_heads_are_laid_over_each_other(sheet):
    twice = torch.cat([sheet.weights[:1], 0 * sheet.weights[:1], sheet.weights[1:] / 2])
    twice = torch.cat([twice, sheet.weights[1:] / 2])  # two that write, two that read
    double = TapeSheet(
        "copy", twice, inputs=sheet.inputs, outputs=sheet.outputs, counts=sheet.counts,
        added=sheet.added, read=sheet.read,
    )  # fmt: skip
    for one, other in zip(
        panels(show_tape(sheet)).values(), panels(show_tape(double)).values(), strict=True
    ):
        assert np.array_equal(one, other)


def axes_of(figure, name):
    return next(axes for axes in figure.axes if axes.get_title(loc="left") == name)


def test_a_band_may_go_round_the_tape(sheet):
    """Slots 29, 0 and 1: the long stretch between them is left out, whatever their numbers."""
    weights = sheet.weights.roll(SLOTS - 11, dims=-1)  # from 10, 11, 12 to 29, 0, 1
    figure = show_tape(replace(sheet, weights=weights))
    assert np.array_equal(
        panels(figure)["write weights"], panels(show_tape(sheet))["write weights"]
    )
    labels = [text.get_text() for text in axes_of(figure, "read weights").get_yticklabels()]
    assert labels == ["29", "1", "29|0"]


def test_a_tape_that_was_used_whole_begins_at_its_beginning(sheet):
    figure = show_tape(replace(sheet, weights=torch.full_like(sheet.weights, 1 / SLOTS)))
    assert panels(figure)["write weights"].shape == (SLOTS, 4)
    labels = [text.get_text() for text in axes_of(figure, "write weights").get_yticklabels()]
    assert labels == ["0", str(SLOTS - 1)]


def test_heads_that_are_everywhere_at_once_do_not_keep_the_tape_from_being_rolled(sheet):
    weights = sheet.weights.roll(SLOTS - 11, dims=-1)
    dim = torch.full((4, STEPS, SLOTS), UNSEEN / 2)  # together twice as much as is to be seen
    several = torch.cat([weights[:1], dim, weights[1:], dim])
    figure = show_tape(replace(sheet, weights=several))
    assert panels(figure)["write weights"].shape == (3, 4)
    labels = [text.get_text() for text in axes_of(figure, "write weights").get_yticklabels()]
    assert labels == ["29", "1", "29|0"]


def test_only_the_steps_that_are_shown_decide_on_the_band(sheet):
    weights = sheet.weights.clone()
    weights[0, 5] = torch.eye(SLOTS)[20]  # a write while the answer is given
    drawn = panels(show_tape(replace(sheet, weights=weights)))
    assert drawn["write weights"].shape == (3, 4)


def test_marked_steps_are_framed_in_the_panels_that_have_them_and_named_once(sheet):
    marks = [Mark("asked", 1, 2), Mark("answer", 2, 5), Mark("all", 4, 6)]
    figure = show_tape(replace(sheet, marks=marks))
    frames = {
        axes.get_title(loc="left"): [
            (patch.get_x() + 0.5, patch.get_width()) for patch in axes.patches
        ]
        for axes in figure.axes
    }
    left, right = [(1, 2), (2, 2)], [(0, 2)]  # "all" are all answers, which says nothing
    assert frames["inputs"] == frames["adds"] == frames["write weights"] == left
    assert frames["outputs"] == frames["reads"] == frames["read weights"] == right
    named = [axes.get_legend() for axes in figure.axes if axes.get_legend() is not None]
    assert [text.get_text() for text in named[0].get_texts()] == ["asked", "answer"]
    assert len(named) == 1
    styles = {patch.get_linestyle() for patch in axes_of(figure, "inputs").patches}
    assert len(styles) == 2  # told apart in grey, too


def test_a_single_step_is_pointed_at(sheet):
    figure = show_tape(replace(sheet, marks=[Mark("here", 5, 5)]))
    assert [line.get_xdata()[0] for line in axes_of(figure, "outputs").get_lines()] == [1]
    assert axes_of(figure, "inputs").get_lines() == []


def test_supposed_writes_stand_beside_the_writes(sheet):
    supposed = torch.zeros(STEPS, SLOTS)
    supposed[:4, 12] = 1
    drawn = panels(show_tape(replace(sheet, supposed=Supposed("by priority", supposed))))
    assert list(drawn)[-3:] == ["by priority", "write weights", "read weights"]
    assert np.array_equal(drawn["by priority"][2], np.ones(4))
    assert not drawn["by priority"][:2].any()


def test_rows_that_leave_zero_to_one_have_their_zero_in_grey(sheet):
    inputs = sheet.inputs.clone()
    inputs[:4, 3] = torch.tensor([-0.8, 0.0, 0.4, 0.2])
    drawn = panels(show_tape(replace(sheet, inputs=inputs)))["inputs"]
    assert np.allclose(drawn[3], [0.0, 0.5, 0.75, 0.625])
    assert np.array_equal(drawn[:3], inputs[:4, :3].mT)


def test_it_is_saved(sheet, tmp_path):
    assert save(show_tape(sheet), tmp_path / "tape.png").stat().st_size > 1_000


@pytest.mark.parametrize(("by", "label"), [(0, "slot"), (-11, "slot, round the end")])
def test_slots_that_go_round_the_end_of_the_tape_are_said_to(sheet, by, label):
    figure = show_tape(replace(sheet, weights=sheet.weights.roll(by, dims=-1)))
    written = next(axes for axes in figure.axes if axes.get_title(loc="left") == "write weights")
    assert written.get_ylabel() == label
