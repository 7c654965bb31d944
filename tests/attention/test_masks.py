"""Masks: what each lets through."""

import torch
from torch import nn, tensor
from torch.testing import assert_close

from regard import MultiHead
from regard.masks import causal, from_torch, padding, window

T, F = True, False


def test_causal_lets_through_the_past_and_the_present():
    assert causal(3).tolist() == [[T, F, F], [T, T, F], [T, T, T]]


def test_causal_is_aligned_at_the_last_key():
    assert causal(2, 4).tolist() == [[T, T, T, F], [T, T, T, T]]
    assert causal(1, 5).all()
    assert causal(3, 2).tolist() == [[F, F], [T, F], [T, T]]


def test_padding_lets_through_the_true_length():
    mask = padding([1, 3, 0], 3)
    assert mask.shape == (3, 1, 3)
    assert mask[:, 0].tolist() == [[T, F, F], [T, T, T], [F, F, F]]
    assert padding(tensor([1, 3])).shape == (2, 1, 3)


def test_window_lets_through_the_neighbours():
    assert window(4, 1).tolist() == [[T, T, F, F], [T, T, T, F], [F, T, T, T], [F, F, T, T]]
    assert window(2, 1, 4).tolist() == [[T, T, F, F], [T, T, T, F]]
    assert window(5, 5).all()


def test_masks_combine_by_and():
    mask = causal(3) & padding([2, 3], 3) & window(3, 1)
    assert mask.tolist() == [
        [[T, F, F], [T, T, F], [F, T, F]],
        [[T, F, F], [T, T, F], [F, T, T]],
    ]


def test_masks_of_torch_are_turned_round():
    theirs = nn.MultiheadAttention(12, 3, batch_first=True).eval()
    ours = MultiHead.from_torch(theirs)
    words = torch.randn(2, 5, 12)
    future = torch.ones(5, 5, dtype=torch.bool).triu(1)
    filling = tensor([[F, F, F, F, F], [F, F, F, T, T]])
    expected, weights = theirs(
        words, words, words, key_padding_mask=filling, attn_mask=future, average_attn_weights=False
    )
    seen = ours(words, mask=from_torch(attn_mask=future, key_padding_mask=filling))
    assert_close(seen.context, expected)
    assert_close(seen.weights, weights)
    assert from_torch(future).equal(causal(5))
    assert from_torch(torch.zeros(5, 5).masked_fill(future, float("-inf"))).equal(causal(5))
    assert from_torch() is None
