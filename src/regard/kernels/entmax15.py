"""1.5-entmax, half-way between softmax and sparsemax: smooth, yet with weights of exactly zero.

    p_j = max(0, z_j / 2 - tau)^2   with tau such that the weights of a row sum to one

Sparse Sequence-to-Sequence Models, Peters, Niculae, Martins 2019,
https://arxiv.org/abs/1905.05702, eq. 9 and algorithm 2.
The paper sorts the scores; here tau is found without. f(tau) = sum_j max(0, z_j / 2 - tau)^2 - 1
falls and is convex, so Newton's steps from tau = max z / 2 - 1 never overshoot; as soon as the
support stands still, the quadratic equation on it gives tau exactly.

A score of -inf is forbidden like a masked one; NaN or +inf turn their row, and no other, into NaN.
"""

# ruff: noqa: ARG001, C901  (a kernel keeps its loops in one function, and torch
# prescribes the arguments of what is registered)

from functools import partial
from math import inf, isnan, nan, sqrt
from typing import Any

import torch
from torch import Tensor

from regard.kernels.choosing import equation_wanted
from regard.kernels.compiling import WITH_INFINITY, Compiled
from regard.kernels.registering import operator
from regard.kernels.rows import bare, each_row, fused, permissions, working


def entmax15(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Weigh the last axis; exactly zero where ``mask`` is False, and in rows without a True."""
    if equation_wanted():
        return plain(scores, mask)
    weights: Tensor = WEIGHTS(scores, mask)
    return weights


def plain(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Sort, solve on every prefix, take the largest that holds (the paper's algorithm 2)."""
    if scores.shape[-1] == 0:
        return scores.clone()
    hidden = scores if mask is None else scores.masked_fill(~mask, -inf)
    highest = hidden.detach().amax(-1, keepdim=True)
    empty = highest == -inf
    centred = (hidden.masked_fill(empty, 0) - highest.masked_fill(empty, 0)) / 2
    # Anything below -1 is outside the support; a finite number there keeps -inf out of the sums.
    ordered = centred.clamp(min=-2).sort(-1, descending=True).values
    rank = torch.arange(1, scores.shape[-1] + 1, device=scores.device, dtype=scores.dtype)
    mean = ordered.cumsum(-1) / rank
    spread = ordered.square().cumsum(-1) - rank * mean.square()
    inside = (1 - spread) / rank
    thresholds = mean - inside.clamp(min=torch.finfo(scores.dtype).tiny).sqrt()
    size = (thresholds <= ordered).sum(-1, keepdim=True).clamp(min=1)
    threshold = thresholds.gather(-1, size - 1)
    return (centred - threshold).clamp(min=0).square().masked_fill(empty, 0)


@partial(Compiled, fast_math=WITH_INFINITY)
def _forward(
    scores: Any, mask: Any, mask_rows: Any, weights: Any, first_row: int, last_row: int
) -> None:
    """Weights of the rows from ``first_row`` to ``last_row``; an empty mask permits everything."""
    zero, one = scores.dtype.type(0), scores.dtype.type(1)
    keys, two = scores.shape[1], scores.dtype.type(2)
    near = scores.dtype.type(1e-6 if scores.itemsize == 4 else 1e-15)  # of one, about ten steps
    for row in range(first_row, last_row):
        strange, highest = zero, scores.dtype.type(-inf)
        for j in range(keys):
            z = scores[row, j]
            if mask.size > 0 and not mask[mask_rows[row], j]:
                z = scores.dtype.type(-inf)
            strange += one if isnan(z) else zero
            highest = z if z > highest else highest
            weights[row, j] = z
        if strange > zero or abs(highest) == inf:
            weights[row] = zero if strange == zero and highest == -inf else nan
            continue
        for j in range(keys):  # centred, because 1 is lost beside a large score
            weights[row, j] = (weights[row, j] - highest) / two
        tau, previous, solved, error = -one, zero, False, scores.dtype.type(inf)
        for _ in range(64):  # about five are needed
            count, total, squares = zero, zero, zero
            for j in range(keys):
                above = max(weights[row, j] - tau, zero)
                total += above
                squares += above * above
                count += one if above > zero else zero
            excess = squares - one
            if solved and (abs(excess) <= near or abs(excess) >= error):
                break
            error = abs(excess) if solved else error
            if count == previous and not solved:  # the support stands: solve for it
                rest = (one - squares + total * total / count) / count
                tau += total / count - sqrt(max(rest, zero))
                solved = True
            else:  # Newton's step, which also clears what the solution lost by cancellation
                tau += excess / (two * total)
            previous = count
        for j in range(keys):
            above = max(weights[row, j] - tau, zero)
            weights[row, j] = above * above


@partial(Compiled, fast_math=WITH_INFINITY)
def _backward(slope: Any, weights: Any, result: Any, first_row: int, last_row: int) -> None:
    """dz_j = s_j (g_j - sum_i s_i g_i / sum_i s_i) with s = sqrt(p)."""
    zero = slope.dtype.type(0)
    for row in range(first_row, last_row):
        total, size = zero, zero
        for j in range(slope.shape[1]):
            root = sqrt(weights[row, j])
            result[row, j] = root
            total += slope[row, j] * root
            size += root
        mean = zero if size == zero else total / size
        for j in range(slope.shape[1]):
            result[row, j] *= slope[row, j] - mean


def _weigh(scores: Tensor, mask: Tensor | None) -> Tensor:
    if not fused(scores):
        return plain(bare(scores), mask).to(scores.dtype)
    weights = each_row(_forward, working(scores), *permissions(mask, scores))
    return weights.view(scores.shape).to(scores.dtype)


def _average(slope: Tensor, root: Tensor) -> Tensor:
    size = root.sum(-1, keepdim=True)
    return (slope * root).sum(-1, keepdim=True) / size.masked_fill(size == 0, 1)


def _descend(slope: Tensor, weights: Tensor) -> Tensor:
    if fused(slope):
        result = each_row(_backward, working(slope), working(weights).numpy())
        return result.view(slope.shape).to(slope.dtype)
    root = weights.sqrt()
    return root * (slope - _average(slope, root))


def _like_first(first: Tensor, *others: Tensor | None) -> Tensor:
    return first.new_empty(first.shape)


def _keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    ctx.save_for_backward(output)


def _once(ctx: Any, slope: Tensor) -> tuple[Tensor, None]:
    return SLOPES(slope, ctx.saved_tensors[0]), None


def _keep_inputs(ctx: Any, inputs: tuple[Tensor, Tensor], output: Tensor) -> None:
    ctx.save_for_backward(*inputs)


def _twice(ctx: Any, curvature: Tensor) -> tuple[Tensor, Tensor]:
    """Linear and symmetric in the slope; in s, the derivative of s_j (g_j - mean g), by hand."""
    slope, weights = ctx.saved_tensors
    inside = weights != 0
    root = torch.where(inside, weights, 1).sqrt() * inside
    away = (slope - _average(slope, root)) * (curvature - _average(curvature, root))
    to_weights = torch.where(inside, away / (2 * torch.where(inside, root, 1)), 0)
    return SLOPES(curvature, weights), to_weights


WEIGHTS = operator("entmax15", _weigh, fake=_like_first, save=_keep, backward=_once)
SLOPES = operator(
    "entmax15_backward", _descend, fake=_like_first, save=_keep_inputs, backward=_twice
)
