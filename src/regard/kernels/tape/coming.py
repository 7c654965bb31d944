"""The way back of one head: from the slope of where it went to all that led there.

With the names of ``going``, d for slopes, and sums over slots:

    dv = w (dw - sum w dw), v = gamma l        dgamma = sum dv l    du = gamma dv / u, 0 below tiny
    dm(j) = sum_n du(j + n) s(n)               ds(n) = sum_j m(j) du(j + n)
    dg = sum dm (c - p)    dp = (1 - g) dm     db = g c (dm - sum c dm), b = beta a
    dbeta = sum db a       da = beta db        q = da / (|k| |M|)
    dk = sum q M - k (sum da a) / |k|^2        dM = q k - M da a / |M|^2

A vector that counted as longer than it was has no slope through its length.

A loop that sums writes nothing: the compiler guards one that does both by asking whether its arrays
lie close together, and where they lie would decide how the sum is grouped, and its last bits.
"""

# ruff: noqa: PLR0913, PLR0917  (machine code knows arrays and numbers, no tuples of them)

from math import expm1
from typing import Any

import numpy

from regard.kernels.tape.going import EPSILON, length


def unsharpen(weights: Any, moved: Any, logs: Any, slope: Any, result: Any) -> Any:
    """du / gamma into ``result``, from ``slope`` dw; gives dgamma."""
    real = weights.dtype.type
    tiny = real(numpy.finfo(weights.dtype).tiny)
    mean = to_power = real(0)
    for i in range(weights.size):
        mean += weights[i] * slope[i]
    for i in range(weights.size):
        result[i] = weights[i] * (slope[i] - mean)
    for i in range(weights.size):
        to_power += result[i] * logs[i]
    for i in range(weights.size):
        result[i] = real(0) if moved[i] < tiny else result[i] / moved[i]
    return to_power


def unshift(shares: Any, power: Any, mixed: Any, slope: Any, result: Any, to_shares: Any) -> None:
    """dm into ``result``, and ds, from ``slope`` du / gamma."""
    real, slots, reach = mixed.dtype.type, mixed.size, shares.size // 2
    for i in range(slots):
        result[i] = real(0)
    for n in range(shares.size):
        share, ahead, total = power * shares[n], (n - reach) % slots, real(0)
        start, end = slope[ahead:], slope[:ahead]
        for i in range(start.size):
            total += start[i] * mixed[i]
        for i in range(start.size):
            result[i] += start[i] * share
        late, late_mixed = result[slots - ahead :], mixed[slots - ahead :]
        for i in range(end.size):
            total += end[i] * late_mixed[i]
        for i in range(end.size):
            late[i] += end[i] * share
        to_shares[n] = power * total


def unsaid(said: Any, to_said: Any, words: int) -> None:
    """Take the slopes of strength, gate, shares and power to what was said, in place."""
    real, last = said.dtype.type, said.size - 1
    gate, mean = said[words + 1], real(0)
    to_said[words] *= -expm1(-said[words])  # softplus' = 1 - exp(-softplus)
    to_said[words + 1] *= gate * (real(1) - gate)
    for n in range(words + 2, last):
        mean += said[n] * to_said[n]
    for n in range(words + 2, last):
        to_said[n] = said[n] * (to_said[n] - mean)
    to_said[last] *= -expm1(-said[last])


def unmatch(key: Any, tape: Any, norms: Any, cosines: Any, slope: Any, turned: Any, to_key: Any,
            to_tape: Any) -> None:  # fmt: skip
    """dk, and dM added, from ``slope`` da, which becomes q; ``turned`` becomes da a / |M|^2."""
    real, total = key.dtype.type, key.dtype.type(0)
    epsilon, norm = real(EPSILON), length(key)
    scale = real(1) / max(norm, epsilon)
    for i in range(slope.size):
        total += slope[i] * cosines[i]
    for i in range(slope.size):
        both = slope[i] * cosines[i]
        turned[i] = both / (norms[i] * norms[i]) if norms[i] > epsilon else real(0)
        slope[i] *= scale / norms[i]
    shrink = total * scale * scale if norm >= epsilon else real(0)
    for w in range(tape.shape[0]):
        row, result, factor, total = tape[w], to_tape[w], key[w], real(0)
        for i in range(row.size):
            total += slope[i] * row[i]
        for i in range(row.size):
            result[i] += slope[i] * factor - turned[i] * row[i]
        to_key[w] = total - shrink * factor


def come(said: Any, tape: Any, norms: Any, before: Any, trace: Any, weights: Any, slope: Any,
         to_said: Any, to_tape: Any, spare: Any) -> None:  # fmt: skip
    """Slopes of what was said and of the tape; ``slope`` goes from that of w to that of p."""
    real, words, last = said.dtype.type, tape.shape[0], said.size - 1
    strength, gate, power = said[words], said[words + 1], real(1) + said[last]
    cosines, found, moved, logs = trace[0], trace[1], trace[2], trace[3]
    steep, mixed, result = spare[0], spare[1], spare[2]
    to_said[last] = unsharpen(weights, moved, logs, slope, steep)
    for i in range(before.size):
        mixed[i] = before[i] + gate * (found[i] - before[i])
    unshift(said[words + 2 : last], power, mixed, steep, result, to_said[words + 2 : last])
    to_gate = to_strength = mean = real(0)
    for i in range(before.size):
        mean += found[i] * result[i]
        to_gate += result[i] * (found[i] - before[i])
    for i in range(before.size):
        slope[i] = (real(1) - gate) * result[i]
        result[i] = gate * found[i] * (result[i] - mean)
    for i in range(before.size):
        to_strength += result[i] * cosines[i]
    for i in range(before.size):
        result[i] *= strength
    to_said[words], to_said[words + 1] = to_strength, to_gate
    unsaid(said, to_said, words)
    unmatch(said[:words], tape, norms, cosines, result, mixed, to_said[:words], to_tape)


PARTS = length, unsharpen, unshift, unsaid, unmatch, come
