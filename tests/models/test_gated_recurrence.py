"""Blends that go through the values in their order, against the papers' equations."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard import Attention, AttentionRecurrence, GatedRecurrence
from regard.masks import padding
from regard.normalisers import Sigmoid
from regard.scores import GateScore

BATCH, QUERY, KEY, VALUE, SIZE = 2, 3, 5, 11, 7


def drawn():
    torch.manual_seed(0)
    weights = torch.rand(BATCH, QUERY, KEY, dtype=torch.float64)
    return weights, torch.randn(BATCH, KEY, VALUE, dtype=torch.float64)


def parameters(blend):
    """W, b and U of each map, in the order u, r, n or r, n."""
    weights = blend.from_value.weight.split(SIZE)
    return zip(
        weights, blend.from_value.bias.split(SIZE), blend.from_state.split(SIZE), strict=True
    )


def gated(blend, weight, value, state):
    """DMN: h' = g GRU(c, h) + (1 - g) h."""
    (w_u, b_u, u_u), (w_r, b_r, u_r), (w, b, u) = parameters(blend)
    update = torch.sigmoid(w_u @ value + u_u @ state + b_u)
    reset = torch.sigmoid(w_r @ value + u_r @ state + b_r)
    new = torch.tanh(w @ value + reset * (u @ state) + b)
    return weight * (update * new + (1 - update) * state) + (1 - weight) * state


def attentive(blend, weight, value, state):
    """DMN+: h' = g new + (1 - g) h."""
    (w_r, b_r, u_r), (w, b, u) = parameters(blend)
    reset = torch.sigmoid(w_r @ value + u_r @ state + b_r)
    new = torch.tanh(w @ value + reset * (u @ state) + b)
    return weight * new + (1 - weight) * state


every_kind = pytest.mark.parametrize(
    ("kind", "step"), [(GatedRecurrence, gated), (AttentionRecurrence, attentive)]
)


@every_kind
@pytest.mark.parametrize("kernels", ["on", "off"])
def test_the_context_is_the_last_state_of_the_papers_loop(kind, step, kernels, monkeypatch):
    monkeypatch.setenv("REGARD_KERNELS", kernels)
    blend, (weights, value) = kind(SIZE, value_size=VALUE).double(), drawn()
    context, states = blend(weights, value), blend.states(weights, value)
    assert context.shape == (BATCH, QUERY, SIZE)
    for b in range(BATCH):
        for i in range(QUERY):
            state = torch.zeros(SIZE, dtype=torch.float64)
            for j in range(KEY):
                state = step(blend, weights[b, i, j], value[b, j], state)
                assert_close(states[b, i, j], state)
            assert_close(context[b, i], state)


@every_kind
def test_filling_between_values_changes_nothing(kind, step):
    blend, (weights, value) = kind(SIZE, value_size=VALUE).double(), drawn()
    places = torch.tensor([0, 2, 3, 5, 8])
    further = torch.zeros(BATCH, QUERY, 9, dtype=torch.float64)
    further[..., places] = weights
    filled = torch.full((BATCH, 9, VALUE), 1e6, dtype=torch.float64)
    filled[:, places] = value
    assert_close(blend(further, filled), blend(weights, value))


@every_kind
def test_what_is_not_there_is_not_read_by_a_look(kind, step):
    look = Attention(GateScore(VALUE), Sigmoid(), kind(SIZE, value_size=VALUE)).double()
    facts, query = drawn()[1], torch.randn(BATCH, 1, 2 * VALUE, dtype=torch.float64)
    seen = look(query, facts, mask=padding([KEY, 2], KEY))
    assert_close(seen.context[1:], look(query[1:], facts[1:, :2]).context)
    nothing = look(query, facts, mask=padding([0, 0], KEY))
    assert not nothing.weights.any()
    assert not nothing.context.any()


def test_the_order_of_values_matters():
    blend, (weights, value) = GatedRecurrence(SIZE, value_size=VALUE).double(), drawn()
    assert not torch.allclose(blend(weights.flip(-1), value.flip(-2)), blend(weights, value))


def test_values_are_as_wide_as_the_state_unless_said_and_others_are_told():
    blend = AttentionRecurrence(SIZE)
    assert isinstance(blend.from_value, nn.Linear)
    assert blend.from_value.weight.shape == (2 * SIZE, SIZE)
    assert GatedRecurrence(SIZE).from_value.weight.shape == (3 * SIZE, SIZE)
    with pytest.raises(ValueError, match="made for value_size=7, but the values have size 11"):
        blend(torch.ones(BATCH, 1, KEY), torch.ones(BATCH, KEY, VALUE))
    with pytest.raises(ValueError, match="sizes above 0, but size=0 and value_size=0"):
        GatedRecurrence(0)
