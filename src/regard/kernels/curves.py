"""Exponentials, logarithms, sigmoids and tangents of whole rows, for the compiled functions.

Numba calls the C library for each number, eight times as slow as a vector of them. In single
precision these rows are therefore worked out by hand, with the roundings of a few last places:

    exp x  = 2^k exp r,  k = floor(x / ln 2 + 1/2),  |r| < 0.35     Taylor's series to r^7
    log x  = e ln 2 + 2 artanh s,  s = (m - 1) / (m + 1),  x = 2^e m,  |s| < 0.18    to s^9
    tanh x = (1 - exp -2x) / (1 + exp -2x), below 1/2 its continued fraction, which keeps the zeros

In double precision the C library is asked. NaN stays NaN. ``spare`` is a row to work in.
"""

from math import exp, log, tanh
from typing import Any

import numpy


def exponentials(row: Any, spare: Any) -> None:
    """Put exp x for x; beyond what is finite and normal, 0 or the largest."""
    if row.itemsize == 8:
        for i in range(row.size):
            row[i] = exp(row[i])
        return
    real = row.dtype.type
    powers = spare.view(numpy.int32)
    for i in range(row.size):
        x = row[i]
        inside = real(-87) if x < real(-87) else x
        inside = real(88) if inside > real(88) else inside
        k = numpy.floor(inside * real(1.4426950408889634) + real(0.5))
        r = inside - k * real(0.6931471805599453)
        series = real(1 / 720) + r * real(1 / 5040)
        series = real(1 / 24) + r * (real(1 / 120) + r * series)
        series = real(1 / 2) + r * (real(1 / 6) + r * series)
        series = real(1) + r * (real(1) + r * series)
        row[i] = real(0) if x < real(-87) else series
        powers[i] = (numpy.int32(k) + numpy.int32(127)) << numpy.int32(23)  # the bits of 2^k
    for i in range(row.size):
        row[i] *= spare[i]


def logarithms(row: Any, result: Any, spare: Any) -> None:
    """log x, of normal positive numbers."""
    if row.itemsize == 8:
        for i in range(row.size):
            result[i] = log(row[i])
        return
    real = row.dtype.type
    bits, mantissas = row.view(numpy.int32), spare.view(numpy.int32)
    half = numpy.int32(0x3F3504F3)  # the root of one half, so that m lies about one
    for i in range(row.size):
        above = bits[i] - half
        result[i] = real(above >> numpy.int32(23))
        mantissas[i] = (above & numpy.int32(0x7FFFFF)) + half
    for i in range(row.size):
        s = (spare[i] - real(1)) / (spare[i] + real(1))
        square = s * s
        series = real(1 / 5) + square * (real(1 / 7) + square * real(1 / 9))
        series = real(2) * s * (real(1) + square * (real(1 / 3) + square * series))
        value = result[i] * real(0.6931471805599453) + series
        result[i] = value if row[i] == row[i] else row[i]


def sigmoids(row: Any, spare: Any) -> None:
    """Put 1 / (1 + exp -x) for x."""
    real = row.dtype.type
    for i in range(row.size):
        row[i] = -row[i]
    exponentials(row, spare)
    for i in range(row.size):
        row[i] = real(1) / (real(1) + row[i])


def tangents(row: Any, result: Any, spare: Any) -> None:
    """tanh x."""
    real = row.dtype.type
    if row.itemsize == 8:
        for i in range(row.size):
            result[i] = tanh(row[i])
        return
    for i in range(row.size):
        result[i] = real(-2) * abs(row[i])
    exponentials(result, spare)
    for i in range(row.size):
        x, far = row[i], result[i]
        square = x * x
        above = x * (real(945) + square * (real(105) + square))
        below = real(945) + square * (real(420) + square * real(15))
        beyond = (real(1) - far) / (real(1) + far)
        result[i] = above / below if square < real(0.25) else (beyond if x > real(0) else -beyond)


PARTS = exponentials, logarithms, sigmoids, tangents
