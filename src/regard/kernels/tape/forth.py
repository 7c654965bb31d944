"""One step of all examples, compiled: what the controller makes of its sums, what the tape of that.

The rows of a batch lie one after the other in arrays whose first axis is time: ``now`` is the row
of what belongs to a step, ``before`` and ``after`` are those of what goes from step to step.
"""

# ruff: noqa: PLR0913, PLR0917  (machine code knows arrays and numbers, no tuples of them)

from typing import Any

import numpy

from regard.kernels.composing import Composed
from regard.kernels.curves import sigmoids
from regard.kernels.tape.going import EPSILON, PARTS, go
from regard.kernels.units import FORTH, unit


def _drive(
    sums: Any, cells: Any, curved: Any, features: Any, now: int, before: int, after: int, step: int
) -> None:
    """Make the controller's output of its sums, which become gates."""
    size = curved.shape[2]
    spare = numpy.empty(2 * size, sums.dtype)
    kept = min(now, curved.shape[0] - 1)  # tanh keeps no curve of a memory
    for b in range(sums.shape[1]):
        output = features[step + 1, b, :size]
        unit(sums[now, b], cells[before, b], cells[after, b], curved[kept, b], output, spare)


def write(said: Any, tape: Any, places: Any, result: Any, norms: Any) -> None:
    """M' = M prod_h (1 - w_h e_h) + sum_h w_h a_h, and how long its slots are.

    ``said`` holds e and a of each head in turn.
    """
    real, words, heads = said.dtype.type, tape.shape[0], places.shape[0]
    for i in range(norms.size):
        norms[i] = real(0)
    for w in range(words):  # rows by number: Numba would count who holds them
        first = said[w]
        for i in range(norms.size):
            result[w, i] = tape[w, i] - tape[w, i] * (places[0, i] * first)
        for h in range(1, heads):
            erase = said[2 * h * words + w]
            for i in range(norms.size):
                result[w, i] -= result[w, i] * (places[h, i] * erase)
        for h in range(heads):
            add = said[(2 * h + 1) * words + w]
            for i in range(norms.size):
                result[w, i] += places[h, i] * add
        for i in range(norms.size):
            norms[i] += result[w, i] * result[w, i]
    for i in range(norms.size):
        norm = numpy.sqrt(norms[i])
        norms[i] = real(EPSILON) if norm < real(EPSILON) else norm


def read(tape: Any, weights: Any, result: Any) -> None:
    """r = sum_i w(i) M(i)."""
    for w in range(tape.shape[0]):
        row, total = tape[w], tape.dtype.type(0)
        for i in range(row.size):
            total += row[i] * weights[i]
        result[w] = total


def _turn(
    said: Any,
    tape: Any,
    norms: Any,
    places: Any,
    traces: Any,
    features: Any,
    now: int,
    before: int,
    after: int,
    step: int,
) -> None:
    """Let the heads of every example write, then read, by what the controller said to them."""
    words, slots, heads = tape.shape[2], tape.shape[3], places.shape[3]
    change = 2 * words
    span = (said.shape[2] // heads - change) // 2
    spare = numpy.empty(max(slots, words), said.dtype)
    for b in range(said.shape[1]):
        row, were, are = said[now, b], places[before, b], places[after, b]
        old, new = tape[before, b], tape[after, b]
        for h in range(heads):
            address = row[h * span : (h + 1) * span]
            go(address, old, norms[before, b], were[0, h], traces[now, b, 0, h], are[0, h], spare)
        changes = row[heads * span : heads * (span + change)]
        for h in range(heads):
            sigmoids(changes[h * change : h * change + words], spare)
        write(changes, old, are[0], new, norms[after, b])
        addresses = row[heads * (span + change) :]
        for h in range(heads):
            address = addresses[h * span : (h + 1) * span]
            go(address, new, norms[after, b], were[1, h], traces[now, b, 1, h], are[1, h], spare)
            end = features.shape[2] - (heads - h - 1) * words
            read(new, are[1, h], features[step + 1, b, end - words : end])


drive = Composed(_drive, *FORTH)
turn = Composed(_turn, *PARTS, write, read)
