"""Looks that are told which key to find."""

import pytest
import torch
from torch import nn, tensor
from torch.testing import assert_close

from regard import Attention
from regard.losses import gate_supervision
from regard.masks import padding
from regard.normalisers import Sigmoid
from regard.scores import Dot

BATCH, KEY, SIZE = 2, 5, 7
LENGTHS = [KEY, 3]


def looks():
    torch.manual_seed(0)
    query = torch.randn(BATCH, 3, SIZE, requires_grad=True)
    key = torch.randn(BATCH, KEY, SIZE)
    look = Attention(Dot(), Sigmoid())
    return query, [look(query[:, i : i + 1], key, mask=padding(LENGTHS, KEY)) for i in range(3)]


def test_it_is_the_cross_entropy_of_the_scores_that_are_told():
    query, seen = looks()
    support = tensor([[4, -1, 0], [2, -1, -1]])
    loss = gate_supervision(seen, support)
    expected = [
        nn.functional.cross_entropy(seen[0].scores[0, 0], tensor(4)),
        nn.functional.cross_entropy(seen[2].scores[0, 0], tensor(0)),
        nn.functional.cross_entropy(seen[0].scores[1, 0, :3], tensor(2)),  # the rest is not there
    ]
    assert_close(loss, sum(expected) / 3)
    (slope,) = torch.autograd.grad(loss, query)
    assert slope[0, 0].any()
    assert not slope[:, 1].any()  # left to itself


def test_where_nothing_is_told_it_is_zero():
    assert gate_supervision(looks()[1], torch.full((BATCH, 3), -1)) == 0
    empty = Attention(Dot())(torch.randn(BATCH, 1, SIZE), torch.randn(BATCH, 0, SIZE))
    assert gate_supervision([empty], torch.full((BATCH, 1), -1)) == 0


@pytest.mark.parametrize("place", [3, 4, 5])
def test_a_key_that_is_not_there_is_refused(place):
    support = tensor([[0, -1, 0], [0, -1, place]])
    with pytest.raises(ValueError, match="keys that look 2 may not see; there are 5"):
        gate_supervision(looks()[1], support)


def test_as_many_columns_as_looks_are_wanted():
    with pytest.raises(ValueError, match="but it has 2 and there are 3 looks"):
        gate_supervision(looks()[1], tensor([[0, 1], [1, 2]]))
