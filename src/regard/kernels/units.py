"""One row of a recurrent unit, forth and back, for the compiled functions: an LSTM, or tanh.

    i, f, o = sigmoid, g = tanh of the four sums     c' = f c + i g     h = o tanh(c')

Where a row of sums is as wide as its output, it is h = tanh.
"""

from typing import Any

from regard.kernels.curves import PARTS as CURVES
from regard.kernels.curves import sigmoids, tangents


def unit(row: Any, cell: Any, following: Any, curve: Any, output: Any, spare: Any) -> None:
    """Make the output of sums, which become gates; of an LSTM tanh(c') is kept in ``curve``."""
    size = output.size
    if row.size == size:
        tangents(row, output, spare)
        return
    sigmoids(row[: 2 * size], spare)
    tangents(row[2 * size : 3 * size], curve, spare)
    sigmoids(row[3 * size :], spare)
    entering, staying = row[:size], row[size : 2 * size]
    fresh, leaving = row[2 * size : 3 * size], row[3 * size :]
    for i in range(size):
        fresh[i] = curve[i]
    for i in range(size):
        following[i] = staying[i] * cell[i] + entering[i] * fresh[i]
    tangents(following, curve, spare)
    for i in range(size):
        output[i] = leaving[i] * curve[i]


def unit_back(
    slope: Any, row: Any, cell: Any, curve: Any, output: Any, memory: Any, result: Any
) -> None:
    """Slopes of the sums, from that of the output; ``memory``, that of c', becomes that of c.

    dc' += dh o (1 - tanh(c')^2), do = dh tanh(c'), di = dc' g, dg = dc' i, df = dc' c.
    """
    real, size = row.dtype.type, output.size
    if row.size == size:
        for i in range(size):
            result[i] = slope[i] * (real(1) - output[i] * output[i])
        return
    entering, staying = row[:size], row[size : 2 * size]
    fresh, leaving = row[2 * size : 3 * size], row[3 * size :]
    to_entering, to_staying = result[:size], result[size : 2 * size]
    to_fresh, to_leaving = result[2 * size : 3 * size], result[3 * size :]
    for i in range(size):
        memory[i] += slope[i] * leaving[i] * (real(1) - curve[i] * curve[i])
    for i in range(size):
        out = leaving[i]
        to_leaving[i] = slope[i] * curve[i] * (out - out * out)
    for i in range(size):
        enters = entering[i]
        to_entering[i] = memory[i] * fresh[i] * (enters - enters * enters)
    for i in range(size):
        to_fresh[i] = memory[i] * entering[i] * (real(1) - fresh[i] * fresh[i])
    for i in range(size):
        stays = staying[i]
        to_staying[i] = memory[i] * cell[i] * (stays - stays * stays)
    for i in range(size):
        memory[i] *= staying[i]


FORTH, BACK = (*CURVES, unit), (unit_back,)
