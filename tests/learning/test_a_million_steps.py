"""A tape machine at the paper's sizes never gives NaN, however long it copies."""

import pytest
import torch
from torch import Generator

from regard.recipes import RECIPES

pytestmark = pytest.mark.learning
LENGTH, BATCH, SEQUENCES = 200, 250, 10


@pytest.mark.parametrize("trained", [0.0, 5.0], ids=["fresh", "as after training"])
def test_a_million_steps_of_copy_are_finite(trained):
    torch.manual_seed(0)
    model = RECIPES["ntm-copy"].build()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(trained * parameter)  # sharp addresses and strong keys
    task, generator, steps = RECIPES["ntm-copy"].data.task(), Generator().manual_seed(0), 0
    for _ in range(SEQUENCES):
        inputs = task.draw_length(LENGTH, BATCH, generator).inputs
        with torch.no_grad():
            assert bool(model(inputs).isfinite().all())
        steps += inputs.shape[0] * inputs.shape[1]
    assert steps > 1_000_000
    model(inputs[:4]).square().sum().backward()
    assert all(bool(parameter.grad.isfinite().all()) for parameter in model.parameters())
