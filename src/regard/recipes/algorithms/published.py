"""What the paper of the tape machine has of its tests.

Neural Turing Machines, Graves, Wayne, Danihelka 2014, https://arxiv.org/abs/1410.5401, prints few
numbers: those of curves are read off them, about as well as a curve can be read.
"""

from collections.abc import Mapping
from typing import NamedTuple

from regard.recipes.measured import Published

Known = Mapping[tuple[str, str], Published]  # by test and metric


class OfMachines(NamedTuple):
    """What is known of a task, by what remembers."""

    recurrent: Known  # an LSTM and a tape
    forward: Known  # a tape alone
    plain: Known  # LSTMs alone


def _bits(figure: str, values: Mapping[str, float], of: str = "") -> Known:
    note = f"the paper's number{of} is read off {figure}"
    return {(test, "bits per sequence"): Published(each, note) for test, each in values.items()}


def _said(test: str, what: str) -> Known:
    return {(test, "wrong bits"): Published(None, f"the paper has no number, but says: {what}")}


def _above(test: str, bits: float, best: float = 133.0) -> Known:
    """On other sequences than ours, which differ far more from each other than machines do."""
    note = (
        f"the paper's number is read off its figure 13: {bits:g} where the best guess has {best:g}"
    )
    return {(test, "bits above the best guess"): Published(bits - best, note)}


_CURVE = "its figure of more items than in training"
_UP_TO_20 = ", over lengths 1 to 20,"
_TWICE = _said("length 120", "right but for one vector that comes twice")
_UP_TO_10 = ", over lengths and times 1 to 10,"
_COUNTING = {
    **_bits("its figure 7", {"length 10, 10 times": 0.0}, _UP_TO_10),
    **_said("length 10, 20 times", "from about 11 times on the end is told after every one"),
}

COPY = OfMachines(
    {**_bits("its figure 3", {"length 20": 0.0}, _UP_TO_20), **_TWICE},
    {**_bits("its figure 3", {"length 20": 0.0}, _UP_TO_20), **_TWICE},
    {
        **_bits("its figure 3", {"length 20": 0.5}, _UP_TO_20),
        **_said("length 120", "fails beyond 20"),
    },
)
REPEAT_COPY = OfMachines(
    _COUNTING, _COUNTING, _bits("its figure 7", {"length 10, 10 times": 0.0}, _UP_TO_10)
)
RECALL = OfMachines(
    _bits(_CURVE, {"6 items": 0.0, "10 items": 1.8, "15 items": 4.8, "20 items": 7.0}),
    {
        **_bits(_CURVE, {"6 items": 0.0, "10 items": 0.0, "20 items": 8.0}),
        ("15 items", "bits per sequence"): Published(1.0, "below 1, as the paper's text has it"),
    },
    _bits(_CURVE, {"6 items": 2.0, "10 items": 36.0, "15 items": 40.0, "20 items": 38.0}),
)
N_GRAMS = OfMachines(*(_above("200 bits", bits) for bits in (133.5, 134.0, 136.0)))
SORT = OfMachines(*(_bits("its figure 18", {"16 of 20": bits}) for bits in (18.0, 20.0, 58.0)))
