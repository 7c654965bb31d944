"""Batch renormalisation against its equation, and against what it is made of."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard.models.renormalising import Renormalise

GRID = torch.randn(5, 3, 2, 7, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


def made(**options):
    layer = Renormalise(3, **options).double()
    nn.init.uniform_(layer.weight, 0.5, 2)
    nn.init.normal_(layer.bias)
    return layer


def by_hand(layer, grid):
    """The paper's algorithm, channel by channel, with r and d let loose."""
    channels = []
    for number, each in enumerate(grid.unbind(1)):
        deviation = (each.var(correction=0) + layer.epsilon).sqrt()
        usual = (layer.running_var[number] + layer.epsilon).sqrt()
        r = (deviation / usual).detach().clamp(1 / 3, 3)
        d = ((each.mean() - layer.running_mean[number]) / usual).detach().clamp(-5, 5)
        normal = (each - each.mean()) / deviation * r + d
        channels.append(layer.weight[number] * normal + layer.bias[number])
    return torch.stack(channels, dim=1)


def test_renormalised_is_the_papers_algorithm_with_its_gradients():
    layer = made(alone=0)
    layer.running_mean.copy_(torch.tensor([0.1, -9.0, 0.2]))  # the second is cut off at 5
    layer.running_var.copy_(torch.tensor([0.5, 2.0, 30.0]))  # and so is the third
    grid = GRID.clone().requires_grad_()
    expected = by_hand(layer, grid)
    found = layer(grid)
    assert_close(found, expected)
    slopes = torch.randn_like(found)
    leaves = [grid, layer.weight, layer.bias]
    for one, other in zip(
        torch.autograd.grad(found, leaves, slopes),
        torch.autograd.grad(expected, leaves, slopes),
        strict=True,
    ):
        assert_close(one, other)


def test_what_training_sees_is_what_use_will_see():
    layer = made(alone=0)
    layer.running_mean.copy_(torch.tensor([0.1, -0.2, 0.2]))
    layer.running_var.copy_(torch.tensor([0.5, 0.8, 1.5]))
    remembered = {name: each.clone() for name, each in layer.state_dict().items()}
    training = layer(GRID)
    layer.load_state_dict(remembered)
    assert_close(training, layer.eval()(GRID))


def test_the_first_batches_are_normalised_by_themselves():
    layer, plain = made(alone=2), nn.BatchNorm2d(3).double()
    plain.weight.data, plain.bias.data = layer.weight.data, layer.bias.data
    for factor in (1, 2, 4):  # the one after them may differ, but by nothing yet
        assert_close(layer(factor * GRID + 1), plain(factor * GRID + 1))
    assert not torch.allclose(layer(3 * GRID), plain(3 * GRID))


def test_it_remembers_the_mean_over_all_batches_then_the_latest():
    layer = made(momentum=0.5)
    batches = [GRID, 2 * GRID + 1, GRID - 3]
    for batch in batches[:2]:
        layer(batch)
    assert_close(layer.running_mean, (batches[0] + batches[1]).mean(dim=(0, 2, 3)) / 2)
    before = layer.running_mean.clone()
    layer(batches[2])
    assert_close(layer.running_mean, (before + batches[2].mean(dim=(0, 2, 3))) / 2)
    assert layer.num_batches_tracked == 3


def test_once_trained_it_is_torchs_with_the_same_parameters():
    layer, plain = made(), nn.BatchNorm2d(3).double()
    layer(GRID)
    plain.load_state_dict(layer.state_dict())
    assert_close(layer.eval()(GRID), plain.eval()(GRID))


def test_a_batch_of_one_kind_gives_nothing_away_in_training():
    """Two kinds of images in batches of their own: the layer keeps them apart, torch's does not."""
    layer, plain = Renormalise(1, alone=10, momentum=0.05), nn.BatchNorm2d(1)
    dark, bright = torch.full((4, 1, 3, 3), -1.0), torch.full((4, 1, 3, 3), 1.0)
    noise = torch.Generator().manual_seed(0)
    seen = {}
    for step in range(200):
        kind = (dark, bright)[step % 2] + 0.5 * torch.randn(4, 1, 3, 3, generator=noise)
        seen[step % 2] = layer(kind).mean().item(), plain(kind).mean().item()
    assert seen[1][0] - seen[0][0] == pytest.approx(4, abs=0.8)  # 2 over 0.5
    assert seen[1][1] - seen[0][1] == pytest.approx(0, abs=1e-5)
