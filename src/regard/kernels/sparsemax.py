"""Sparsemax: the nearest distribution to the scores, which gives weight zero to most keys.

    p_j = max(0, z_j - tau)   with tau such that the weights of a row sum to one

From Softmax to Sparsemax, Martins, Astudillo 2016, https://arxiv.org/abs/1602.02068, eqs. 2, 3, 14.
The paper sorts the scores; here tau is found by Michelot's iteration (1986), which needs no
sorting: from tau = max z - 1, put tau = (sum of the z above tau - 1) / (number of them) until
that number no longer shrinks. It ends after finitely many steps, at the exact support.

A score of -inf is forbidden like a masked one; NaN or +inf turn their row, and no other, into NaN.
"""

# ruff: noqa: ARG001  (torch prescribes the arguments of what is registered)

from functools import partial
from math import inf, isnan, nan
from typing import Any

import torch
from torch import Tensor

from regard.kernels.choosing import equation_wanted
from regard.kernels.compiling import WITH_INFINITY, Compiled
from regard.kernels.registering import operator
from regard.kernels.rows import bare, each_row, fused, permissions, working


def sparsemax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Weigh the last axis; exactly zero where ``mask`` is False, and in rows without a True."""
    if equation_wanted():
        return plain(scores, mask)
    weights: Tensor = WEIGHTS(scores, mask)
    return weights


def plain(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Sort, find the support, threshold (the paper's algorithm 1); autograd differentiates it."""
    if scores.shape[-1] == 0:
        return scores.clone()
    hidden = scores if mask is None else scores.masked_fill(~mask, -inf)
    highest = hidden.detach().amax(-1, keepdim=True)
    empty = highest == -inf
    centred = hidden.masked_fill(empty, 0) - highest.masked_fill(empty, 0)
    ordered = centred.sort(-1, descending=True).values
    above = ordered.cumsum(-1) - 1
    rank = torch.arange(1, scores.shape[-1] + 1, device=scores.device, dtype=scores.dtype)
    size = (rank * ordered > above).sum(-1, keepdim=True).clamp(min=1)
    threshold = above.gather(-1, size - 1) / size
    return (centred - threshold).clamp(min=0).masked_fill(empty, 0)


@partial(Compiled, fast_math=WITH_INFINITY)
def _forward(
    scores: Any, mask: Any, mask_rows: Any, weights: Any, first_row: int, last_row: int
) -> None:
    """Weights of the rows from ``first_row`` to ``last_row``; an empty mask permits everything."""
    zero, one = scores.dtype.type(0), scores.dtype.type(1)
    keys = scores.shape[1]
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
            weights[row, j] -= highest
        tau, size, before = -one, keys + 1, keys + 2
        while size < before:
            before = size
            total, count = zero, zero
            for j in range(keys):
                above = max(weights[row, j] - tau, zero)
                total += above
                count += one if above > zero else zero
            size = int(count)
            tau += (total - one) / count
        for j in range(keys):
            weights[row, j] = max(weights[row, j] - tau, zero)


@partial(Compiled, fast_math=WITH_INFINITY)
def _backward(slope: Any, weights: Any, result: Any, first_row: int, last_row: int) -> None:
    """dz_j = g_j - mean of g over the support; zero outside of it (eq. 14)."""
    zero, one = slope.dtype.type(0), slope.dtype.type(1)
    for row in range(first_row, last_row):
        total, count = zero, zero
        for j in range(slope.shape[1]):
            inside = weights[row, j] != zero  # true for NaN, so that it shows in the gradient
            total += slope[row, j] + zero * weights[row, j] if inside else zero
            count += one if inside else zero
        mean = total / count if count > zero else zero
        for j in range(slope.shape[1]):
            result[row, j] = slope[row, j] - mean if weights[row, j] != zero else zero


def _weigh(scores: Tensor, mask: Tensor | None) -> Tensor:
    if not fused(scores):
        return plain(bare(scores), mask).to(scores.dtype)
    weights = each_row(_forward, working(scores), *permissions(mask, scores))
    return weights.view(scores.shape).to(scores.dtype)


def _descend(slope: Tensor, weights: Tensor) -> Tensor:
    if fused(slope):
        result = each_row(_backward, working(slope), working(weights).numpy())
        return result.view(slope.shape).to(slope.dtype)
    inside = weights != 0
    size = inside.sum(-1, keepdim=True).clamp(min=1)
    mean = (slope * inside + 0 * weights).sum(-1, keepdim=True) / size
    return (slope - mean) * inside


def _like_first(first: Tensor, *others: Tensor | None) -> Tensor:
    return first.new_empty(first.shape)


def _keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    ctx.save_for_backward(output)


def _once(ctx: Any, slope: Tensor) -> tuple[Tensor, None]:
    return SLOPES(slope, ctx.saved_tensors[0]), None


def _keep_weights(ctx: Any, inputs: tuple[Tensor, Tensor], output: Tensor) -> None:
    ctx.save_for_backward(inputs[1])


def _twice(ctx: Any, curvature: Tensor) -> tuple[Tensor, None]:
    """Use that the map is linear in the slope, symmetric, and constant by pieces in the weights."""
    return SLOPES(curvature, ctx.saved_tensors[0]), None


WEIGHTS = operator("sparsemax", _weigh, fake=_like_first, save=_keep, backward=_once)
SLOPES = operator(
    "sparsemax_backward", _descend, fake=_like_first, save=_keep_weights, backward=_twice
)
