"""A tape machine at the paper's sizes never gives NaN, however long it copies."""

import pytest
import torch
from torch import Generator

import regard
from regard.recipes import RECIPES

pytestmark = pytest.mark.learning
LENGTH, BATCH, DRAWS = 5_000, 10, 10  # a tape goes through 10,001 steps


def fresh():
    torch.manual_seed(0)
    return RECIPES["ntm-copy"].build()


def strong():
    """Sharp addresses and strong keys."""
    model = fresh()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(6)
    return model


def trained():
    return regard.load("ntm-copy").model


@pytest.mark.parametrize("made", [fresh, strong, trained])
def test_a_million_steps_of_copy_are_finite(made):
    model, steps = made().float(), 0
    task, generator = RECIPES["ntm-copy"].data.task(), Generator().manual_seed(0)
    for _ in range(DRAWS):
        inputs = task.draw_length(LENGTH, BATCH, generator).inputs
        with torch.no_grad():
            assert bool(model(inputs).isfinite().all())
        steps += inputs.shape[0] * inputs.shape[1]
    assert steps > 1_000_000
    model(inputs[:1, :2_001]).square().sum().backward()
    assert all(bool(parameter.grad.isfinite().all()) for parameter in model.parameters())
