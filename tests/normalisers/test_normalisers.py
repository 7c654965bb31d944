"""Rows worked by hand, agreement with other libraries, and the statistics of draws."""

import entmax
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import tensor
from torch.testing import assert_close

from regard import Attention
from regard.masks import padding
from regard.normalisers import (
    Entmax15,
    Gumbel,
    Hard,
    Mixed,
    Proportional,
    Sigmoid,
    Softmax,
    Sparsemax,
    StraightThrough,
    Unchanged,
)
from regard.scores import Dot

rows_of_scores = st.lists(
    st.lists(st.floats(-50, 50, width=32), min_size=3, max_size=3), min_size=1, max_size=5
)


def test_sparsemax_of_a_row_worked_by_hand():
    # support {0.5, 0.0}: tau = (0.5 + 0.0 - 1) / 2 = -0.25, so p = z + 0.25 there, 0 elsewhere
    assert_close(Sparsemax()(tensor([[-2.0, 0.0, 0.5]])), tensor([[0.0, 0.25, 0.75]]))


def test_entmax15_of_a_row_worked_by_hand():
    # z / 2 = (0.5, 0.1, -2): support of two, (0.5 - t)^2 + (0.1 - t)^2 = 1, t = 0.3 - sqrt(0.46)
    root = 0.46**0.5
    expected = tensor([[(0.2 + root) ** 2, (root - 0.2) ** 2, 0.0]])
    assert_close(Entmax15()(tensor([[1.0, 0.2, -4.0]])), expected)


@settings(deadline=None, max_examples=200)
@given(rows_of_scores)
def test_softmax_is_torchs(rows):
    scores = tensor(rows)
    assert_close(Softmax()(scores), torch.softmax(scores, dim=-1))


@settings(deadline=None, max_examples=200)
@given(rows_of_scores)
def test_sparse_normalisers_agree_with_the_entmax_package(rows):
    scores = tensor(rows, dtype=torch.float64)
    assert_close(Sparsemax()(scores), entmax.sparsemax(scores, dim=-1), atol=1e-7, rtol=0)
    assert_close(Entmax15()(scores), entmax.entmax15(scores, dim=-1), atol=1e-7, rtol=0)


@pytest.mark.parametrize("normaliser", [Softmax(), Sparsemax(), Entmax15(), Gumbel(), Hard()])
def test_the_weights_of_a_row_sum_to_one(normaliser):
    weights = normaliser(torch.randn(3, 5, 7) * 10, padding([2, 5, 7], 7))
    assert_close(weights.sum(dim=-1), torch.ones(3, 5))


def test_sigmoid_judges_every_key_for_itself():
    assert_close(Sigmoid()(tensor([[0.0, 100.0, -100.0]])), tensor([[0.5, 1.0, 0.0]]))


def test_proportional_counts_what_is_below_zero_as_nothing():
    assert_close(Proportional()(tensor([[3.0, -5.0, 1.0]])), tensor([[0.75, 0.0, 0.25]]))
    assert not Proportional()(tensor([[-1.0, -2.0]])).any()


def test_unchanged_leaves_scores_and_clears_what_is_forbidden():
    weights = Unchanged()(tensor([[[2.0, -3.0, 4.0]]]), padding([2], 3))
    assert_close(weights, tensor([[[2.0, -3.0, 0.0]]]))


class TestHard:
    def test_it_draws_keys_as_often_as_the_softmax_says(self):
        torch.manual_seed(0)
        scores = tensor([1.0, 2.0, 3.0]).expand(20_000, 3)
        share = Hard()(scores).mean(dim=0)
        assert_close(share, torch.softmax(scores[0], dim=-1), atol=0.015, rtol=0)

    def test_it_takes_the_best_in_eval(self):
        weights = Hard().eval()(tensor([[1.0, 3.0, 2.0]]))
        assert weights.tolist() == [[0, 1, 0]]

    def test_eval_does_not_touch_the_generator(self):
        torch.manual_seed(0)
        expected = torch.rand(1)
        torch.manual_seed(0)
        Hard().eval()(torch.zeros(2, 3))
        assert torch.rand(1) == expected

    def test_it_never_draws_what_is_forbidden(self):
        weights = Hard()(torch.zeros(1, 5000, 3), padding([2], 3))
        assert not weights[..., 2].any()
        assert_close(weights.sum(dim=-1), torch.ones(1, 5000))

    def test_the_weights_shown_are_the_draw_that_was_used(self):
        value = torch.arange(5.0).unsqueeze(-1)
        seen = Attention(Dot(), Hard())(torch.zeros(100, 3), torch.randn(5, 3), value)
        assert_close(seen.weights @ value, seen.context)
        assert_close(seen.weights, seen.weights)
        assert len(seen.context.unique()) > 1

    def test_log_probability_and_entropy_are_those_of_the_softmax(self):
        seen = Attention(Dot(), Hard())(torch.randn(2, 3, 7), torch.randn(2, 5, 7))
        probability = seen.scores.softmax(dim=-1)
        drawn = (probability * seen.weights).sum(dim=-1)
        assert_close(seen.log_probability, drawn.log())
        assert_close(seen.entropy, -(probability * probability.log()).sum(dim=-1))

    def test_a_query_that_sees_nothing_has_neither(self):
        mask = padding([5, 0], 5)
        seen = Attention(Dot(), Hard())(torch.randn(2, 3, 7), torch.randn(2, 5, 7), mask=mask)
        assert not seen.log_probability[1].any()
        assert not seen.entropy[1].any()
        assert seen.entropy[0].gt(0).all()


def test_gumbel_draws_without_bias_and_cools_to_one_hot():
    torch.manual_seed(0)
    scores = tensor([1.0, 2.0, 3.0]).expand(20_000, 3)
    cold = Gumbel(0.01)(scores)
    assert cold.max(dim=-1).values.gt(0.99).float().mean() > 0.95
    assert_close(cold.mean(dim=0), torch.softmax(scores[0], dim=-1), atol=0.015, rtol=0)


def test_straight_through_is_one_hot_with_the_soft_gradient():
    scores = torch.randn(3, 5, requires_grad=True)
    weights = StraightThrough(Softmax())(scores)
    assert weights.sum(dim=-1).tolist() == [1, 1, 1]
    assert weights.max(dim=-1).values.tolist() == [1, 1, 1]
    weighting = torch.randn(3, 5)
    (found,) = torch.autograd.grad((weights * weighting).sum(), scores)
    (soft,) = torch.autograd.grad((scores.softmax(dim=-1) * weighting).sum(), scores)
    assert_close(found, soft)


def test_mixed_takes_the_second_as_often_as_its_share():
    torch.manual_seed(0)
    weights = Mixed(Hard(), Softmax(), 0.25)(torch.randn(8000, 2, 3))
    one_hot = weights.max(dim=-1).values == 1
    assert (one_hot[:, 0] == one_hot[:, 1]).all()  # one coin for an example
    assert one_hot[:, 0].float().mean().item() == pytest.approx(0.75, abs=0.02)


def test_mixed_takes_the_first_in_eval():
    weights = Mixed(Hard(), Softmax(), 1.0).eval()(torch.randn(3, 2, 5))
    assert weights.max(dim=-1).values.eq(1).all()
