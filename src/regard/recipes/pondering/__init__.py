"""Pondering: every recipe is a cell with or without halting, a task and a course.

The four generated tasks of Adaptive Computation Time, Graves 2016, each with its baseline, the same
network that takes one step on every input, and each as the paper trained it.
"""

from typing import NamedTuple

from regard.recipes.endless import Practising, Quick, Turning
from regard.recipes.pondering.course import AsInThePaper
from regard.recipes.pondering.practice import Practice
from regard.recipes.pondering.published import (
    ADDITION,
    LOGIC,
    PARITY,
    SORT,
    WithAndWithout,
)
from regard.recipes.pondering.recipe import Pondering
from regard.recipes.pondering.systems import Adaptive, CellKnobs, MemoryCell, SimpleCell, Steady
from regard.recipes.pondering.tasks import (
    AdditionPractice,
    LogicPractice,
    ParityPractice,
    SortPractice,
)


class _Way(NamedTuple):
    """A way to train: what steps, how long and at what cost, what is practised, how.

    ``bias`` is what the bias of the halting unit starts at, the paper's being 1: the lower, the
    longer an untrained network thinks. It does so for a share of the updates, ``free``.
    """

    cell: CellKnobs
    most: int
    time_penalty: float
    practice: Practice
    course: Practising
    bias: float = 1.0
    free: float = 0.0


def _three(
    names: tuple[str, str],
    summary: str,
    ours: _Way,
    paper: _Way,
    known: WithAndWithout,
    *inputs: str,
) -> dict[str, Pondering]:
    """The network that decides how long to think, the paper's baseline, the paper's training.

    The paper tries every time penalty from 0.0001 to 0.1; where a figure shows a single network,
    its penalty is taken, which are addition and sorting.
    """
    with_halting, without = names
    quick, slow = (
        Adaptive(way.cell, way.time_penalty, way.most, bias=way.bias, free=way.free)
        for way in (ours, paper)
    )
    return {
        with_halting: Pondering(
            f"{summary}, thinking as long as it takes; no download",
            quick,
            ours.practice,
            ours.course,
            known.halting,
            inputs,
        ),
        without: Pondering(
            f"{summary}, with one step on each input",
            Steady(ours.cell),
            ours.practice,
            ours.course,
            known.steady,
            inputs,
        ),
        f"{with_halting}-paper": Pondering(
            f"{summary}, thinking as long as it takes, as the paper trained",
            slow,
            paper.practice,
            paper.course,
            known.halting,
            inputs,
        ),
    }


def _quick(steps: int, batch: int, rate: float = 0.001) -> Quick:
    return Quick(steps=steps, batch=batch, rate=rate, clip=1.0)


def _turning(steps: int, batch: int) -> Turning:
    return Turning(steps=steps, batch=batch, rate=0.003, matrix_rate=0.015, clip=1.0)


PONDERINGS: dict[str, Pondering] = {
    **_three(
        ("act-parity", "rnn-parity"),
        "say whether ones are odd in number",
        _Way(
            SimpleCell(128),
            10,
            0.0001,
            ParityPractice(enough=0.85),
            _quick(200_000, 128, 0.002),
            bias=-1.0,
        ),
        _Way(SimpleCell(128), 100, 0.001, ParityPractice(), AsInThePaper(batch=128)),
        PARITY,
        "64",
        "32",
        "8",
    ),
    **_three(
        ("act-logic", "lstm-logic"),
        "go through logic gates",
        _Way(MemoryCell(128), 20, 0.01, LogicPractice(enough=0.7), _quick(40_000, 32)),
        _Way(MemoryCell(128), 100, 0.001, LogicPractice(), AsInThePaper(batch=16)),
        LOGIC,
        "10",
        "5",
    ),
    **_three(
        ("act-addition", "lstm-addition"),
        "add numbers digit by digit",
        _Way(MemoryCell(256), 8, 0.01, AdditionPractice(enough=0.6), _quick(100_000, 64, 0.003)),
        _Way(MemoryCell(512), 20, 0.0009, AdditionPractice(), AsInThePaper(batch=32)),
        ADDITION,
        "123+4+56+789+30",
        "99999+1",
    ),
    **_three(
        ("act-sort", "lstm-sort-numbers"),
        "sort numbers",
        _Way(
            MemoryCell(256),
            8,
            0.05,
            SortPractice(enough=0.2),
            _turning(48_000, 48),
            bias=-0.5,
            free=0.5,
        ),
        _Way(MemoryCell(512), 100, 0.001, SortPractice(), AsInThePaper(batch=16)),
        SORT,
        "10",
        "5",
    ),
}
