"""Nearest neighbours across two sets of vectors."""

import torch

from regard.metrics import retrieval


def test_each_item_finds_itself_however_long_the_vectors_are():
    vectors = torch.randn(7, 5)
    assert retrieval(vectors, 3 * vectors) == 1.0


def test_swapped_items_are_not_found():
    vectors = torch.eye(4)
    assert retrieval(vectors, vectors[[1, 0, 2, 3]]) == 0.5
