"""All hops of an example over its words, forth and back, and the slopes of the tables, compiled.

A memory is laid out for one example at a time, so that all of its hops find it in the processor's
cache. ``table`` and ``times`` hold A and C side by side, (row, 2, size); ``turn`` is H, with an
axis of one between its two.
"""

# ruff: noqa: PLR0913, PLR0917  (machine code knows arrays and numbers, no tuples of them)

from typing import Any

import numpy

from regard.kernels.composing import Composed
from regard.kernels.curves import exponentials
from regard.kernels.hops.hopping import blend, compare, weigh


def remember(table: Any, times: Any, words: Any, memory: Any) -> None:
    """m_i = A x_i + T_A(i) and c_i = C x_i + T_C(i), side by side; time 1 is the last word."""
    latest = words.size - 1
    for i in range(words.size):
        row = words[i]
        for side in range(2):
            word, time, slot = table[row, side], times[latest - i, side], memory[i, side]
            for k in range(slot.size):
                slot[k] = word[k] + time[k]


def _forth(
    table: Any, times: Any, turn: Any, words: Any, straight: int, states: Any, contexts: Any,
    scores: Any, weights: Any, first: int, last: int,
) -> None:  # fmt: skip
    """From the states before the first hop to all others, for some of the examples."""
    real, (hops, size) = table.dtype.type, contexts.shape[1:]
    memory = numpy.empty((words.shape[1], 2, size), table.dtype)
    spare = numpy.empty(words.shape[1], table.dtype)
    for example in range(first, last):
        remember(table, times, words[example], memory)
        for hop in range(hops):
            asking, result = states[example, hop], states[example, hop + 1]
            share, context = weights[example, hop], contexts[example, hop]
            compare(memory, 0, asking, share)
            scores[example, hop] = share
            weigh(share, 0, spare)
            context[:] = real(0)
            blend(memory, 1, share, context)
            compare(turn, 0, asking, result)
            for k in range(size):
                result[k] += context[k]
            for k in range(straight, size):
                result[k] = real(0) if result[k] < real(0) else result[k]


def _back(
    table: Any, times: Any, turn: Any, words: Any, straight: int, states: Any, weights: Any,
    to_states: Any, to_contexts: Any, to_scores: Any, to_weights: Any, first: int, last: int,
) -> None:  # fmt: skip
    """From the slopes of the last states to all others, which are added to what is there.

    Those of states become those before ReLU, of H u + o. ds_i = p_i (dp_i - sum_j p_j dp_j).
    """
    real, (hops, size) = table.dtype.type, to_contexts.shape[1:]
    memory = numpy.empty((words.shape[1], 2, size), table.dtype)
    found = numpy.empty(words.shape[1], table.dtype)
    for example in range(first, last):
        remember(table, times, words[example], memory)
        for hop in range(hops - 1, -1, -1):
            result, slope = states[example, hop + 1], to_states[example, hop + 1]
            for k in range(straight, size):
                slope[k] = real(0) if result[k] <= real(0) else slope[k]
            to_context, earlier = to_contexts[example, hop], to_states[example, hop]
            for k in range(size):
                to_context[k] += slope[k]
            compare(memory, 1, to_context, found)
            share, to_share = weights[example, hop], to_weights[example, hop]
            to_score, mean = to_scores[example, hop], real(0)
            for i in range(found.size):
                found[i] += to_share[i]
                mean += share[i] * found[i]
            for i in range(found.size):
                to_score[i] += share[i] * (found[i] - mean)
            blend(turn, 0, slope, earlier)
            blend(memory, 0, to_score, earlier)


def _scatter(factors: Any, rows: Any, words: Any, side: int, to_table: Any) -> None:
    """Add to one side of a table: of keys dm_i = sum_h ds_hi u_h, of values dc_i = sum_h p_hi do_h.

    Words that come often find their row in the cache. ``blend`` takes four rows at a time, so hops
    are filled up to a multiple of four.
    """
    hops, size = rows.shape[1:]
    whole = (hops + 3) // 4 * 4
    few, shares = numpy.zeros((whole, 1, size), rows.dtype), numpy.zeros(whole, rows.dtype)
    for example in range(words.shape[0]):
        for hop in range(hops):
            few[hop, 0] = rows[example, hop]
        for i in range(words.shape[1]):
            for hop in range(hops):
                shares[hop] = factors[example, hop, i]
            blend(few, 0, shares, to_table[words[example, i], side])


HOPPING = exponentials, compare, blend, weigh, remember
forth, back = Composed(_forth, *HOPPING), Composed(_back, *HOPPING)
scatter = Composed(_scatter, blend)
