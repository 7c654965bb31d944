"""The picture of a tape: the paper's six panels, cut where nothing happened."""

import numpy as np
import pytest
import torch

from regard.viewing import TapeSheet, save, show_tape

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


def panels(figure):
    """What is drawn under each title, rows downwards and time to the right."""
    return {axes.get_title(loc="left"): axes.images[0].get_array() for axes in figure.axes}


def test_the_diagonals_of_writing_and_reading_coincide(sheet):
    drawn = panels(show_tape(sheet))
    assert list(drawn) == ["inputs", "outputs", "adds", "reads", "write weights", "read weights"]
    written, read = drawn["write weights"], drawn["read weights"]
    assert written.shape == (4, 4)  # slots 9 to 12, the four steps before the answers
    assert read.shape == (4, 3)
    assert np.array_equal(written[1:, :3], np.eye(3))
    assert np.array_equal(read[1:], np.eye(3))


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
    drawn = panels(show_tape(always))
    assert drawn["write weights"].shape == drawn["read weights"].shape == (4, STEPS)


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


def test_it_is_saved(sheet, tmp_path):
    assert save(show_tape(sheet), tmp_path / "tape.png").stat().st_size > 1_000
