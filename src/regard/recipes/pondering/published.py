"""What the paper of adaptive computation has of its tests.

Adaptive Computation Time for Recurrent Neural Networks, Graves 2016,
https://arxiv.org/abs/1603.08983, has bars and words instead of a table.
"""

from collections.abc import Mapping
from typing import NamedTuple

from regard.recipes.measured import Published

Known = Mapping[tuple[str, str], Published]  # by test and metric


class WithAndWithout(NamedTuple):
    """What is known of a task: of networks that ponder, and of those with one step to an input."""

    halting: Known
    steady: Known


def _wrong(test: str, value: float | None, note: str) -> Known:
    return {(test, "wrong sequences"): Published(value, f"the paper: {note}")}


_PARITY, _SORT = "64 numbers", "2 to 15 numbers"
_LOGIC, _ADDITION = "1 to 10 vectors of 1 to 10 gates", "1 to 5 terms of 1 to 5 digits"

PARITY = WithAndWithout(
    _wrong(_PARITY, 5.0, "below 5% in the mean, for time penalties of 0.03 or less"),
    _wrong(_PARITY, 40.0, "about 40%"),
)
LOGIC = WithAndWithout(
    _wrong(_LOGIC, 0.0, "about 0, for time penalties of 0.01 or less"),
    _wrong(_LOGIC, 20.0, "about 20%"),
)
ADDITION = WithAndWithout(
    _wrong(_ADDITION, 0.0, "solved with every time penalty"), _wrong(_ADDITION, None, "not solved")
)
SORT = WithAndWithout(
    _wrong(_SORT, 6.0, "about 6%, with nine times the computation"),
    _wrong(_SORT, 12.0, "about 12%"),
)
