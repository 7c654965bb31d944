"""The equations of additive attention as one would write them on paper: s = v . tanh(q + k).

They are what the fused operators must equal, and what differentiates their gradients once more.
They hold a query x key x hidden tensor, which is what the fused ones avoid.
"""

import torch
from torch import Tensor


def scores(query: Tensor, key: Tensor, vector: Tensor) -> Tensor:
    """s_ij = sum_h v_h tanh(q_ih + k_jh)."""
    return torch.tanh(query.unsqueeze(-2) + key.unsqueeze(-3)) @ vector


def context(
    query: Tensor, key: Tensor, vector: Tensor, value: Tensor, mask: Tensor | None
) -> Tensor:
    """c_i = sum_j softmax_j(s_ij) value_j over permitted j only; 0 where nothing is permitted."""
    hidden, empty = _hide(scores(query, key, vector), mask)
    weights = hidden.softmax(-1)
    return (weights if empty is None else weights.masked_fill(empty, 0)) @ value


def attention(
    query: Tensor, key: Tensor, vector: Tensor, value: Tensor, mask: Tensor | None
) -> tuple[Tensor, Tensor]:
    """Give the context, and z_i = log sum_j exp(s_ij) over permitted j, which is 0 for none."""
    hidden, empty = _hide(scores(query, key, vector), mask)
    log_normaliser = hidden.logsumexp(-1)
    if empty is not None:
        log_normaliser = log_normaliser.masked_fill(empty.squeeze(-1), 0)
    return context(query, key, vector, value, mask), log_normaliser


def _hide(score: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor | None]:
    """-inf at forbidden keys, and which rows are empty; these stay open until after the softmax.

    A row of -inf alone would bring NaN into the gradient, even where a zero hides the value.
    """
    if mask is None:
        return score, None
    empty = ~mask.any(-1, keepdim=True)
    return score.masked_fill(~(mask | empty), -torch.inf), empty
