"""The hops of one example, its answer, and the way back: parts of the compiled functions.

With keys m and values c of the hop, p = weigh(u . m):

    u' = H u + sum_i p_i c_i, where H may be missing; then ReLU from unit ``straight`` on

``room`` says how scores become weights: at -1 they stay as they are; otherwise softmax, in which
empty slots take part with score 0: one at -2, else as many as there are fewer sentences than
``room``.
"""

# ruff: noqa: PLR0913, PLR0917  (machine code knows arrays and numbers, no tuples of them)

from math import exp, log
from typing import Any

from regard.kernels.curves import PARTS as CURVES
from regard.kernels.curves import exponentials


def compare(rows: Any, table: int, vector: Any, result: Any) -> None:
    """Put row . vector for each row of a table, four rows at a time."""
    zero, whole = vector.dtype.type(0), result.size // 4 * 4
    for i in range(0, whole, 4):
        s0 = s1 = s2 = s3 = zero
        for k in range(vector.size):
            value = vector[k]
            s0 += value * rows[i, table, k]
            s1 += value * rows[i + 1, table, k]
            s2 += value * rows[i + 2, table, k]
            s3 += value * rows[i + 3, table, k]
        result[i], result[i + 1], result[i + 2], result[i + 3] = s0, s1, s2, s3
    for i in range(whole, result.size):
        s0 = zero
        for k in range(vector.size):
            s0 += vector[k] * rows[i, table, k]
        result[i] = s0


def blend(rows: Any, table: int, weights: Any, result: Any) -> None:
    """Add the sum of the rows of a table, each by its weight, four at a time."""
    whole = weights.size // 4 * 4
    for i in range(0, whole, 4):
        w0, w1, w2, w3 = weights[i], weights[i + 1], weights[i + 2], weights[i + 3]
        for k in range(result.size):
            result[k] += (w0 * rows[i, table, k] + w1 * rows[i + 1, table, k]) + (
                w2 * rows[i + 2, table, k] + w3 * rows[i + 3, table, k]
            )
    for i in range(whole, weights.size):
        w0 = weights[i]
        for k in range(result.size):
            result[k] += w0 * rows[i, table, k]


def weigh(scores: Any, room: int, spare: Any) -> None:
    """Make weights of scores, in place."""
    if room == -1 or scores.size == 0:
        return
    real = scores.dtype.type
    empty = 1 if room == -2 else max(room - scores.size, 0)
    highest = scores[0]
    for i in range(1, scores.size):
        highest = max(highest, scores[i])
    if empty > 0:
        highest = max(highest, real(0))
    for i in range(scores.size):
        scores[i] -= highest
    exponentials(scores, spare)
    total = real(empty) * real(exp(-highest)) if empty > 0 else real(0)
    for i in range(scores.size):
        total += scores[i]
    share = real(1) / total
    for i in range(scores.size):
        scores[i] *= share


def hop(
    memory: Any, keys: int, values: int, turn: Any, straight: int, room: int, asking: Any,
    weights: Any, result: Any, spare: Any,
) -> None:  # fmt: skip
    """Look once, and update the question."""
    real, size = asking.dtype.type, asking.size
    compare(memory, keys, asking, weights)
    weigh(weights, room, spare)
    if turn.size == 0:
        for k in range(size):
            result[k] = asking[k]
    else:
        compare(turn, 0, asking, result)
    blend(memory, values, weights, result)
    for k in range(straight, size):
        result[k] = real(0) if result[k] < real(0) else result[k]


def hop_back(
    memory: Any, keys: int, values: int, turn: Any, straight: int, room: int, asking: Any,
    weights: Any, result: Any, to_result: Any, to_scores: Any, to_asking: Any, to_turn: Any,
) -> None:  # fmt: skip
    """From the slope of u' those of the scores and of u; that of H is added to."""
    real, size = asking.dtype.type, asking.size
    for k in range(straight, size):
        to_result[k] = to_result[k] if result[k] > real(0) else real(0)
    compare(memory, values, to_result, to_scores)
    if room != -1:
        mean = real(0)
        for i in range(weights.size):
            mean += weights[i] * to_scores[i]
        for i in range(weights.size):
            to_scores[i] = weights[i] * (to_scores[i] - mean)
    if turn.size == 0:
        for k in range(size):
            to_asking[k] = to_result[k]
    else:
        for k in range(size):
            to_asking[k] = real(0)
        blend(turn, 0, to_result, to_asking)
        for k in range(size):
            factor = to_result[k]
            for j in range(size):
                to_turn[k, 0, j] += factor * asking[j]
    blend(memory, keys, to_scores, to_asking)


def remember_back(
    roles: Any, to_scores: Any, weights: Any, states: Any, slopes: Any, count: int, to_memory: Any
) -> None:
    """The slopes of the memory: dm_i = ds_i u in the tables of keys, dc_i = p_i du' of values.

    What several hops have used gets the slopes of all of them.
    """
    hops, size = weights.shape[0], states.shape[1]
    for i in range(count):
        to_memory[i] = to_memory.dtype.type(0)
        for h in range(hops):
            to_score, weight = to_scores[h, i], weights[h, i]
            keys, values = roles[2 + h], roles[2 + hops + h]
            for k in range(size):
                to_memory[i, keys, k] += to_score * states[h, k]
            for k in range(size):
                to_memory[i, values, k] += weight * slopes[h + 1, k]


def answer(rows: Any, table: int, state: Any, right: int, chances: Any, spare: Any) -> Any:
    """-log p(right), p = softmax(W u) over the words; ``chances`` become p, less 1 at the right.

    Return the loss, and whether another word was likelier.
    """
    real = state.dtype.type
    compare(rows, table, state, chances)
    highest, best = chances[0], 0
    for word in range(1, chances.size):
        if chances[word] > highest:
            highest, best = chances[word], word
    for word in range(chances.size):
        chances[word] -= highest
    own = chances[right]
    exponentials(chances, spare)
    total = real(0)
    for word in range(chances.size):
        total += chances[word]
    share = real(1) / total
    for word in range(chances.size):
        chances[word] *= share
    chances[right] -= real(1)
    return log(total) - own, best != right


PARTS = *CURVES, compare, blend, weigh, hop, hop_back, remember_back, answer
