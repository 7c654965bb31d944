"""Algorithms: every recipe is a machine, a task and a course.

The five tasks of Neural Turing Machines, Graves, Wayne, Danihelka 2014, with the heads and widths
of its tables 1 and 2; where table 2 has two layers of 100 for sorting, the controller is one of
200. Repeat copy is practised on a tape shorter than its sequences, where the paper's is longer: a
head that just walks on would come round and meet what it wrote, so it must learn to stay.
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
    Known,
    OfMachines,
)
from regard.recipes.algorithms.recipe import Algorithm
from regard.recipes.algorithms.systems import (
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
    Sorting,
)
from regard.recipes.endless import Practising, Quick

_ROWS = Tape().slots  # of the paper's tape
_ONE_HEAD = RecurrentMachineSystem(Tape())
_SHORT_TAPE = RecurrentMachineSystem(Tape(slots=32))
_FIVE_HEADS = RecurrentMachineSystem(Tape(heads=5), controller_size=200)
_FORWARD = FeedForwardMachineSystem(Tape())
_FOUR_FORWARD = FeedForwardMachineSystem(Tape(heads=4), controller_size=256)
_EIGHT_FORWARD = FeedForwardMachineSystem(Tape(heads=8), controller_size=512)
_WIDE, _NARROW = PlainMemorySystem(256), PlainMemorySystem(128)
_SHORT, _LONG = InBatches(steps=6_000, clip=1.0), InBatches(steps=20_000)


class _Machines(NamedTuple):
    """What is set to a task: an LSTM and a tape, a tape alone, LSTMs alone."""

    recurrent: RecurrentMachineSystem
    forward: FeedForwardMachineSystem
    plain: PlainMemorySystem


class _Ways(NamedTuple):
    """How they train: our course, and the rate of the paper's."""

    course: InBatches
    paper_rate: float


def _four(
    names: tuple[str, str],
    machines: _Machines,
    practice: Practice,
    ways: _Ways,
    known: OfMachines,
    *inputs: str,
) -> dict[str, Algorithm]:
    """Two machines with a tape, the paper's baseline without one, and the paper's own training."""
    (name, summary), course = names, ways.course

    def made(how: str, system: MachineSystem, course: Practising, paper: Known) -> Algorithm:
        return Algorithm(f"{summary}, {how}", system, practice, course, inputs, paper)

    adam = Quick(steps=_LONG.steps, clip=1.0)  # who learns without a tape needs longer
    slow = AsInThePaper(steps=1_000_000, rate=ways.paper_rate)
    tape, forward, plain = machines
    return {
        f"ntm-{name}": made(
            "with a Neural Turing Machine; no download", tape, course, known.recurrent
        ),
        f"lstm-{name}": made("with LSTMs and no tape", plain, adam, known.plain),
        f"ntm-{name}-forward": made(
            "with a tape alone to remember by", forward, course, known.forward
        ),
        f"ntm-{name}-paper": made(
            "one sequence to an update, as the paper trained",
            replace(tape, tape=replace(tape.tape, slots=_ROWS)),
            slow,
            known.recurrent,
        ),
    }


ALGORITHMS: dict[str, Algorithm] = {
    **_four(
        ("copy", "say bits again"),
        _Machines(_ONE_HEAD, _FORWARD, _WIDE),
        Copying(),
        _Ways(_SHORT, 1e-4),
        COPY,
        "20",
    ),
    **_four(
        ("repeat-copy", "say bits as often as told"),
        _Machines(_SHORT_TAPE, _FORWARD, _WIDE),
        RepeatCopying(),
        _Ways(_LONG, 1e-4),
        REPEAT_COPY,
        "10x10",
    ),
    **_four(
        ("recall", "say the item that followed another"),
        _Machines(_ONE_HEAD, _FOUR_FORWARD, _WIDE),
        Recalling(),
        _Ways(_LONG, 1e-4),
        RECALL,
        "6",
    ),
    **_four(
        ("ngrams", "foretell bits whose rule is found out"),
        _Machines(_ONE_HEAD, _FORWARD, _NARROW),
        Foretelling(),
        _Ways(_LONG, 3e-5),
        N_GRAMS,
        "200",
    ),
    **_four(
        ("sort", "say vectors by their priority"),
        _Machines(_FIVE_HEADS, _EIGHT_FORWARD, _NARROW),
        Sorting(),
        _Ways(_LONG, 3e-5),
        SORT,
        "20",
    ),
}
