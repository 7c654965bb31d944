"""Pondering: every recipe is a cell with or without halting, a task and a course.

The four generated tasks of Adaptive Computation Time, Graves 2016, each with its baseline, the same
network that takes one step on every input.
"""

from regard.recipes.algorithms.course import Quick
from regard.recipes.pondering.recipe import Pondering
from regard.recipes.pondering.systems import Adaptive, CellKnobs, MemoryCell, SimpleCell, Steady
from regard.recipes.pondering.tasks import (
    AdditionPractice,
    LogicPractice,
    ParityPractice,
    Practice,
    SortPractice,
)


def _pair(
    names: tuple[str, str],
    summary: str,
    system: Adaptive,
    practice: Practice,
    course: Quick,
    *inputs: str,
) -> dict[str, Pondering]:
    """The network that decides how long to think, and the paper's baseline, which cannot."""
    with_halting, without = names
    return {
        with_halting: Pondering(
            f"{summary}, thinking as long as it takes; no download",
            system,
            practice,
            course,
            inputs,
        ),
        without: Pondering(
            f"{summary}, with one step on each input", Steady(system.cell), practice, course, inputs
        ),
    }


def _adaptive(cell: CellKnobs, time_penalty: float, most: int) -> Adaptive:
    return Adaptive(cell, time_penalty=time_penalty, most=most)


PONDERINGS: dict[str, Pondering] = {
    **_pair(
        ("act-parity", "rnn-parity"),
        "say whether ones are odd in number",
        _adaptive(SimpleCell(128), 0.001, 20),
        ParityPractice(rising=0.6),
        Quick(steps=60_000, batch=128, rate=0.001, clip=1.0),
        "64",
        "32",
        "8",
    ),
    **_pair(
        ("act-logic", "lstm-logic"),
        "go through logic gates",
        _adaptive(MemoryCell(128), 0.001, 20),
        LogicPractice(),
        Quick(steps=30_000, batch=32, rate=0.001, clip=1.0),
        "10",
        "5",
    ),
    **_pair(
        ("act-addition", "lstm-addition"),
        "add numbers digit by digit",
        _adaptive(MemoryCell(512), 0.001, 20),
        AdditionPractice(),
        Quick(steps=30_000, batch=32, rate=0.001, clip=1.0),
        "123+45678+90",
        "99999+1",
    ),
    **_pair(
        ("act-sort", "lstm-sort-numbers"),
        "sort numbers",
        _adaptive(MemoryCell(512), 0.001, 20),
        SortPractice(),
        Quick(steps=30_000, batch=32, rate=0.001, clip=1.0),
        "10",
        "5",
    ),
}
