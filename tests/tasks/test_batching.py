"""Batches: every pair once, the same each time, little padding."""

import pytest
import torch

from regard.tasks import BEGIN, END, PADDING, Vocabulary, collate, epoch_batches
from regard.tasks.batches import tokens
from regard.tasks.directions import generate


@pytest.fixture(scope="module")
def pairs():
    made = generate(2_003, seed=3)
    source = Vocabulary.build(pair.source for pair in made)
    target = Vocabulary.build(pair.target for pair in made)
    return [(source.encode(pair.source), target.encode(pair.target)) for pair in made]


def share_of_padding(pairs, batches):
    made = [collate([pairs[position] for position in batch]) for batch in batches]
    cells = sum(batch.source.numel() + batch.target_in.numel() for batch in made)
    words = sum(int(batch.source_lengths.sum() + batch.target_lengths.sum()) for batch in made)
    return 1 - words / cells


def test_a_batch_worked_by_hand():
    batch = collate([([5, 6, 7], [8, 9]), ([4], [7, 8, 9])])
    assert batch.source.tolist() == [[5, 6, 7], [4, PADDING, PADDING]]
    assert batch.source_lengths.tolist() == [3, 1]
    assert batch.target_in.tolist() == [[BEGIN, 8, 9, PADDING], [BEGIN, 7, 8, 9]]
    assert batch.target_out.tolist() == [[8, 9, END, PADDING], [7, 8, 9, END]]
    assert batch.target_lengths.tolist() == [3, 4]
    assert {part.dtype for part in batch} == {torch.long}


@pytest.mark.parametrize("size", [1, 31, 5_000])
def test_every_pair_is_in_one_batch_of_an_epoch(pairs, size):
    batches = epoch_batches(pairs, size, seed=3, epoch=2)
    assert sorted(position for batch in batches for position in batch) == list(range(len(pairs)))
    assert max(map(len, batches)) == min(size, len(pairs))


def test_batches_measured_in_tokens_hold_about_the_same_number(pairs):
    batches = epoch_batches(pairs, 701, seed=3, epoch=2, measure=tokens)
    assert sorted(position for batch in batches for position in batch) == list(range(len(pairs)))
    sizes = [
        collate([pairs[position] for position in batch]).target_in.numel() for batch in batches
    ]
    assert max(sizes) <= 701
    assert sorted(sizes)[len(sizes) // 10] > 0.8 * 701
    assert len({len(batch) for batch in batches}) > 7


def test_a_pair_larger_than_the_size_has_a_batch_of_its_own(pairs):
    long = [*pairs[:7], ([4] * 103, [4] * 101)]
    assert [7] in epoch_batches(long, 53, seed=3, epoch=2, measure=tokens)


def test_an_epoch_is_the_same_list_whenever_it_is_asked_for(pairs):
    epochs = [epoch_batches(pairs, 31, seed=3, epoch=epoch) for epoch in (0, 1, 2)]
    assert [epoch_batches(pairs, 31, seed=3, epoch=epoch) for epoch in (2, 0, 1)] == [
        epochs[2],
        epochs[0],
        epochs[1],
    ]


def test_epochs_and_seeds_differ_in_batches_and_in_their_order(pairs):
    lists = [
        epoch_batches(pairs, 31, seed=seed, epoch=epoch) for seed, epoch in [(3, 1), (3, 2), (2, 1)]
    ]
    for first in range(len(lists)):
        for second in range(first):
            together = {frozenset(batch) for batch in lists[first]}
            assert sum(frozenset(batch) in together for batch in lists[second]) < 20


def test_the_order_of_batches_does_not_follow_the_length(pairs):
    batches = epoch_batches(pairs, 31, seed=3, epoch=2)
    lengths = [max(len(pairs[position][0]) for position in batch) for batch in batches]
    half = len(lengths) // 2
    assert abs(sum(lengths[:half]) / half - sum(lengths[half:]) / (len(lengths) - half)) < 7


def test_a_tenth_of_a_batch_is_padding_where_it_would_be_more_than_half(pairs):
    batches = epoch_batches(pairs, 31, seed=3, epoch=2)
    as_they_come = [list(range(start, min(start + 31, 2_003))) for start in range(0, 2_003, 31)]
    assert share_of_padding(pairs, as_they_come) > 0.5
    assert share_of_padding(pairs, batches) < 0.1


def test_nothing_to_batch_is_an_error():
    with pytest.raises(ValueError, match=r"no pairs .* the training set is empty"):
        epoch_batches([], 31, seed=0, epoch=0)
    with pytest.raises(ValueError, match="1 or more, but size=0"):
        epoch_batches([([4], [5])], 0, seed=0, epoch=0)
    with pytest.raises(ValueError, match="a batch needs one pair or more"):
        collate([])
