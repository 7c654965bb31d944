"""One step of the rows that still ponder, forth and back, compiled.

What happened is kept by the row and step, one after the other: those of a step lie side by side, in
the order of their rows, from ``start`` on; then those of the next step, of the rows that go on.
"""

# ruff: noqa: PLR0913, PLR0917  (machine code knows arrays and numbers, no tuples of them)

from typing import Any

import numpy

from regard.kernels.composing import Composed
from regard.kernels.units import BACK, FORTH, unit, unit_back


def _forth(
    fed: Any,
    gates: Any,
    before: Any,
    memories: Any,
    after: Any,
    cells: Any,
    curved: Any,
    probabilities: Any,
    weights: Any,
    rows: Any,
    share: Any,
    halting: Any,
    bias: Any,
    blended: Any,
    remembered: Any,
    spent: Any,
    counts: Any,
    start: int,
    count: int,
    last: bool,
    enough: float,
) -> int:
    """Step, blend, and lay down the rows that go on behind those of this step; how many they are.

    ``fed`` is U h of these rows, ``spent`` the sum of a row's earlier probabilities.
    """
    real, size = gates.dtype.type, after.shape[1]
    spare, following = numpy.empty(2 * size, gates.dtype), start + count
    for event in range(start, start + count):
        row = rows[event]
        sums, output, memory = gates[event], after[event], cells[event]
        for i in range(sums.size):
            sums[i] = fed[event - start, i] + share[row, i]
        unit(sums, memories[event], memory, curved[event], output, spare)
        logit = bias[0]
        if logit > real(-numpy.inf):  # else no output matters, not even a broken one
            for i in range(size):
                logit += halting[i] * output[i]
        probability = real(1) / (real(1) + real(numpy.exp(-logit)))
        probabilities[event] = probability
        counts[row] += 1
        if last or spent[row] + probability >= real(enough):  # a NaN goes on, and shows
            weight = real(1) - spent[row]
        else:
            weight = probability
            spent[row] += probability
            rows[following] = row
            for i in range(size):
                before[following, i] = output[i]
            for i in range(memory.size):
                memories[following, i] = memory[i]
            following += 1
        weights[event] = weight
        for i in range(size):
            blended[row, i] += weight * output[i]
        for i in range(memory.size):
            remembered[row, i] += weight * memory[i]
    return following - start - count


def _back(
    gates: Any,
    memories: Any,
    after: Any,
    cells: Any,
    curved: Any,
    probabilities: Any,
    weights: Any,
    rows: Any,
    halting: Any,
    to_blended: Any,
    to_remembered: Any,
    to_remainder: Any,
    fed: Any,
    to_memory: Any,
    held: Any,
    to_gates: Any,
    to_logits: Any,
    to_share: Any,
    start: int,
    count: int,
    later: int,
) -> None:
    """Slopes of the sums of one step, from those of the blend and of the rows that went on.

    ``later`` rows did, whose slopes are the first of ``fed``; ``to_memory`` goes from c' to c. With
    D the slope of the blend, that of a weight is D s; ``held`` keeps that of the remainder, which
    takes what earlier steps get: dp^n = D s^n - (D s^N + dR) for n < N, and none at N.
    """
    real, size = gates.dtype.type, after.shape[1]
    slope, going = numpy.empty(size, gates.dtype), 0
    for event in range(start, start + count):
        row, weight, output, memory = rows[event], weights[event], after[event], cells[event]
        total = real(0)
        for i in range(size):
            total += to_blended[row, i] * output[i]
        for i in range(memory.size):
            total += to_remembered[row, i] * memory[i]
        if going < later and rows[start + count + going] == row:
            probability = probabilities[event]
            logit = (total - held[row]) * (probability - probability * probability)
            for i in range(size):
                slope[i] = fed[going, i] + weight * to_blended[row, i] + logit * halting[i]
            going += 1
        else:
            held[row] = total + to_remainder[row]
            logit = real(0)
            for i in range(size):
                slope[i] = weight * to_blended[row, i]
        for i in range(memory.size):
            to_memory[row, i] += weight * to_remembered[row, i]
        to_logits[event] = logit
        result = to_gates[event]
        unit_back(slope, gates[event], memories[event], curved[event], output, to_memory[row],
                  result)  # fmt: skip
        for i in range(result.size):
            to_share[row, i] += result[i]


forth = Composed(_forth, *FORTH)
back = Composed(_back, *BACK)
