"""What a network is judged by and tested on is nothing that it has practised."""

import torch

from regard.recipes.endless import seeds
from regard.recipes.endless.experiment import Batches
from regard.recipes.endless.seeds import ASKING, JUDGING, TESTING, TRYING, practising
from regard.tasks.algorithms import Copy

RESERVED = JUDGING, ASKING, TESTING, TRYING


def drawn(seed):
    return torch.rand(8, generator=torch.Generator().manual_seed(seed)).tolist()


def test_reserved_seeds_draw_what_no_other_draws():
    others = [number for first in RESERVED for number in range(first, first + 32)]
    draws = {tuple(drawn(seed)) for seed in [*range(300), *others]}
    assert len(draws) == 300 + 4 * 32


def test_batches_of_judging_are_no_batches_of_updates():
    task = Copy((1, 4))
    judged = [each.inputs for each in Batches(task.draw, 16, JUDGING, 8)]
    updates = [each.inputs for each in Batches(task.draw, 16, practising(0), 250)]
    alike = [
        torch.equal(one, other) for one in judged for other in updates if one.shape == other.shape
    ]
    assert len(alike) > 100
    assert not any(alike)


def test_no_run_however_long_comes_to_a_reserved_seed():
    assert practising(7) == 7
    for first in RESERVED:
        for number in (first - 1, first, first + 5, first + 2**32, first + 2**40):
            assert 0 <= practising(number) < JUDGING
    assert all(first + seeds.APART <= 2**32 for first in RESERVED)
