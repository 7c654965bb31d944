"""Where one head goes on one example's tape, and the way back: parts of the compiled functions.

What the controller said to a head is a row k (word), beta, g, s (place), gamma - 1, here already
softplus, sigmoid, softmax and softplus of what it was. With tape M (word, slot), so that slots are
the lanes of the vectors, and norms |M(i)|, none counted shorter than epsilon:

    a = cos(k, M(i))    c = softmax(beta a)    m = p + g (c - p)    p: where the head was
    u(i) = sum_n m(i - n) s(n)    l = log max(u, tiny)    w = softmax(gamma l)

A ``trace`` keeps the rows a, c, u, l for the way back.
"""

from math import exp, log1p, sqrt
from typing import Any

import numpy

from regard.kernels.curves import PARTS as CURVES
from regard.kernels.curves import exponentials, logarithms

EPSILON = 1e-8  # of the cosine


def softplus(x: Any) -> Any:
    """log(1 + exp x), by torch's rule that above 20 it is x itself."""
    return x if x > 20 else log1p(exp(x))


def activate(said: Any, words: int) -> None:
    """Strength, gate, shares and power, in place of what was said."""
    real = said.dtype.type
    said[words] = softplus(said[words])
    said[words + 1] = real(1) / (real(1) + exp(-said[words + 1]))
    last = said.size - 1
    said[last] = softplus(said[last])
    shares = said[words + 2 : last]
    highest, total = shares[0], real(0)
    for n in range(1, shares.size):
        highest = max(highest, shares[n])
    for n in range(shares.size):
        shares[n] = exp(shares[n] - highest)
        total += shares[n]
    for n in range(shares.size):
        shares[n] /= total


def product(factors: Any, rows: Any, result: Any) -> None:
    """Add sum_w factors(w) rows(w, i), four rows at a time, which spares the result."""
    whole = rows.shape[0] // 4 * 4
    for w in range(0, whole, 4):
        f0, f1, f2, f3 = factors[w], factors[w + 1], factors[w + 2], factors[w + 3]
        r0, r1, r2, r3 = rows[w], rows[w + 1], rows[w + 2], rows[w + 3]
        for i in range(result.size):
            result[i] += (f0 * r0[i] + f1 * r1[i]) + (f2 * r2[i] + f3 * r3[i])
    for w in range(whole, rows.shape[0]):
        f0, r0 = factors[w], rows[w]
        for i in range(result.size):
            result[i] += f0 * r0[i]


def length(key: Any) -> Any:
    """|k|."""
    total = key.dtype.type(0)
    for w in range(key.size):
        total += key[w] * key[w]
    return sqrt(total)


def weigh(scores: Any, factor: Any, result: Any, spare: Any) -> None:
    """softmax(factor scores), for a factor of zero or more."""
    h0 = h1 = h2 = h3 = scores[0]
    whole = scores.size // 4 * 4
    for i in range(0, whole, 4):
        h0 = scores[i] if scores[i] > h0 else h0
        h1 = scores[i + 1] if scores[i + 1] > h1 else h1
        h2 = scores[i + 2] if scores[i + 2] > h2 else h2
        h3 = scores[i + 3] if scores[i + 3] > h3 else h3
    for i in range(whole, scores.size):
        h0 = scores[i] if scores[i] > h0 else h0
    highest = max(h0, h1, h2, h3)
    for i in range(scores.size):
        result[i] = factor * (scores[i] - highest)
    exponentials(result, spare)
    total = scores.dtype.type(0)
    for i in range(scores.size):
        total += result[i]
    share = scores.dtype.type(1) / total
    for i in range(scores.size):
        result[i] *= share


def convolve(mixed: Any, shares: Any, moved: Any) -> None:
    """u(i) = sum_n m(i - n) s(n), indices modulo the slots."""
    slots, reach = mixed.size, shares.size // 2
    for i in range(slots):
        moved[i] = mixed.dtype.type(0)
    for n in range(shares.size):
        share, ahead = shares[n], (n - reach) % slots
        start, end = mixed[: slots - ahead], mixed[slots - ahead :]
        late, early = moved[ahead:], moved[:ahead]
        for i in range(start.size):
            late[i] += start[i] * share
        for i in range(end.size):
            early[i] += end[i] * share


def go(said: Any, tape: Any, norms: Any, before: Any, trace: Any, weights: Any, spare: Any) -> None:
    """All of the above, for one head."""
    real, words, slots = said.dtype.type, tape.shape[0], tape.shape[1]
    activate(said, words)
    cosines, found, moved, logs = trace[0], trace[1], trace[2], trace[3]
    key, gate = said[:words], said[words + 1]
    for i in range(slots):
        cosines[i] = real(0)
    product(key, tape, cosines)
    scale = real(1) / max(length(key), real(EPSILON))
    for i in range(slots):
        cosines[i] *= scale / norms[i]
    weigh(cosines, said[words], found, spare)
    for i in range(slots):
        logs[i] = before[i] + gate * (found[i] - before[i])
    convolve(logs, said[words + 2 : said.size - 1], moved)
    tiny = real(numpy.finfo(said.dtype).tiny)
    for i in range(slots):
        weights[i] = tiny if moved[i] < tiny else moved[i]
    logarithms(weights, logs, spare)
    weigh(logs, real(1) + said[said.size - 1], weights, spare)


PARTS = *CURVES, softplus, activate, product, length, weigh, convolve, go
