"""The numbers that the lectures work out, and the errata on their slides."""

import pytest
import torch
from torch import tensor
from torch.testing import assert_close

from regard import Attention
from regard.normalisers import Hard, Proportional, Softmax
from regard.scores import Additive, Concat, Dot, InverseDistance, ScaledDot

NAMES = ["Alice Johnson", "Bob Smith", "Carol Davis", "Dave Martin", "Eve Clark"]
NUMBERS = tensor([[5551234.0], [5555678.0], [5558765.0], [5554321.0], [5553456.0]])


def test_exact_match_is_attention_with_one_hot_weights():
    keys = torch.eye(5)  # every name its own direction
    seen = Attention(Dot(), Hard()).eval()(keys[[NAMES.index("Bob Smith")]], keys, NUMBERS)
    assert seen.context.item() == 5555678
    assert seen.weights.tolist() == [[0, 1, 0, 0, 0]]


@pytest.mark.parametrize(
    ("size", "price"),
    [(360, 36.0), (310, 31.0), (350, 35.0), (390, 39.0), (450, 37.5), (200, 100 / 3), (300, 30.0)],
)
def test_approximate_match_gives_the_price_of_a_box(size, price):
    look = Attention(InverseDistance(), Proportional())
    seen = look(tensor([[float(size)]]), tensor([[300.0], [400.0]]), tensor([[30.0], [40.0]]))
    assert_close(seen.context, tensor([[price]]))


def test_the_box_of_360_takes_two_fifths_and_three_fifths():
    look = Attention(InverseDistance(), Proportional())
    seen = look(tensor([[360.0]]), tensor([[300.0], [400.0]]), tensor([[30.0], [40.0]]))
    assert_close(seen.weights, tensor([[0.4, 0.6]]))
    assert seen.context.item() == pytest.approx(36.0)


def test_shares_of_similarity_are_the_softmax_of_its_logarithm():
    similarity = InverseDistance()(tensor([[360.0]]), tensor([[300.0], [400.0]]))
    assert_close(Proportional()(similarity), Softmax()(similarity.log()))


def test_softmax_of_one_two_three():
    expected = tensor([[0.090031, 0.244728, 0.665241]])
    assert_close(Softmax()(tensor([[1.0, 2.0, 3.0]])), expected, atol=1e-6, rtol=0)


def test_a_loop_of_dots_is_one_matrix_product_is_one_bmm():
    query, key = torch.randn(2, 3, 7), torch.randn(2, 5, 7)
    scores = Dot()(query, key)
    loop = [[[float(q @ k) for k in ks] for q in qs] for qs, ks in zip(query, key, strict=True)]
    assert_close(scores, tensor(loop))
    assert_close(scores, query @ key.mT)
    assert_close(scores, torch.bmm(query, key.transpose(1, 2)))


def test_concat_is_additive_with_its_matrix_split():
    concat = Concat(query_size=3, key_size=5, hidden_size=7)
    additive = Additive(query_size=3, key_size=5, hidden_size=7)
    additive.from_query.weight.data = concat.from_both.weight[:, :3]
    additive.from_key.weight.data = concat.from_both.weight[:, 3:]
    additive.vector.data = concat.vector.data
    query, key = torch.randn(2, 2, 3), torch.randn(2, 11, 5)
    assert_close(concat(query, key), additive(query, key))
    joined = torch.cat(
        [query[:, :, None].expand(-1, -1, 11, -1), key[:, None].expand(-1, 2, -1, -1)], dim=-1
    )
    expected = concat.from_both(joined).tanh() @ concat.vector  # v . tanh(W [q; k]) to the letter
    assert_close(concat(query, key), expected)


def test_the_transformers_matrix_worked_by_hand():
    key = tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    value = tensor([[1.0, 0.0], [0.0, 2.0], [3.0, 3.0]])
    seen = Attention(ScaledDot())(torch.eye(2), key, value)
    weights = tensor([[0.401112, 0.197776, 0.401112], [0.197776, 0.401112, 0.401112]])
    context = tensor([[1.604448, 1.598888], [1.401112, 2.005560]])
    assert_close(seen.weights, weights, atol=1e-6, rtol=0)
    assert_close(seen.context, context, atol=1e-6, rtol=0)


@pytest.mark.parametrize(
    ("scores", "weights", "context"),
    [
        ((2.0, 0.5, 1.0), (0.6285, 0.1402, 0.2312), (0.8598, 0.3715)),
        ((0.0, 0.0, 0.6931472), (0.25, 0.25, 0.5), (0.75, 0.75)),
    ],
)
def test_bahdanaus_weights_and_context_worked_by_hand(scores, weights, context):
    value = tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    found = Softmax()(tensor([scores]))
    assert_close(found, tensor([weights]), atol=6e-5, rtol=0)
    assert_close(found @ value, tensor([context]), atol=1e-4, rtol=0)


def test_a_zero_vector_looks_at_all_keys_alike():
    score = Additive(query_size=3, key_size=5, hidden_size=7)
    torch.nn.init.zeros_(score.vector)
    weights = Attention(score)(torch.randn(2, 3), torch.randn(11, 5)).weights
    assert_close(weights, torch.full((2, 11), 1 / 11))


class TestErrata:
    def test_query_dot_key_is_x_wq_transposed_wk_x(self):
        """The slide prints x' W_Q (W_K)' x; with q = W_Q x it is x' W_Q' W_K x."""
        w_q, w_k, x, y = torch.randn(3, 5), torch.randn(3, 5), torch.randn(5), torch.randn(5)
        score = Dot()((w_q @ x)[None], (w_k @ y)[None])
        assert_close(score, (x @ w_q.T @ w_k @ y)[None, None])

    def test_weights_sum_to_one_over_keys_in_the_column_form(self):
        """The slide prints V softmax(Q'K / sqrt p); right is V softmax_columns(K'Q / sqrt p)."""
        q, k, v = torch.randn(3, 4), torch.randn(3, 6), torch.randn(5, 6)  # columns are items
        columns = v @ torch.softmax(k.T @ q / 3**0.5, dim=0)
        seen = Attention(ScaledDot())(q.T, k.T, v.T)
        assert_close(seen.context.T, columns)
        assert_close(seen.weights.sum(dim=-1), torch.ones(4))

    def test_a_word_also_looks_at_itself(self):
        """The slide's list for "bird" leaves out "bird"; the softmax runs over all six words."""
        words = torch.randn(6, 7)
        weights = Attention(ScaledDot())(words).weights
        assert weights.shape == (6, 6)
        assert weights.diagonal().gt(0).all()
