"""Algorithms: every recipe is a machine, a task and a course."""

from regard.recipes.algorithms.course import AsInThePaper, InBatches, Quick
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
_SHORT, _LONG = InBatches(steps=3_000), InBatches(steps=20_000)


def _three(
    name: str,
    summary: str,
    tape: RecurrentMachineSystem,
    practice: Practice,
    course: InBatches,
    paper_rate: float,
    *inputs: str,
) -> dict[str, Algorithm]:
    """The machine with a tape, the paper's baseline without one, and the paper's own training."""
    return {
        f"ntm-{name}": Algorithm(
            f"{summary}, with a Neural Turing Machine; no download", tape, practice, course, inputs
        ),
        f"lstm-{name}": Algorithm(
            f"{summary}, with LSTMs and no tape",
            PlainMemorySystem(),
            practice,
            Quick(steps=course.steps, clip=1.0),
            inputs,
        ),
        f"ntm-{name}-paper": Algorithm(
            f"{summary}, one sequence to an update, as the paper trained",
            tape,
            practice,
            AsInThePaper(steps=1_000_000, rate=paper_rate),
            inputs,
        ),
    }


ALGORITHMS: dict[str, Algorithm] = {
    **_three("copy", "say bits again", _ONE_HEAD, Copying(), _SHORT, 1e-4, "20"),
    **_three(
        "repeat-copy", "say bits as often as told", _ONE_HEAD, RepeatCopying(), _LONG, 1e-4, "10x10"
    ),
    **_three(
        "recall", "say the item that followed another", _ONE_HEAD, Recalling(), _LONG, 1e-4, "6"
    ),
    **_three(
        "ngrams",
        "foretell bits whose rule is found out",
        _ONE_HEAD,
        Foretelling(),
        _LONG,
        3e-5,
        "200",
    ),
    **_three("sort", "say vectors by their priority", _FIVE_HEADS, Sorting(), _LONG, 3e-5, "20"),
}
