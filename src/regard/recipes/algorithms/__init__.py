"""Algorithms: every recipe is a machine, a task and a course.

The five tasks of Neural Turing Machines, Graves, Wayne, Danihelka 2014, with the heads and widths
of its tables 1 to 3. Ours depart from these three times: the controller of sorting is one LSTM of
200 (the paper: two of 100), the LSTMs of repeat copy are 256 wide (512), and repeat copy is
practised on a tape shorter than its sequences, where the paper's is longer: a head that just walks
on would come round and meet what it wrote, so it must learn to stay.
"""

from dataclasses import replace
from typing import NamedTuple

from regard.recipes.algorithms.course import AsInThePaper, InBatches
from regard.recipes.algorithms.practice import Practice
from regard.recipes.algorithms.published import (
    COPY,
    N_GRAMS,
    RECALL,
    REPEAT_COPY,
    SORT,
    OfMachines,
)
from regard.recipes.algorithms.recipe import Algorithm
from regard.recipes.algorithms.sorting import Sorting
from regard.recipes.algorithms.systems import (
    LEARNED,
    DeepMachineSystem,
    FeedForwardMachineSystem,
    MachineSystem,
    PlainMemorySystem,
    RecurrentMachineSystem,
    Tape,
)
from regard.recipes.algorithms.tasks import (
    Copying,
    Foretelling,
    Recalling,
    RepeatCopying,
)
from regard.recipes.endless import Quick


class _Trio(NamedTuple):
    """What is set to a task: an LSTM and a tape, a tape alone, LSTMs alone."""

    recurrent: MachineSystem
    forward: MachineSystem
    plain: MachineSystem


class _Rates(NamedTuple):
    """The paper's learning rates, for the same three."""

    recurrent: float
    forward: float
    plain: float


class _Paper(NamedTuple):
    """What the paper set to a task, and how it was trained."""

    machines: _Trio
    rates: _Rates


# The same three, as names and as what is said of them.
_KINDS = {
    "ntm-{}": "with a Neural Turing Machine",
    "ntm-{}-forward": "with a tape alone to remember by",
    "lstm-{}": "with LSTMs and no tape",
}
_OURS = _Trio(
    RecurrentMachineSystem(Tape()), FeedForwardMachineSystem(Tape()), PlainMemorySystem(256)
)
_RESET = Tape(first_tape=LEARNED)  # the paper's
_THEIRS = _Trio(
    RecurrentMachineSystem(_RESET), FeedForwardMachineSystem(_RESET), PlainMemorySystem(256)
)
_SLOW, _SLOWER = _Rates(1e-4, 1e-4, 3e-5), _Rates(3e-5, 3e-5, 3e-5)
_SHORT, _LONG = InBatches(steps=6_000, clip=1.0), InBatches(steps=20_000)


def _heads(count: int, size: int) -> tuple[MachineSystem, MachineSystem]:
    """A tape alone with so many heads: ours, and the paper's."""
    ours, theirs = Tape(heads=count), replace(_RESET, heads=count)
    return FeedForwardMachineSystem(ours, size), FeedForwardMachineSystem(theirs, size)


def _six(
    names: tuple[str, str],
    practice: Practice,
    ours: tuple[_Trio, InBatches],
    paper: _Paper,
    known: OfMachines,
) -> dict[str, Algorithm]:
    """Two machines with a tape and one without, by our training and by the paper's."""
    (name, summary), (machines, course) = names, ours
    adam = Quick(steps=_LONG.steps, clip=1.0)  # who learns without a tape needs longer
    quick, slow = dict[str, Algorithm](), dict[str, Algorithm]()
    for (kind, how), machine, course_of_it, theirs, rate, numbers in zip(
        _KINDS.items(), machines, (course, course, adam), paper.machines, paper.rates, known,
        strict=True,
    ):  # fmt: skip
        summed = f"{summary}, {how}"
        called = kind.format(name)
        quick[called] = Algorithm(
            f"{summed}; no download", machine, practice, course_of_it, numbers
        )
        by_one = AsInThePaper(steps=1_000_000, rate=rate)
        slow[f"{called}-paper"] = Algorithm(
            f"{summed}, one sequence to an update, as in the paper",
            theirs, practice, by_one, numbers,
        )  # fmt: skip
    return quick | slow


_FOUR, _FOUR_OF_PAPER = _heads(4, 256)
_EIGHT, _EIGHT_OF_PAPER = _heads(8, 512)
_SMALL = PlainMemorySystem(128)

ALGORITHMS: dict[str, Algorithm] = {
    **_six(
        ("copy", "say bits again"),
        Copying(),
        (_OURS, _SHORT),
        _Paper(_THEIRS, _SLOW),
        COPY,
    ),
    **_six(
        ("repeat-copy", "say bits as often as told"),
        RepeatCopying(),
        (_OURS._replace(recurrent=RecurrentMachineSystem(Tape(slots=32))), _LONG),
        _Paper(_THEIRS._replace(plain=PlainMemorySystem(512)), _SLOW),
        REPEAT_COPY,
    ),
    **_six(
        ("recall", "say the item that followed another"),
        Recalling(),
        (_OURS._replace(forward=_FOUR), _LONG),
        _Paper(_THEIRS._replace(forward=_FOUR_OF_PAPER), _Rates(1e-4, 1e-4, 1e-4)),
        RECALL,
    ),
    **_six(
        ("ngrams", "foretell bits whose rule is found out"),
        Foretelling(),
        (_OURS._replace(plain=_SMALL), _LONG),
        _Paper(_THEIRS._replace(plain=_SMALL), _Rates(3e-5, 3e-5, 1e-4)),
        N_GRAMS,
    ),
    **_six(
        ("sort", "say vectors by their priority"),
        Sorting(),
        (_Trio(RecurrentMachineSystem(Tape(heads=5), 200), _EIGHT, _SMALL), _LONG),
        _Paper(
            _Trio(DeepMachineSystem(replace(_RESET, heads=5)), _EIGHT_OF_PAPER, _SMALL), _SLOWER
        ),
        SORT,
    ),
}
