"""Additive scores and their gradients over one tile, as loops that Numba compiles.

With E = exp(2q) exp(2k) and r = 1 / (1 + E):

    tanh(q + k) = 1 - 2r        d tanh(q + k) = 4 (r - r^2)

so that no transcendental function is left inside: the exponentials of queries and of keys are
taken once outside. An inner loop is a multiplication, an addition, a fast reciprocal and what
follows from r. Four queries share each key that is read, which keeps the loops off the memory.
"""

from typing import Any

from regard.kernels.compiling import Compiled


@Compiled
def score(query: Any, key: Any, vector: Any, permitted: Any, scores: Any) -> None:
    """s_ij = 2 sum_h v_h (1/2 - 1 / (1 + query_ih key_jh)), for queries by the four.

    ``query`` and ``key`` are exponentials, (batch, length, hidden). What no query of the four may
    see is left as it is. An empty ``permitted`` lets everything through.
    """
    one, two, half = query.dtype.type(1), query.dtype.type(2), query.dtype.type(0.5)
    for b in range(query.shape[0]):
        for i in range(0, query.shape[1] - 3, 4):
            for j in range(key.shape[1]):
                if permitted.size > 0 and not (
                    permitted[b, i, j]
                    or permitted[b, i + 1, j]
                    or permitted[b, i + 2, j]
                    or permitted[b, i + 3, j]
                ):
                    continue
                s0 = s1 = s2 = s3 = query.dtype.type(0)
                for h in range(vector.shape[0]):
                    k, v = key[b, j, h], vector[h]
                    s0 += v * (half - one / (one + query[b, i, h] * k))
                    s1 += v * (half - one / (one + query[b, i + 1, h] * k))
                    s2 += v * (half - one / (one + query[b, i + 2, h] * k))
                    s3 += v * (half - one / (one + query[b, i + 3, h] * k))
                scores[b, i, j] = two * s0
                scores[b, i + 1, j] = two * s1
                scores[b, i + 2, j] = two * s2
                scores[b, i + 3, j] = two * s3


@Compiled
def score_rest(query: Any, key: Any, vector: Any, permitted: Any, scores: Any) -> None:
    """Score the queries that ``score`` leaves over, at most three to a batch element."""
    one, two, half = query.dtype.type(1), query.dtype.type(2), query.dtype.type(0.5)
    for b in range(query.shape[0]):
        for i in range(query.shape[1] // 4 * 4, query.shape[1]):
            for j in range(key.shape[1]):
                if permitted.size == 0 or permitted[b, i, j]:
                    s = query.dtype.type(0)
                    for h in range(vector.shape[0]):
                        s += vector[h] * (half - one / (one + query[b, i, h] * key[b, j, h]))
                    scores[b, i, j] = two * s


@Compiled
def slope(query: Any, key: Any, scores: Any, to_query: Any, to_key: Any, to_vector: Any) -> None:
    """Add sum_j g_ij (r - r^2), sum_i g_ij (r - r^2) and sum_ij g_ij r, for queries by the four.

    g is ``scores``. ``key`` and ``to_key`` are (batch, hidden, key): keys are the lanes of the
    vectors. Keys after the last g that is not zero (padding, the future) are left out.
    """
    one, zero = query.dtype.type(1), query.dtype.type(0)
    for b in range(query.shape[0]):
        for i in range(0, query.shape[1] - 3, 4):
            end = scores.shape[2]
            while end > 0 and not scores[b, i : i + 4, end - 1].any():
                end -= 1
            end = min(scores.shape[2], (end + 7) // 8 * 8)  # a scalar end of a loop is slow
            for h in range(query.shape[2]):
                q0, q1 = query[b, i, h], query[b, i + 1, h]
                q2, q3 = query[b, i + 2, h], query[b, i + 3, h]
                d0 = d1 = d2 = d3 = rest = zero
                for j in range(end):
                    k = key[b, h, j]
                    r0, r1 = one / (one + q0 * k), one / (one + q1 * k)
                    r2, r3 = one / (one + q2 * k), one / (one + q3 * k)
                    p0, p1 = scores[b, i, j] * r0, scores[b, i + 1, j] * r1
                    p2, p3 = scores[b, i + 2, j] * r2, scores[b, i + 3, j] * r3
                    t0, t1, t2, t3 = p0 - p0 * r0, p1 - p1 * r1, p2 - p2 * r2, p3 - p3 * r3
                    d0, d1, d2, d3 = d0 + t0, d1 + t1, d2 + t2, d3 + t3
                    rest += (p0 + p1) + (p2 + p3)
                    to_key[b, h, j] += (t0 + t1) + (t2 + t3)
                to_query[b, i, h] += d0
                to_query[b, i + 1, h] += d1
                to_query[b, i + 2, h] += d2
                to_query[b, i + 3, h] += d3
                to_vector[h] += rest


@Compiled
def slope_rest(
    query: Any, key: Any, scores: Any, to_query: Any, to_key: Any, to_vector: Any
) -> None:
    """Add what ``slope`` leaves over, of at most three queries to a batch element."""
    one, zero = query.dtype.type(1), query.dtype.type(0)
    for b in range(query.shape[0]):
        for i in range(query.shape[1] // 4 * 4, query.shape[1]):
            for h in range(query.shape[2]):
                d = rest = zero
                for j in range(scores.shape[2]):
                    r = one / (one + query[b, i, h] * key[b, h, j])
                    p = scores[b, i, j] * r
                    t = p - p * r
                    d += t
                    rest += p
                    to_key[b, h, j] += t
                to_query[b, i, h] += d
                to_vector[h] += rest


@Compiled
def slope_few(
    query: Any, key: Any, scores: Any, to_query: Any, to_key: Any, to_vector: Any
) -> None:
    """Do what both do, for few queries or keys: hidden units are the lanes, keys are not turned."""
    one = query.dtype.type(1)
    for b in range(query.shape[0]):
        for i in range(query.shape[1]):
            for j in range(key.shape[1]):
                g = scores[b, i, j]
                if g != 0:
                    for h in range(query.shape[2]):
                        r = one / (one + query[b, i, h] * key[b, j, h])
                        p = g * r
                        t = p - p * r
                        to_vector[h] += p
                        to_query[b, i, h] += t
                        to_key[b, j, h] += t


@Compiled
def slope_query(query: Any, key: Any, scores: Any, to_query: Any) -> None:
    """Add sum_j g_ij (r - r^2) alone, for few queries."""
    one = query.dtype.type(1)
    for b in range(query.shape[0]):
        for i in range(query.shape[1]):
            for j in range(key.shape[1]):
                g = scores[b, i, j]
                if g != 0:
                    for h in range(query.shape[2]):
                        r = one / (one + query[b, i, h] * key[b, j, h])
                        to_query[b, i, h] += g * r - g * r * r
