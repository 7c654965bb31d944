"""One step of all rows, forth and back, compiled.

The blocks of ``gates`` and of what leads to them are the update gate, where there is one, the reset
gate and the new state. A row is a query of an example; queries of one example share ``given``.
"""

# ruff: noqa: PLR0913, PLR0917  (machine code knows arrays and numbers, no tuples of them)

from typing import Any

import numpy

from regard.kernels.composing import Composed
from regard.kernels.curves import PARTS as CURVES
from regard.kernels.curves import sigmoids, tangents


def _forth(
    fed: Any, given: Any, weights: Any, states: Any, gates: Any, heard: Any, now: int, step: int
) -> None:
    """From the state before ``step`` to that after it; ``fed`` is U h, whose last block is kept."""
    size = states.shape[2]
    queries, own = states.shape[1] // given.shape[1], gates.shape[2] - size
    spare = numpy.empty(gates.shape[2], fed.dtype)
    for row in range(states.shape[1]):
        share, back, gate = given[step, row // queries], fed[row], gates[now, row]
        before, after, kept = states[step, row], states[step + 1, row], heard[now, row]
        weight = weights[step, row]
        for i in range(own):
            gate[i] = share[i] + back[i]
        sigmoids(gate[:own], spare)
        reset, new = gate[own - size : own], gate[own:]
        for i in range(size):
            kept[i] = back[own + i]
            after[i] = share[own + i] + reset[i] * back[own + i]
        tangents(after, new, spare)
        for i in range(size):
            after[i] = before[i] + weight * (new[i] - before[i])
        if own > size:
            for i in range(size):
                after[i] = before[i] + gate[i] * (after[i] - before[i])


def _back(
    slopes: Any,
    weights: Any,
    states: Any,
    gates: Any,
    heard: Any,
    to_given: Any,
    to_weights: Any,
    to_fed: Any,
    step: int,
) -> None:
    """Slopes of what led to a step, from ``slopes`` of the state after it.

    That of the state before it is added, but for what goes through ``fed``, of which ``to_fed`` is
    the slope. With d that of h': dn = w u d, du = w (n - h) d, dw = sum u (n - h) d, and
    (1 - w u) d goes on to h.
    """
    real, size = slopes.dtype.type, states.shape[2]
    queries, own = states.shape[1] // to_given.shape[1], gates.shape[2] - size
    for row in range(states.shape[1]):
        gate, slope, before = gates[step, row], slopes[step + 1, row], states[step, row]
        kept, result, weight = heard[step, row], to_fed[step, row], weights[step, row]
        earlier, share = slopes[step, row], to_given[step, row // queries]
        reset, new, total = gate[own - size : own], gate[own:], real(0)
        if own > size:
            for i in range(size):
                update, apart = gate[i], (new[i] - before[i]) * slope[i]
                total += update * apart
                result[i] = weight * apart * (update - update * update)
                earlier[i] += (real(1) - weight * update) * slope[i]
                result[own + i] = weight * update * slope[i]
        else:
            for i in range(size):
                total += (new[i] - before[i]) * slope[i]
                earlier[i] += (real(1) - weight) * slope[i]
                result[own + i] = weight * slope[i]
        to_weights[step, row] = total
        for i in range(size):
            result[own + i] *= real(1) - new[i] * new[i]
            result[own - size + i] = result[own + i] * kept[i] * (reset[i] - reset[i] * reset[i])
        for i in range(gates.shape[2]):
            share[i] += result[i]
        for i in range(size):
            result[own + i] *= reset[i]


forth = Composed(_forth, *CURVES)
back = Composed(_back)
