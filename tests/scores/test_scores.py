"""Each score against its equation, written out pair by pair."""

import math

import pytest
import torch
from torch import nn, tensor
from torch.testing import assert_close

from regard import Attention
from regard.scores import (
    Additive,
    Cosine,
    Distance,
    Dot,
    Euclidean,
    FromKey,
    FromQuery,
    General,
    InverseDistance,
    ScaledDot,
)

QUERY, KEY = torch.randn(2, 3, 7), torch.randn(2, 5, 7)


def by_pairs(equation, query, key):
    """Scores as two loops over one equation."""
    return torch.stack(
        [
            torch.stack([torch.stack([equation(q, k) for k in ks]) for q in qs])
            for qs, ks in zip(query, key, strict=True)
        ]
    )


@pytest.mark.parametrize(
    ("score", "equation"),
    [
        (Dot(), lambda q, k: q @ k),
        (ScaledDot(), lambda q, k: q @ k / math.sqrt(7)),
        (Cosine(2.5), lambda q, k: 2.5 * (q @ k) / (q.norm() * k.norm())),
        (Euclidean(), lambda q, k: 1 / (1 + (q - k).square().sum().sqrt())),
        (InverseDistance(), lambda q, k: 1 / (q - k).square().sum().sqrt()),
    ],
    ids=["Dot", "ScaledDot", "Cosine", "Euclidean", "InverseDistance"],
)
def test_a_score_without_parameters_is_its_equation(score, equation):
    assert_close(score(QUERY, KEY), by_pairs(equation, QUERY, KEY))


def test_general_is_query_times_matrix_times_key():
    score = General(query_size=7, key_size=3)
    key = torch.randn(2, 5, 3)
    weight = score.to_query.weight
    assert_close(score(QUERY, key), by_pairs(lambda q, k: q @ weight @ k, QUERY, key))


def test_additive_is_a_network_of_one_hidden_layer():
    score = Additive(query_size=7, key_size=3, hidden_size=11)
    key = torch.randn(2, 5, 3)
    w, u, v = score.from_query.weight, score.from_key.weight, score.vector
    assert_close(score(QUERY, key), by_pairs(lambda q, k: v @ (w @ q + u @ k).tanh(), QUERY, key))


def test_general_with_the_identity_is_dot():
    score = General(query_size=7, key_size=7)
    score.to_query.weight.data = torch.eye(7)
    assert_close(score(QUERY, KEY), Dot()(QUERY, KEY))


def test_scores_add():
    both = Dot() + Euclidean() + Distance(0.5)
    expected = Dot()(QUERY, KEY) + Euclidean()(QUERY, KEY) + Distance(0.5)(QUERY, KEY)
    assert_close(both(QUERY, KEY), expected)
    assert len(both.terms) == 3


def test_distance_counts_from_the_last_key():
    expected = tensor([[-0.5, 0.0, -0.5], [-1.0, -0.5, 0.0]])
    assert_close(Distance(0.5)(torch.zeros(2, 1), torch.zeros(3, 1)), expected)


@pytest.mark.parametrize("epsilon", [1e-8, 1e-30])
def test_cosine_of_a_zero_vector_is_zero_with_finite_gradients(epsilon):
    query, key = torch.zeros(1, 3, requires_grad=True), torch.randn(2, 3, requires_grad=True)
    scores = Cosine(epsilon=epsilon)(query, key)
    scores.sum().backward()
    assert not scores.any()
    assert query.grad.isfinite().all()
    assert key.grad.isfinite().all()


def test_contents_and_strength_of_a_tape_worked_by_hand():
    key, rows = tensor([[1.0, 0.0]]), tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    assert_close(Cosine()(key, rows), tensor([[1.0, 0.0, 0.7071]]), atol=1e-4, rtol=0)
    for strength, weights in ((1, (0.4730, 0.1740, 0.3529)), (10, (0.9492, 0.00004, 0.0507))):
        found = Attention(Cosine(strength))(key, rows).weights
        assert_close(found, tensor([weights]), atol=6e-5, rtol=0)


def test_variance_of_a_scaled_dot_is_one():
    torch.manual_seed(0)
    query, key = torch.randn(400, 64), torch.randn(400, 64)
    assert Dot()(query, key).var().item() == pytest.approx(64, rel=0.1)
    assert ScaledDot()(query, key).var().item() == pytest.approx(1, rel=0.1)


class TestFromQuery:
    def test_it_ignores_what_the_keys_are(self):
        score = FromQuery(nn.Linear(7, 5))
        assert_close(score(QUERY, KEY), score(QUERY, torch.randn(2, 5, 3)))

    def test_fewer_keys_use_the_first_places(self):
        network = nn.Linear(7, 11)
        weights = Attention(FromQuery(network))(QUERY, KEY).weights
        assert_close(weights, network(QUERY)[..., :5].softmax(dim=-1))

    def test_keys_beyond_the_last_place_get_nothing(self):
        network = nn.Linear(7, 3)
        weights = Attention(FromQuery(network))(QUERY, KEY).weights
        assert not weights[..., 3:].any()
        assert_close(weights[..., :3], network(QUERY).softmax(dim=-1))


def test_from_key_gives_every_query_the_same_scores():
    network = nn.Sequential(nn.Linear(7, 4), nn.Tanh(), nn.Linear(4, 1))
    scores = FromKey(network)(QUERY, KEY)
    assert_close(scores, network(KEY).mT.expand(2, 3, 5))
