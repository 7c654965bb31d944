"""Gradients of keys and values that many looks share, worked out once for all of these looks.

A decoder looks at the same keys at every step. Going back through such a look by itself makes
gradients as large as all keys and values, to be added to those of the other steps. Here a look
takes its gradient on to its query alone and leaves the gradients of its scores and of its context
to be gathered; when every look has been gone back through, those of all keys and values are made
at once.
"""

from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.utils.weak import TensorWeakRef, WeakIdKeyDictionary, WeakTensorKeyDictionary

from regard.kernels.additive import passes
from regard.kernels.additive.keeping import can_be_kept, few_queries
from regard.kernels.additive.operators import ATTENTION_BACKWARD


class Left(NamedTuple):
    """What a look left behind on its way back."""

    query: Tensor
    weights: Tensor
    to_scores: Tensor
    to_context: Tensor


# What looks have left, by the pass through the graph that came by: a pass that does not go on to
# the keys leaves it lying, and the next one must not take it for its own.
Leavings = dict[int, list[Left]]


class _Gathering(torch.autograd.Function):
    """Stands between the keys, vector and values and all looks at them; gives nothing but a tie."""

    @staticmethod
    def forward(ctx: Any, key: Tensor, vector: Tensor, value: Tensor, leavings: Leavings) -> Tensor:
        # Not saved but kept: after one pass back, further looks at the same keys may follow. That
        # nobody has changed them is checked by each look.
        ctx.inputs = key.detach(), vector.detach(), value.detach()
        ctx.leavings = leavings
        return key.new_zeros(())

    @staticmethod
    def backward(ctx: Any, _: Tensor) -> tuple[Tensor | None, ...]:
        """Dvalue_j = sum_i p_ij dc_i; the gradients of all scores, taken on to key and vector."""
        left = ctx.leavings.pop(torch._C._current_graph_task_id(), None)
        if left is None:
            return None, None, None, None
        query, weights, to_scores, to_context = (
            torch.cat(each, dim=1) for each in zip(*left, strict=True)
        )
        key, vector, _ = ctx.inputs
        _, to_key, to_vector = passes.score_gradients(to_scores, query, key, vector, None)
        return to_key, to_vector, weights.mT @ to_context, None


class _Look(torch.autograd.Function):
    """One look at keys that others look at, too."""

    @staticmethod
    def forward(  # noqa: PLR0913, PLR0917
        ctx: Any,
        query: Tensor,
        key: Tensor,
        vector: Tensor,
        value: Tensor,
        mask: Tensor | None,
        ready: Tensor | None,
        tie: Tensor,
        leavings: Leavings,
    ) -> tuple[Tensor, Tensor]:
        made = passes.attend(query, key, vector, value, mask, ready)
        context, _, weights = made
        ctx.save_for_backward(query, key, vector, value, mask, ready, *made)
        ctx.tie, ctx.leavings = tie, leavings  # the tie lives as long as a look that is tied
        ctx.mark_non_differentiable(weights)
        ctx.set_materialize_grads(False)
        return context, weights

    @staticmethod
    def backward(ctx: Any, to_context: Tensor | None, _: None) -> tuple[Tensor | None, ...]:
        """ds_ij = p_ij (dc_i . value_j - dc_i . c_i), taken on to the query."""
        if to_context is None:
            return (None,) * 8
        query, key, vector, value, mask, ready, context, log_normaliser, weights = ctx.saved_tensors
        if torch.is_grad_enabled():  # a gradient that will be differentiated: no detours
            gradients = ATTENTION_BACKWARD(
                to_context, torch.zeros_like(log_normaliser), query, key, vector, value, mask,
                ready, context.detach(), log_normaliser.detach(), weights,
            )  # fmt: skip
            return *gradients, None, None, None, None
        shift = (to_context * context).sum(-1, keepdim=True).neg_()
        to_scores = torch.baddbmm(shift, to_context, value.mT).mul_(weights)
        lying = ctx.leavings.setdefault(torch._C._current_graph_task_id(), [])
        lying.append(Left(query.detach(), weights, to_scores, to_context))
        to_query = passes.query_gradient(to_scores, query, key, vector, ready)
        return to_query, *(None,) * 5, ctx.tie.new_zeros(()), None


class _Seen(NamedTuple):
    """A look at some keys: what it was over, and what ties it to others at the same keys."""

    over: tuple[TensorWeakRef, TensorWeakRef]  # vector and value
    versions: tuple[int, int, int]  # of key, vector and value
    tie: TensorWeakRef | None  # None after the first look, which may be the only one
    leavings: Leavings


_seen: WeakIdKeyDictionary = WeakTensorKeyDictionary()


def attend(
    query: Tensor,
    key: Tensor,
    vector: Tensor,
    value: Tensor,
    mask: Tensor | None,
    ready: Tensor | None,
) -> tuple[Tensor, Tensor] | None:
    """Context and weights of a look that is not the first of few queries at these keys; else None.

    All are flat, (batch, length, size), as the operators take them.
    """
    if not _to_be_gathered(query, key, vector, value):
        return None
    versions = key._version, vector._version, value._version
    seen: _Seen | None = _seen[key] if key in _seen else None  # noqa: SIM401  (untyped get)
    over = TensorWeakRef(vector), TensorWeakRef(value)
    same = seen is not None and seen.versions == versions and seen.over[0]() is vector
    if seen is None or not same or seen.over[1]() is not value:
        _seen[key] = _Seen(over, versions, None, {})
        return None
    tie = None if seen.tie is None else seen.tie()
    if tie is None:
        leavings: Leavings = {}
        tie = _Gathering.apply(key, vector, value, leavings)  # type: ignore[no-untyped-call]
        seen = _Seen(over, versions, TensorWeakRef(tie), leavings)
        _seen[key] = seen
    return _Look.apply(query, key, vector, value, mask, ready, tie, seen.leavings)  # type: ignore[no-untyped-call]


def _to_be_gathered(query: Tensor, key: Tensor, vector: Tensor, value: Tensor) -> bool:
    """Whether going back by detours pays, and is understood by whoever runs this."""
    return (
        torch.is_grad_enabled()
        and few_queries(query)
        and can_be_kept(key)
        and (key.requires_grad or value.requires_grad or vector.requires_grad)
        and type(value) is Tensor
        and type(vector) in (Tensor, torch.nn.Parameter)
        and not value.is_inference()
        and passes.kept_shape(query, key)[0] > 0
    )
