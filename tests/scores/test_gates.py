"""The gates of episodes against their equations, features joined as the papers write them."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard.scores import GateScore, InteractionScore

BATCH, QUERY, KEY, SIZE, HIDDEN = 2, 3, 5, 7, 11


def drawn():
    torch.manual_seed(0)
    joined = torch.randn(BATCH, QUERY, 2 * SIZE, dtype=torch.float64)
    return joined, torch.randn(BATCH, KEY, SIZE, dtype=torch.float64)


def met(memory, question, fact):
    """The four features of DMN+, of one pair."""
    return [fact * question, fact * memory, (fact - question).abs(), (fact - memory).abs()]


def each_pair(query, key, score):
    """Scores of one pair after the other."""
    scores = torch.empty(BATCH, QUERY, KEY, dtype=torch.float64)
    for b in range(BATCH):
        for i in range(QUERY):
            for j in range(KEY):
                scores[b, i, j] = score(query[b, i, :SIZE], query[b, i, SIZE:], key[b, j])
    return scores


def test_the_gate_has_nine_features():
    gate, (query, key) = GateScore(SIZE, hidden_size=HIDDEN).double(), drawn()
    w_b = gate.to_question.weight.T  # c W_b
    first = torch.cat(
        [gate.from_key.weight, gate.from_query.weight, gate.from_both.weight], dim=1
    )  # of c, of m and q, of how they meet
    assert first.shape == (HIDDEN, 7 * SIZE + 2)

    def score(memory, question, fact):
        products = torch.stack([fact @ w_b @ question, fact @ w_b @ memory])
        z = torch.cat([fact, memory, question, *met(memory, question, fact), products])
        return gate.to_score((first @ z + gate.from_key.bias).tanh())

    assert_close(gate(query, key), each_pair(query, key, score))


def test_interactions_are_four_features():
    gate, (query, key) = InteractionScore(SIZE, hidden_size=HIDDEN).double(), drawn()
    assert gate.from_both.in_features == 4 * SIZE

    def score(memory, question, fact):
        z = torch.cat(met(memory, question, fact))
        return gate.to_score(gate.from_both(z).tanh())

    assert_close(gate(query, key), each_pair(query, key, score))


@pytest.mark.parametrize("kind", [GateScore, InteractionScore])
def test_where_fact_and_question_are_equal_the_gradient_is_that_of_the_other_features(kind):
    gate = kind(SIZE).double()
    fact = torch.randn(1, 1, SIZE, dtype=torch.float64)
    query = torch.cat([fact, fact], dim=-1).requires_grad_()  # m = q = c, the first pass at its end
    fact = fact.clone().requires_grad_()
    slopes = torch.autograd.grad(gate(query, fact).sum(), (query, fact, *gate.parameters()))
    assert all(slope.isfinite().all() for slope in slopes)
    with torch.no_grad():  # without the distances, whose slope there is zero
        gate.from_both.weight[:, 2 * SIZE : 4 * SIZE] = 0
    for one, other in zip(
        slopes, torch.autograd.grad(gate(query, fact).sum(), (query, fact)), strict=False
    ):
        assert_close(one, other)


@pytest.mark.parametrize("kind", [GateScore, InteractionScore])
def test_sizes_that_do_not_fit_are_told(kind):
    gate, (query, key) = kind(SIZE), (each.float() for each in drawn())
    with pytest.raises(ValueError, match="query_size=14, but the query has size 7"):
        gate(query[..., :SIZE], key)
    with pytest.raises(ValueError, match="key_size=7, but the key has size 6"):
        gate(query, key[..., :-1])
    with pytest.raises(ValueError, match="size above 0, but size=0"):
        kind(0)


def test_the_hidden_layer_is_as_wide_as_the_facts_unless_said():
    assert isinstance(GateScore(SIZE).to_score, nn.Linear)
    assert GateScore(SIZE).to_score.in_features == SIZE
    assert InteractionScore(SIZE).to_score.in_features == SIZE
