"""Sentences as vectors, and the other parts of the memory network, worked by hand."""

import pytest
import torch
from torch import tensor
from torch.testing import assert_close

from regard.models import sentences
from regard.models.memn2n import Added, LeakySoftmax, OneEmpty, Rectified
from regard.models.sentences import (
    BagOfWords,
    LearnedPositionEncoding,
    PositionEncoding,
    ReleasedPositionEncoding,
    distinct,
    own_lengths,
    position_shares,
    released_shares,
)
from regard.normalisers import Softmax
from regard.testing.normalisers import NormaliserCase

ROWS = tensor([[1, 2, 3, 0], [4, 5, 0, 0], [1, 2, 3, 0], [0, 0, 0, 0], [7, 8, 9, 10], [4, 0, 5, 0]])


def test_the_papers_position_shares_worked_by_hand():
    rows = tensor(
        [[0.58333, 0.5, 0.41667, 0.33333], [0.41667, 0.5, 0.58333, 0.66667], [0.25, 0.5, 0.75, 1]]
    )
    assert_close(position_shares(4, 3).T.float(), rows, atol=1e-5, rtol=0)


def test_the_released_position_shares_worked_by_hand():
    rows = tensor([[1.5, 7 / 6, 5 / 6, 0.5], [1, 1, 1, 1], [0.5, 5 / 6, 7 / 6, 1.5]])
    assert_close(released_shares(4, 3).T.float(), rows)
    encoding = ReleasedPositionEncoding(3)  # the time is the fourth word
    assert_close(encoding.shares(2, 3)[0].T.float(), rows[:, :2])
    assert_close(encoding.time_shares(3).float(), rows[:, 3])


def test_distinct_sentences_are_found_even_where_their_numbers_agree(monkeypatch):
    for factors in (sentences._factors, torch.zeros):
        monkeypatch.setattr(sentences, "_factors", factors)
        found, places = distinct(ROWS)
        assert len(found) == 5
        assert torch.equal(found[places], ROWS)


def test_the_leaky_softmax_worked_by_hand():
    scores, mask = tensor([[[0.0, 1.0, 9.0]]]), tensor([[[True, True, False]]])
    e = 2.718282
    expected = tensor([[[1 / (1 + e + 3), e / (1 + e + 3), 0]]])
    assert_close(LeakySoftmax(5)(scores, mask), expected)
    assert_close(LeakySoftmax(2)(scores, mask), Softmax()(scores, mask))
    assert_close(LeakySoftmax(3)(scores), Softmax()(scores))
    far = LeakySoftmax(2)(scores - 500, mask)  # nothing leaks, and nothing is lost
    assert_close(far, Softmax()(scores, mask))


def test_one_empty_slot_worked_by_hand():
    scores = torch.tensor([[0.0, 1.0, 2.0]]).log()  # exp: 0, 1 and 2, and 1 of the empty slot
    assert_close(OneEmpty()(scores), torch.tensor([[0.0, 0.25, 0.5]]))
    mask = torch.tensor([[True, True, False]])
    assert_close(OneEmpty()(scores, mask), torch.tensor([[0.0, 0.5, 0.0]]))


@pytest.mark.parametrize("guarantee", NormaliserCase.guarantees, ids=lambda each: each.__name__)
def test_one_empty_slot_keeps_the_guarantees_of_a_normaliser(guarantee):
    guarantee(NormaliserCase("OneEmpty", OneEmpty))  # asserts inside


@pytest.mark.parametrize("slots", [2, 5, 11])
@pytest.mark.parametrize("guarantee", NormaliserCase.guarantees, ids=lambda each: each.__name__)
def test_the_leaky_softmax_keeps_the_guarantees_of_a_normaliser(slots, guarantee):
    guarantee(NormaliserCase("LeakySoftmax", lambda: LeakySoftmax(slots)))  # asserts inside


def test_a_memory_without_slots_is_refused():
    with pytest.raises(ValueError, match="one slot or more, but slots=0"):
        LeakySoftmax(0)


def test_rectifying_keeps_the_units_before_it_straight():
    query, seen = tensor([[-1.0, -1.0, -1.0]]), tensor([[0.5, 0.5, 2.0]])
    assert_close(Rectified(Added())(query, seen), tensor([[0.0, 0, 1]]))
    assert_close(Rectified(Added(), 1)(query, seen), tensor([[-0.5, 0, 1]]))
    with pytest.raises(ValueError, match="0 or more, but straight=-1"):
        Rectified(Added(), -1)


def test_words_count_up_to_the_last_one():
    assert own_lengths(ROWS).tolist() == [3, 2, 3, 0, 4, 3]


def test_the_papers_shares_are_those_of_the_sentences_own_length():
    shares = PositionEncoding().shares(4, 3)
    for length in range(1, 5):
        assert_close(shares[length, :length], position_shares(length, 3))
        assert not shares[length, length:].any()


@pytest.mark.parametrize(
    "make", [BagOfWords, PositionEncoding, lambda: ReleasedPositionEncoding(5)]
)
def test_sentences_are_sums_of_words_by_their_shares(make):
    encoding, words = make(), torch.randn(6, 4, 2, 7, dtype=torch.float64)
    words[ROWS == 0] = 0
    found = encoding(words, ROWS)
    assert found.shape == (6, 2, 7)
    shares = encoding.shares(4, 7)
    for row, own in enumerate(own_lengths(ROWS).tolist()):
        share = shares[min(own, len(shares) - 1)]
        expected = sum(share[place] * words[row, place] for place in range(4))
        assert_close(found[row], expected)


def test_shares_made_while_nobody_learns_serve_those_who_do():
    with torch.inference_mode():
        encoding = ReleasedPositionEncoding(11)
        encoding.shares(3, 17), PositionEncoding().shares(3, 17)
    words = torch.randn(2, 3, 17, dtype=torch.float64, requires_grad=True)
    for each in (encoding, PositionEncoding()):
        slope = torch.autograd.grad(each(words, tensor([[1, 2, 3], [4, 5, 6]])).sum(), words)[0]
        assert slope.abs().sum() > 0


def test_learned_shares_start_as_released_and_every_place_has_its_own():
    encoding = LearnedPositionEncoding(3, 4)
    words = torch.randn(6, 3, 4)
    rows = ROWS[:, :3]
    assert_close(encoding(words, rows), ReleasedPositionEncoding(3)(words, rows))
    encoding(words, rows)[:, 0].sum().backward()
    assert_close(encoding.table.grad[:, 0], words[..., 0].sum(dim=0))
    assert not encoding.table.grad[:, 1:].any()
    assert encoding(words[:, :2], rows[:, :2]).shape == (6, 4)  # shorter sentences, too
    assert_close(encoding.time_shares(4).float(), torch.ones(4))


def test_what_learned_shares_cannot_take_is_named():
    encoding = LearnedPositionEncoding(3, 4)
    with pytest.raises(ValueError, match="up to 5 words, but longest=3; LearnedPositionEncoding"):
        encoding.shares(5, 4)
    with pytest.raises(ValueError, match="words have size 6, but LearnedPositionEncoding has siz"):
        encoding.shares(3, 6)
    with pytest.raises(ValueError, match="longest must be 1 or more, but longest=0"):
        LearnedPositionEncoding(0, 4)
