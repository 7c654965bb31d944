"""Algorithms: every recipe is a machine, a task and a course."""

from regard.recipes.algorithms.course import Quick
from regard.recipes.algorithms.recipe import Algorithm
from regard.recipes.algorithms.systems import PlainMemorySystem, RecurrentMachineSystem, Tape
from regard.recipes.algorithms.tasks import Copying

ALGORITHMS: dict[str, Algorithm] = {
    "ntm-copy": Algorithm(
        "say a sequence of bits again, with a Neural Turing Machine; no download",
        RecurrentMachineSystem(Tape()),
        Copying(),
        Quick(steps=8_000, batch=32, rate=0.001),
    ),
    "lstm-copy": Algorithm(
        "the same without a tape",
        PlainMemorySystem(),
        Copying(),
        Quick(steps=8_000, batch=32, rate=0.001),
    ),
}
