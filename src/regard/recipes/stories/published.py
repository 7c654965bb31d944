"""The papers' own tables for bAbI, test errors in percent."""

from collections.abc import Mapping
from typing import NamedTuple

FAILED = 5.0  # percent of wrong answers above which a task is failed (Weston et al. 2015)


class Published(NamedTuple):
    """One column of a paper's table: the error of each task, their mean, the failed tasks."""

    by_task: Mapping[str, float]
    mean: float
    failed: int


NOTHING = Published({}, 0.0, 0)  # no task, so nothing to stand beside


def _column(text: str, mean: float, failed: int) -> Published:
    errors = [float(number) for number in text.split()]
    if len(errors) != 20:
        raise ValueError(f"a column has 20 tasks, but this one has {len(errors)}")
    return Published(
        {f"task {place}": error for place, error in enumerate(errors, 1)}, mean, failed
    )


# End-To-End Memory Networks, Sukhbaatar, Szlam, Weston, Fergus 2015, tables 1 (1k) and 3 (10k).
MEMN2N_1K = _column(  # PE LS RN
    "0.0 8.3 40.3 2.8 13.1 7.6 17.3 10.0 13.2 15.1 0.9 0.2 0.4 1.7 0.0 1.3 51.0 11.1 82.8 0.0",
    13.9,
    11,
)
MEMN2N_1K_JOINT = _column(  # 3 hops PE LS RN
    "0.0 11.4 21.9 13.4 14.4 2.8 18.3 9.3 1.9 6.5 0.3 0.1 0.2 6.9 0.0 2.7 40.4 9.4 88.0 0.0",
    12.4,
    11,
)
MEMN2N_10K = _column(  # PE LS RN
    "0.0 0.3 9.3 0.0 0.8 0.0 3.7 0.8 0.8 2.4 0.0 0.0 0.0 0.0 0.0 0.4 40.7 6.7 66.5 0.0", 6.6, 4
)
MEMN2N_10K_BEST = _column(  # PE LS LW RN, d = 100, ReLU
    "0.0 0.3 2.1 0.0 0.8 0.1 2.0 0.9 0.3 0.0 0.1 0.0 0.0 0.1 0.0 51.8 18.6 5.3 2.3 0.0", 4.2, 3
)
# Ask Me Anything, Kumar et al. 2016, table 1: accuracies there.
DMN = _column(
    "0.0 1.8 4.8 0.0 0.7 0.0 3.1 3.5 0.0 2.5 0.1 0.0 0.2 0.0 0.0 0.6 40.4 4.7 65.5 0.0", 6.4, 2
)
# Dynamic Memory Networks for Visual and Textual Question Answering, Xiong et al. 2016, table 2.
DMN_PLUS = _column(
    "0.0 0.3 1.1 0.0 0.5 0.0 2.4 0.0 0.0 0.0 0.0 0.0 0.0 0.2 0.0 45.3 4.2 2.1 0.0 0.0", 2.8, 1
)
