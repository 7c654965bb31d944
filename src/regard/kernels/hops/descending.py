"""An update: slopes of which each matrix is held short by itself, times the rate."""

from math import sqrt
from typing import Any

import numpy

ROUNDS = 1000
CLOSE = 1e-10


def squared(rows: Any, table: int) -> Any:
    """M'M of one table M of the rows."""
    size = rows.shape[2]
    square = numpy.zeros((size, size))
    for row in range(rows.shape[0]):
        for i in range(size):
            factor = numpy.float64(rows[row, table, i])
            for j in range(i + 1):
                square[i, j] += factor * rows[row, table, j]
    for i in range(size):
        for j in range(i):
            square[j, i] = square[i, j]
    return square


def longest(square: Any) -> float:
    """The root of the largest eigenvalue of M'M, which is M's spectral norm, by power iteration.

    It begins with the column of the longest diagonal, so that it is not square to all that matters.
    """
    size, best = len(square), 0
    for i in range(size):
        best = i if square[i, i] > square[best, best] else best
    vector, found, before = square[best].copy(), numpy.empty(size), 0.0
    for _ in range(ROUNDS):
        length = 0.0
        for i in range(size):
            length += vector[i] * vector[i]
        length = sqrt(length)
        if length == 0.0 or abs(length - before) <= CLOSE * length:
            return sqrt(length)
        before = length
        for i in range(size):
            total = 0.0
            for j in range(size):
                total += square[i, j] * vector[j]
            found[i] = total / length
        for i in range(size):
            vector[i] = found[i]
    return sqrt(before)


def descend(slopes: Any, rows: Any, table: int, rate: float, clip: float) -> None:
    """M -= rate dM, where dM longer than ``clip`` is made as short; then dM is 0 again.

    M is one table of the rows. The root of the sum of squares, which is quick, is never less than
    the spectral norm: that one is only worked out where it may matter.
    """
    real = rows.dtype.type
    total = real(0)
    for row in range(rows.shape[0]):
        for k in range(rows.shape[2]):
            total += slopes[row, table, k] * slopes[row, table, k]
    if not total <= clip * clip:
        norm = longest(squared(slopes, table))
        rate *= clip / norm if norm > clip else 1.0
    step = real(rate)
    for row in range(rows.shape[0]):
        for k in range(rows.shape[2]):
            rows[row, table, k] -= step * slopes[row, table, k]
            slopes[row, table, k] = real(0)


PARTS = squared, longest, descend
