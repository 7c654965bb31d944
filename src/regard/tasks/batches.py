"""Sentences of about the same length side by side, padded to rectangles."""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from regard.tasks.vocabulary import BEGIN, END, PADDING

Numbered = tuple[Sequence[int], Sequence[int]]  # the numbers of a source and of its target
POOL = 100  # batches that are sorted by length together


class Rectangle(NamedTuple):
    """How large a padded batch is."""

    pairs: int
    source: int  # the longest source
    target: int  # the longest target, its end included


Measure = Callable[[Rectangle], int]


class Batch(NamedTuple):
    """Pairs of sentences as padded numbers; the lengths of the target count its end, too."""

    source: Int[Tensor, "batch source"]
    source_lengths: Int[Tensor, " batch"]
    target_in: Int[Tensor, "batch target"]  # beginning, then the words: what the decoder reads
    target_out: Int[Tensor, "batch target"]  # the words, then the end: what it should say
    target_lengths: Int[Tensor, " batch"]


def sentences(batch: Rectangle) -> int:
    """The size of a batch as its number of pairs."""
    return batch.pairs


def tokens(batch: Rectangle) -> int:
    """The size of a batch as the numbers that it holds on its longer side, padding included."""
    return batch.pairs * max(batch.source, batch.target)


def epoch_batches(
    pairs: Sequence[Numbered], size: int, seed: int, epoch: int, measure: Measure = sentences
) -> list[list[int]]:
    """The batches of one epoch, each a list of positions in ``pairs``; every pair in one of them.

    Shuffled by a generator that starts from (seed, epoch), so that an epoch is the same list
    however often and in whatever order it is asked for. The pairs are shuffled, sorted by length
    within pools of about 100 batches, cut where ``measure`` would pass ``size``, and the batches
    shuffled. A pair that is larger than ``size`` by itself has a batch of its own.
    """
    if size < 1:
        raise ValueError(f"size must be 1 or more, but size={size}")
    if not pairs:
        raise ValueError("there are no pairs to make batches of: the training set is empty")
    random = Random(f"{seed}/{epoch}")
    order = list(range(len(pairs)))
    random.shuffle(order)
    average = sum(measure(Rectangle(1, *_lengths(pair))) for pair in pairs) / len(pairs)
    pool = max(1, round(POOL * size / average))
    batches: list[list[int]] = []
    for start in range(0, len(order), pool):
        chunk = order[start : start + pool]
        chunk.sort(key=lambda position: _by_length(pairs[position]))
        batches += _cut(chunk, pairs, size, measure)
    random.shuffle(batches)
    return batches


def collate(pairs: Sequence[Numbered]) -> Batch:
    """Pad pairs of number sequences into one batch."""
    if not pairs:
        raise ValueError("a batch needs one pair or more, but there are none")
    return Batch(
        _pad([source for source, _ in pairs]),
        torch.tensor([len(source) for source, _ in pairs]),
        _pad([(BEGIN, *target) for _, target in pairs]),
        _pad([(*target, END) for _, target in pairs]),
        torch.tensor([len(target) + 1 for _, target in pairs]),
    )


def _lengths(pair: Numbered) -> tuple[int, int]:
    return len(pair[0]), len(pair[1]) + 1


def _by_length(pair: Numbered) -> tuple[int, int]:
    """By the target, then by the source, up and down in turn so that neighbours stay alike."""
    source, target = _lengths(pair)
    return target, source if target % 2 else -source


def _cut(
    order: list[int], pairs: Sequence[Numbered], size: int, measure: Measure
) -> list[list[int]]:
    """Fill one batch after the other in this order, each up to ``size``."""
    batches: list[list[int]] = []
    batch: list[int] = []
    source = target = 0
    for position in order:
        lengths = _lengths(pairs[position])
        source, target = max(source, lengths[0]), max(target, lengths[1])
        if batch and measure(Rectangle(len(batch) + 1, source, target)) > size:
            batches.append(batch)
            batch = []
            source, target = lengths
        batch.append(position)
    return [*batches, batch]


def _pad(rows: Sequence[Sequence[int]]) -> Int[Tensor, "rows longest"]:
    longest = max(map(len, rows))
    filled = [[*row, *[PADDING] * (longest - len(row))] for row in rows]
    return torch.tensor(filled, dtype=torch.long)
