"""What a translator is taught: losses by hand, links where they belong."""

import math

import pytest
import torch

from regard.attention import Attention
from regard.models import Luong, RNNSearch, Transformer
from regard.recipes.translation.lessons import NextWord, NextWordAndLook, smoothed
from regard.scores import Dot
from regard.tasks import END, PADDING

PAIRS = [([5, 6, 7, END], [4, 5]), ([8, END], [6, 7, 8])]
LINKS = [frozenset({(0, 2), (1, 0), (1, 1)}), frozenset({(0, 0), (2, 0)})]


def test_smoothed_loss_of_even_scores_is_the_logarithm_of_the_vocabulary_for_each_real_word():
    wanted = torch.tensor([[4, 5, PADDING], [6, PADDING, PADDING]])
    loss = smoothed(torch.zeros(2, 3, 11), wanted, 0.1)
    assert loss.item() == pytest.approx(3 * math.log(11))


def test_links_are_true_exactly_where_a_pair_has_them():
    batch = NextWordAndLook(PAIRS, LINKS, 0.0, 1.0).batch([1, 0])
    assert batch.links.shape == (2, 4, 4)  # target words and the end; source entries
    found = {tuple(place) for place in batch.links.nonzero().tolist()}
    assert found == {(0, 0, 0), (0, 2, 0), (1, 0, 2), (1, 1, 0), (1, 1, 1)}


SIZES = {"source_vocabulary": 11, "target_vocabulary": 13}
MODELS = [
    RNNSearch(**SIZES, word_size=3, state_size=5, hidden_size=7),
    Luong(Attention(Dot()), **SIZES, size=6),
    Transformer(**SIZES, size=8, heads=2, inner_size=5, layers=2, dropout=0.0),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_guidance_adds_the_logarithm_of_the_weight_on_true_links(model):
    plain, guided = NextWord(PAIRS, 0.1), NextWordAndLook(PAIRS, LINKS, 0.1, 0.7)
    batch = guided.batch([0, 1])
    _, looks = model(batch.source, batch.source_lengths, batch.target_in)
    weights = model.decoder.alignments(looks)
    expected = 0.0
    for row, links in enumerate(LINKS):
        for target in {target for target, _ in links}:
            total = sum(weights[row, target, source] for where, source in links if where == target)
            expected -= 0.7 * math.log(total.item())
    without = plain.loss(model, plain.batch([0, 1]))
    with_guidance = guided.loss(model, batch)
    assert with_guidance.count == without.count == 7
    torch.testing.assert_close(
        with_guidance.total - without.total, torch.tensor(expected), rtol=1e-4, atol=1e-4
    )
