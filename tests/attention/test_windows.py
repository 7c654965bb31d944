"""Luong's local-p."""

import math

import pytest
import torch
from torch.testing import assert_close

from regard import Attention
from regard.masks import padding, window
from regard.scores import Dot
from regard.windows import Predictive

QUERY, KEY = torch.randn(2, 3, 7), torch.randn(2, 11, 7)


def loop(look, query, key, length):
    """The equations word by word, for one example of ``length`` true keys."""
    part = look.window
    rows = []
    for q in query:
        inner = part.to_place.weight[0] @ (part.from_query.weight @ q).tanh()
        place = length * inner.sigmoid()
        inside = [s for s in range(length) if abs(s - place) <= part.radius]
        aligned = torch.stack([q @ key[s] for s in inside]).softmax(dim=-1)
        row = torch.zeros(len(key))
        for s, weight in zip(inside, aligned, strict=True):
            row[s] = weight * torch.exp(-((s - place) ** 2) / (2 * (part.radius / 2) ** 2))
        rows.append(row)
    return torch.stack(rows)


@pytest.mark.parametrize("radius", [1, 2.5, 4])
def test_local_p_is_its_equations(radius):
    look = Attention(Dot(), window=Predictive(query_size=7, radius=radius))
    seen = look(QUERY, KEY, mask=padding([11, 8], 11))
    assert_close(seen.weights[0], loop(look, QUERY[0], KEY[0], 11))
    assert_close(seen.weights[1], loop(look, QUERY[1], KEY[1], 8))
    assert_close(seen.context, seen.weights @ KEY)


def test_the_gaussian_of_radius_ten_fades_as_computed_by_hand():
    predictive = Predictive(query_size=7, radius=10)
    torch.nn.init.zeros_(predictive.to_place.weight)  # sigmoid(0) = 1/2: the middle of 20 keys
    _, taper = predictive(torch.zeros(1, 7), None, 20)
    faded = taper(torch.ones(1, 20))[0].detach()
    expected = torch.tensor([1, 0.9802, 0.6065, 0.1353])
    assert_close(faded[[10, 11, 15, 0]], expected, atol=1e-4, rtol=0)
    assert math.isclose(faded[9], faded[11], rel_tol=1e-6)


def test_weights_of_local_p_sum_to_less_than_one():
    look = Attention(Dot(), window=Predictive(query_size=7, radius=2))
    total = look(QUERY, KEY).weights.sum(dim=-1)
    assert (total < 1).all()
    assert (total > 0).all()


def test_a_wide_window_mask_is_global_attention():
    look = Attention(Dot())
    assert_close(look(QUERY, KEY, mask=window(3, 11, 11)).weights, look(QUERY, KEY).weights)


def test_gradients_reach_the_predicted_place():
    look = Attention(Dot(), window=Predictive(query_size=7, radius=4))
    look(QUERY, KEY).context.sum().backward()
    assert look.window.to_place.weight.grad.abs().sum() > 0
    assert look.window.from_query.weight.grad.abs().sum() > 0
