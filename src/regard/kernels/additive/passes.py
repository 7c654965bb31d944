"""Forward and backward passes of additive attention, tile by tile, over either engine.

As in FlashAttention (Dao et al. 2022, https://arxiv.org/abs/2205.14135) the forward keeps only the
log-normaliser of each row; the backward works the scores of a tile out once more. Weights that are
no larger than the queries and keys themselves are kept, though: memory still grows with length and
not with its square, and a quarter of the time is saved.
"""

import torch
from torch import Tensor

from regard.kernels.additive.pieces import Piece, cut
from regard.kernels.additive.tiles import choose
from regard.kernels.threads import spread


def score(query: Tensor, key: Tensor, vector: Tensor, ready: Tensor | None) -> Tensor:
    """s_ij = sum_h v_h tanh(q_ih + k_jh)."""
    scores = query.new_zeros(*query.shape[:2], key.shape[1])
    if scores.numel() == 0 or vector.numel() == 0:
        return scores
    tiles, pieces = choose(query, key, vector, ready), cut(*scores.shape)

    def work(number: int) -> None:
        piece = pieces[number]
        for rows in piece.tiles:
            scores[piece.batch, rows] = tiles.scores(piece.batch, rows, None)

    spread(work, len(pieces), scores.numel() * len(vector))
    return scores


def score_gradients(
    slope: Tensor, query: Tensor, key: Tensor, vector: Tensor, ready: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    """Take the gradient ``slope`` of the scores on to query, key and vector."""
    if slope.numel() == 0 or vector.numel() == 0:
        return torch.zeros_like(query), torch.zeros_like(key), torch.zeros_like(vector)
    tiles, pieces = choose(query, key, vector, ready), cut(*slope.shape)
    gradients = tiles.begin(len(pieces))

    def work(number: int) -> None:
        piece = pieces[number]
        for rows in piece.tiles:
            tiles.descend(gradients, piece, rows, slope[piece.batch, rows].contiguous())

    spread(work, len(pieces), slope.numel() * len(vector))
    return tiles.finish(gradients)


def query_gradient(
    slope: Tensor, query: Tensor, key: Tensor, vector: Tensor, ready: Tensor | None
) -> Tensor:
    """Take the gradient ``slope`` of the scores of few queries on to these queries alone."""
    tiles, gradient = choose(query, key, vector, ready), torch.zeros_like(query)

    def work(number: int) -> None:
        batch = pieces[number].batch
        tiles.descend_to_queries(gradient[batch], batch, slope[batch])

    pieces = cut(*slope.shape)
    spread(work, len(pieces), slope.numel() * len(vector))
    return gradient.mul_(4 * vector)


def attend(
    query: Tensor,
    key: Tensor,
    vector: Tensor,
    value: Tensor,
    mask: Tensor | None,
    ready: Tensor | None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Context and log-normaliser of each query, both 0 where nothing is permitted; kept weights."""
    batch, queries, keys = *query.shape[:2], key.shape[1]
    context = value.new_empty(batch, queries, value.shape[-1])
    log_normaliser = query.new_empty(batch, queries)
    kept = query.new_empty(kept_shape(query, key))
    if batch * queries * keys == 0:
        return context.zero_(), log_normaliser.zero_(), kept
    tiles, pieces = choose(query, key, vector, ready), cut(batch, queries, keys)

    def work(number: int) -> None:
        piece = pieces[number]
        for rows in piece.tiles:
            scores = tiles.scores(piece.batch, rows, _permitted(mask, query, piece, rows))
            weights, log_normaliser[piece.batch, rows] = _normalise(scores, mask is not None)
            context[piece.batch, rows] = torch.bmm(weights, value[piece.batch])
            if kept.numel():
                kept[piece.batch, rows] = weights

    spread(work, len(pieces), batch * queries * keys * len(vector))
    return context, log_normaliser, kept


def kept_shape(query: Tensor, key: Tensor) -> tuple[int | torch.SymInt, ...]:
    """Of the weights that the forward leaves for the backward: all of them, or none."""
    batch, queries, hidden = query.shape
    keys = key.shape[1]
    small = queries * keys <= (queries + keys) * hidden
    return (batch, queries, keys) if small else (0, 0, 0)


def _permitted(mask: Tensor | None, query: Tensor, piece: Piece, rows: slice) -> Tensor | None:
    if mask is None:
        return None
    return mask.expand(*query.shape[:2], mask.shape[-1])[piece.batch, rows]


def _normalise(scores: Tensor, masked: bool) -> tuple[Tensor, Tensor]:
    """Softmax and its log-normaliser z = max s - log max p, which needs no further exponential."""
    highest = scores.amax(-1)
    weights = scores.softmax(-1)
    log_normaliser = highest - weights.amax(-1).log_()
    if masked:
        empty = highest == -torch.inf
        weights.masked_fill_(empty.unsqueeze(-1), 0)
        log_normaliser.masked_fill_(empty, 0)
    return weights, log_normaliser


def attend_gradients(  # noqa: PLR0913, PLR0917
    to_context: Tensor,
    to_log_normaliser: Tensor,
    query: Tensor,
    key: Tensor,
    vector: Tensor,
    value: Tensor,
    mask: Tensor | None,
    ready: Tensor | None,
    context: Tensor,
    log_normaliser: Tensor,
    kept: Tensor,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Gradients of query, key, vector and value, by way of those of the scores.

    ds_ij = p_ij (dc_i . value_j - dc_i . c_i + dz_i) and dvalue_j = sum_i p_ij dc_i, where
    p = exp(s - z).
    """
    batch, queries, keys = *query.shape[:2], key.shape[1]
    if batch * queries * keys == 0:
        return *score_gradients(query.new_zeros(0), query, key, vector, None), torch.zeros_like(
            value
        )
    to_value = torch.empty_like(value, memory_format=torch.contiguous_format)
    tiles, pieces = choose(query, key, vector, ready), cut(batch, queries, keys)
    gradients = tiles.begin(len(pieces))
    shift = to_log_normaliser - (to_context * context).sum(-1)

    def again(piece: Piece, rows: slice) -> Tensor:
        scores = tiles.scores(piece.batch, rows, _permitted(mask, query, piece, rows))
        return scores.sub_(log_normaliser[piece.batch, rows].unsqueeze(-1)).exp_()

    def work(number: int) -> None:
        piece = pieces[number]
        for rows in piece.tiles:
            where = piece.batch, rows
            weights = kept[where] if kept.numel() else again(piece, rows)
            first = rows.start == 0  # what stands in the fresh memory does not count, not even NaN
            to_value[piece.batch].baddbmm_(weights.mT, to_context[where], beta=0 if first else 1)
            slope = torch.baddbmm(
                shift[where].unsqueeze(-1), to_context[where], value[piece.batch].mT
            ).mul_(weights)
            tiles.descend(gradients, piece, rows, slope)

    spread(work, len(pieces), batch * queries * keys * len(vector))
    return *tiles.finish(gradients), to_value
