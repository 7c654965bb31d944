"""Algorithms: every recipe is a machine, a task and a course.

The five tasks of Neural Turing Machines, Graves, Wayne, Danihelka 2014, with the heads and widths
of its tables 1 and 2; where table 2 has two layers of 100 for sorting, the controller is one of
200.
"""

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
from regard.recipes.algorithms.systems import (
    FeedForwardMachineSystem,
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
from regard.recipes.endless import Quick

_ONE_HEAD = RecurrentMachineSystem(Tape())
_FIVE_HEADS = RecurrentMachineSystem(Tape(heads=5), controller_size=200)
_FORWARD = FeedForwardMachineSystem(Tape())
_FOUR_FORWARD = FeedForwardMachineSystem(Tape(heads=4), controller_size=256)
_EIGHT_FORWARD = FeedForwardMachineSystem(Tape(heads=8), controller_size=512)
_SHORT, _LONG = InBatches(steps=3_000), InBatches(steps=20_000)


def _four(
    names: tuple[str, str],
    machines: tuple[RecurrentMachineSystem, FeedForwardMachineSystem],
    practice: Practice,
    course: InBatches,
    paper_rate: float,
    known: OfMachines,
    *inputs: str,
) -> dict[str, Algorithm]:
    """Two machines with a tape, the paper's baseline without one, and the paper's own training."""
    (name, summary), (tape, forward) = names, machines
    return {
        f"ntm-{name}": Algorithm(
            f"{summary}, with a Neural Turing Machine; no download",
            tape,
            practice,
            course,
            inputs,
            known.recurrent,
        ),
        f"lstm-{name}": Algorithm(
            f"{summary}, with LSTMs and no tape",
            PlainMemorySystem(),
            practice,
            Quick(steps=course.steps, clip=1.0),
            inputs,
            known.plain,
        ),
        f"ntm-{name}-forward": Algorithm(
            f"{summary}, with a tape alone to remember by",
            forward,
            practice,
            course,
            inputs,
            known.forward,
        ),
        f"ntm-{name}-paper": Algorithm(
            f"{summary}, one sequence to an update, as the paper trained",
            tape,
            practice,
            AsInThePaper(steps=1_000_000, rate=paper_rate),
            inputs,
            known.recurrent,
        ),
    }


ALGORITHMS: dict[str, Algorithm] = {
    **_four(("copy", "say bits again"), (_ONE_HEAD, _FORWARD), Copying(), _SHORT, 1e-4, COPY, "20"),
    **_four(
        ("repeat-copy", "say bits as often as told"),
        (_ONE_HEAD, _FORWARD),
        RepeatCopying(),
        _LONG,
        1e-4,
        REPEAT_COPY,
        "10x10",
    ),
    **_four(
        ("recall", "say the item that followed another"),
        (_ONE_HEAD, _FOUR_FORWARD),
        Recalling(),
        _LONG,
        1e-4,
        RECALL,
        "6",
    ),
    **_four(
        ("ngrams", "foretell bits whose rule is found out"),
        (_ONE_HEAD, _FORWARD),
        Foretelling(),
        _LONG,
        3e-5,
        N_GRAMS,
        "200",
    ),
    **_four(
        ("sort", "say vectors by their priority"),
        (_FIVE_HEADS, _EIGHT_FORWARD),
        Sorting(),
        _LONG,
        3e-5,
        SORT,
        "20",
    ),
}
