"""Whole batches, epochs and trainings of a memory network, compiled."""

# ruff: noqa: PLR0913, PLR0917  (machine code knows arrays and numbers, no tuples of them)

from math import ceil
from typing import Any

import numpy

from regard.kernels.composing import Composed
from regard.kernels.hops.descending import PARTS as DESCENDING
from regard.kernels.hops.descending import descend
from regard.kernels.hops.drawing import PARTS as DRAWING
from regard.kernels.hops.drawing import draw_examples, draw_times
from regard.kernels.hops.hopping import PARTS as HOPPING
from regard.kernels.hops.hopping import answer, blend, hop, hop_back, remember_back
from regard.kernels.hops.reading import PARTS as READING
from regard.kernels.hops.reading import encode, gather, recall, unencode, unrecall


def learn(
    tables: Any, turn: Any, roles: Any, shares: Any, time_shares: Any, words: int, straight: int,
    room: int, sentences: Any, lengths: Any, used: Any, found: int, rows: Any, times: Any,
    counts: Any, asked: Any, right: Any, to_tables: Any, to_turn: Any,
) -> Any:  # fmt: skip
    """Add the slopes of a batch's loss; return the loss and how many answers were wrong."""
    kind, every, size, hops = tables.dtype, tables.shape[1], tables.shape[2], (roles.size - 2) // 2
    batch, slots, width = rows.shape[0], rows.shape[1], every * size
    flat, to_flat = tables.reshape(len(tables), width), to_tables.reshape(len(tables), width)
    encoded, to_encoded = numpy.empty((found, width), kind), numpy.zeros((found, width), kind)
    memory, to_memory = numpy.empty((slots, width), kind), numpy.empty((slots, width), kind)
    seen, to_seen = memory.reshape(slots, every, size), to_memory.reshape(slots, every, size)
    finals, chances = numpy.empty((batch, 1, size), kind), numpy.empty((batch, words), kind)
    states, slopes = numpy.empty((hops + 1, size), kind), numpy.empty((hops + 1, size), kind)
    weights, to_scores = numpy.empty((hops, slots), kind), numpy.empty((hops, slots), kind)
    spare, column = numpy.empty(max(slots, words), kind), numpy.empty(batch, kind)
    encode(flat, shares, sentences, lengths, used, found, encoded)
    loss, wrong, first = 0.0, 0, roles[0] * size
    for b in range(batch):
        count, place = counts[b], asked[b]
        recall(flat, time_shares, encoded, rows[b, :count], times[b, :count], memory)
        for k in range(size):
            states[0, k] = encoded[place, first + k]
        for h in range(hops):
            hop(seen, roles[2 + h], roles[2 + hops + h], turn, straight, room, states[h],
                weights[h, :count], states[h + 1], spare)  # fmt: skip
        cost, missed = answer(tables, roles[1], states[hops], right[b], chances[b], spare)
        loss += cost
        wrong += missed
        for k in range(size):
            finals[b, 0, k] = states[hops, k]
            slopes[hops, k] = kind.type(0)
        blend(tables, roles[1], chances[b], slopes[hops])
        for h in range(hops - 1, -1, -1):
            hop_back(seen, roles[2 + h], roles[2 + hops + h], turn, straight, room, states[h],
                     weights[h, :count], states[h + 1], slopes[h + 1], to_scores[h, :count],
                     slopes[h], to_turn)  # fmt: skip
        for k in range(size):
            to_encoded[place, first + k] += slopes[0, k]
        remember_back(roles, to_scores, weights, states, slopes, count, to_seen)
        unrecall(to_memory, time_shares, rows[b, :count], times[b, :count], to_encoded, to_flat)
    for word in range(1, words):
        for b in range(batch):
            column[b] = chances[b, word]
        blend(finals, 0, column, to_tables[word, roles[1]])
    unencode(to_encoded, shares, sentences, lengths, used, found, to_flat)
    to_tables[0] = kind.type(0)  # no word: it stays zero
    return loss, wrong


def _slopes(
    tables: Any, turn: Any, roles: Any, shares: Any, time_shares: Any, words: int, straight: int,
    room: int, sentences: Any, lengths: Any, story: Any, question: Any, right: Any, times: Any,
    to_tables: Any, to_turn: Any, loss: Any,
) -> None:  # fmt: skip
    """The loss of all examples and its slopes, at the given times, 0 meaning none."""
    batch, slots = story.shape
    place, used = numpy.full(len(sentences), -1), numpy.empty(len(sentences), numpy.int64)
    rows, when = numpy.empty((batch, slots), numpy.int64), numpy.zeros((batch, slots), numpy.int64)
    counts, asked = numpy.empty(batch, numpy.int64), numpy.empty(batch, numpy.int64)
    found = gather(numpy.arange(batch), story, question, place, used, rows, counts, asked)
    for b in range(batch):
        count = 0
        for i in range(slots):
            if story[b, i] > 0:
                when[b, count] = words + times[b, i] - 1 if times[b, i] > 0 else 0
                count += 1
    loss[0], loss[1] = learn(
        tables, turn, roles, shares, time_shares, words, straight, room, sentences, lengths, used,
        found, rows, when, counts, asked, right, to_tables, to_turn,
    )  # fmt: skip


def _train(
    tables: Any, turn: Any, roles: Any, shares: Any, time_shares: Any, words: int, straight: int,
    sentences: Any, lengths: Any, story: Any, question: Any, right: Any, rates: Any, rooms: Any,
    batch: int, steps: int, clip: float, noise: float, state: Any, losses: Any, errors: Any,
) -> None:  # fmt: skip
    """As many epochs as there are rates, in place; the mean loss and error of each."""
    slots, times = story.shape[1], len(tables) - words
    place, used = numpy.full(len(sentences), -1), numpy.empty(len(sentences), numpy.int64)
    rows, when = numpy.empty((batch, slots), numpy.int64), numpy.empty((batch, slots), numpy.int64)
    counts, asked = numpy.empty(batch, numpy.int64), numpy.empty(batch, numpy.int64)
    chosen, answers = numpy.empty(batch, numpy.int64), numpy.empty(batch, numpy.int64)
    to_tables, to_turn = numpy.zeros_like(tables), numpy.zeros_like(turn)
    gaps = numpy.empty(ceil(slots * noise) + 1, numpy.int64)
    for epoch in range(rates.size):
        total, missed = 0.0, 0
        for _ in range(steps):
            draw_examples(state, len(story), chosen)
            found = gather(chosen, story, question, place, used, rows, counts, asked)
            for b in range(batch):
                draw_times(state, counts[b], noise, times, when[b], gaps)
                for i in range(counts[b]):
                    when[b, i] += words - 1
                answers[b] = right[chosen[b]]
            loss, wrong = learn(
                tables, turn, roles, shares, time_shares, words, straight, rooms[epoch], sentences,
                lengths, used, found, rows, when, counts, asked, answers, to_tables, to_turn,
            )  # fmt: skip
            total += loss
            missed += wrong
            for table in range(tables.shape[1]):
                descend(to_tables, tables, table, rates[epoch], clip)
            descend(to_turn, turn, 0, rates[epoch], clip)
        losses[epoch] = total / (steps * batch)
        errors[epoch] = missed / (steps * batch)


PARTS = *DRAWING, *READING, *HOPPING, *DESCENDING, learn
slopes = Composed(_slopes, *PARTS)
train = Composed(_train, *PARTS)
