"""The numbers of a network that ponders: how often it is wrong, and how long it thinks."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import torch
from torch import Generator

from regard.metrics import slope, wrong_answers
from regard.models import AdaptiveComputation
from regard.recipes.endless.experiment import Draw
from regard.recipes.endless.seeds import TESTING
from regard.recipes.measured import Measured
from regard.recipes.pondering.practice import Practice
from regard.tasks.pondering import Posed


class Effort(NamedTuple):
    """How well, and with how much thinking."""

    wrong_sequences: float  # in which any answer is wrong, in %
    wrong_answers: float  # in %
    ponder: float  # N: steps on an input


def measure(
    model: AdaptiveComputation, practice: Practice, count: int, together: int
) -> list[Measured]:
    """The paper's test; then every difficulty by itself, and how thinking grows with it."""
    task, unit = practice.task(), practice.unit
    told = partial(_told, practice.test)
    found = list(told(effort(model, practice, task.draw, count, together), "all", count))
    places, ponder = [], []
    for difficulty in practice.difficulties():

        def draw(batch: int, generator: Generator, hard: int = difficulty) -> Posed:
            return task.draw_hard(hard, batch, generator)

        one = effort(model, practice, draw, count // 5, together)
        found += told(one, f"{difficulty} {unit}", count // 5)
        places.append(float(difficulty))
        ponder.append(one.ponder)
    if len(places) > 1:
        rise = slope(torch.tensor(places), torch.tensor(ponder))
        note = f"least squares over {len(places)} difficulties"
        per = f"steps per {unit.removesuffix('s')}"
        found.append(Measured(practice.test, "rise of ponder", rise, per, "higher", note=note))
    return found


@torch.no_grad()
def effort(
    model: AdaptiveComputation, practice: Practice, draw: Draw[Posed], count: int, together: int
) -> Effort:
    """Over so many fresh sequences."""
    task, device = practice.task(), next(model.parameters()).device
    generator = Generator().manual_seed(TESTING)
    sequences, answers, steps = [], [], []
    for _ in range(0, count, together):
        posed = draw(together, generator)
        made = model(posed.inputs.to(device))
        choices = task.choices(made.outputs).cpu()
        wrong = wrong_answers(choices, posed.targets, posed.counts).float()
        sequences.append(wrong.any(dim=1).float())
        answers.append(wrong.flatten())
        steps.append(made.steps.cpu().flatten().float())
    means = [float(torch.cat(parts).double().mean()) for parts in (sequences, answers, steps)]
    return Effort(100 * means[0], 100 * means[1], means[2])


def _told(test: str, found: Effort, scope: str, count: int) -> Iterator[Measured]:
    note = f"mean over {count} fresh sequences"
    for metric, value, unit in (
        ("wrong sequences", found.wrong_sequences, "%"),
        ("wrong answers", found.wrong_answers, "%"),
        ("ponder", found.ponder, "steps"),
    ):
        yield Measured(test, metric, value, unit, "lower", scope, note)
