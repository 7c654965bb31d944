"""Algorithms: every recipe is a machine, a task and a course."""

from regard.recipes.algorithms.course import Quick
from regard.recipes.algorithms.recipe import Algorithm
from regard.recipes.algorithms.systems import PlainMemorySystem, RecurrentMachineSystem, Tape
from regard.recipes.algorithms.tasks import (
    Copying,
    Foretelling,
    Practice,
    Recalling,
    RepeatCopying,
    Sorting,
)

_ONE_HEAD = RecurrentMachineSystem(Tape())
_FIVE_HEADS = RecurrentMachineSystem(Tape(heads=5), controller_size=200)
_COURSE = Quick(steps=4_000, batch=32, rate=0.001)
_LONG = Quick(steps=20_000, batch=32, rate=0.001)


def _pair(
    name: str,
    summary: str,
    tape: RecurrentMachineSystem,
    practice: Practice,
    course: Quick,
    *inputs: str,
) -> dict[str, Algorithm]:
    """The machine with a tape, and the paper's baseline without one."""
    return {
        f"ntm-{name}": Algorithm(
            f"{summary}, with a Neural Turing Machine; no download", tape, practice, course, inputs
        ),
        f"lstm-{name}": Algorithm(
            f"{summary}, with LSTMs and no tape", PlainMemorySystem(), practice, course, inputs
        ),
    }


ALGORITHMS: dict[str, Algorithm] = {
    **_pair("copy", "say bits again", _ONE_HEAD, Copying(), _COURSE, "20"),
    **_pair("repeat-copy", "say bits as often as told", _ONE_HEAD, RepeatCopying(), _LONG, "10x10"),
    **_pair("recall", "say the item that followed another", _ONE_HEAD, Recalling(), _LONG, "6"),
    **_pair(
        "ngrams", "foretell bits whose rule is found out", _ONE_HEAD, Foretelling(), _LONG, "200"
    ),
    **_pair("sort", "say vectors by their priority", _FIVE_HEADS, Sorting(), _LONG, "20"),
}
