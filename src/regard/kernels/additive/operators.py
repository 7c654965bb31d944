"""Additive attention as operators that torch knows: autograd, vmap, fake tensors, compilation.

Gradients are operators, too, and differentiate through the plain equations: second derivatives are
right, at the plain equations' price in memory.
"""

# ruff: noqa: ARG001, PLR0913, PLR0917  (torch prescribes the arguments of what is registered)

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from regard.kernels.additive import passes, plain
from regard.kernels.registering import operator

WORKING = {torch.bfloat16: torch.float32, torch.float16: torch.float32}


def _working(tensor: Tensor) -> Tensor:
    """Bare, and in a precision that the kernels know: half precision is computed in single."""
    return tensor.detach().to(WORKING.get(tensor.dtype, tensor.dtype))


def scores(query: Tensor, key: Tensor, vector: Tensor, ready: Tensor | None) -> Tensor:
    """s_ij = sum_h v_h tanh(q_ih + k_jh), without a query x key x hidden tensor.

    ``ready`` is exp(2 key), where other looks have made it.
    """
    scores = passes.score(_working(query), _working(key), _working(vector), ready)
    return scores.to(query.dtype)


def scores_backward(
    slope: Tensor, query: Tensor, key: Tensor, vector: Tensor, ready: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of query, key and vector, given that of the scores."""
    to_query, to_key, to_vector = passes.score_gradients(
        _working(slope), _working(query), _working(key), _working(vector), ready
    )
    return to_query.to(query.dtype), to_key.to(key.dtype), to_vector.to(vector.dtype)


def attention(
    query: Tensor,
    key: Tensor,
    vector: Tensor,
    value: Tensor,
    mask: Tensor | None,
    ready: Tensor | None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Context, log-normaliser and what is kept for the backward.

    ``mask`` is (1 or batch, 1 or query, key), True = may attend; ``ready`` is exp(2 key), where
    other looks have made it. The log-normaliser is in the precision that was worked in.
    """
    context, log_normaliser, kept = passes.attend(
        _working(query), _working(key), _working(vector), _working(value), mask, ready
    )
    return context.to(value.dtype), log_normaliser, kept


def attention_backward(
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
    """Gradients of query, key, vector and value, given those of context and log-normaliser."""
    to_query, to_key, to_vector, to_value = passes.attend_gradients(
        _working(to_context),
        _working(to_log_normaliser),
        _working(query),
        _working(key),
        _working(vector),
        _working(value),
        mask,
        ready,
        _working(context),
        _working(log_normaliser),
        _working(kept),
    )
    return (
        to_query.to(query.dtype),
        to_key.to(key.dtype),
        to_vector.to(vector.dtype),
        to_value.to(value.dtype),
    )


def _fake_scores(query: Tensor, key: Tensor, vector: Tensor, ready: Tensor | None) -> Tensor:
    return query.new_empty(query.shape[0], query.shape[1], key.shape[1])


def _fake_attention(
    query: Tensor, key: Tensor, vector: Tensor, value: Tensor, *others: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    batch, length = query.shape[0], query.shape[1]
    working = WORKING.get(query.dtype, query.dtype)
    return (
        value.new_empty(batch, length, value.shape[-1]),
        query.new_empty(batch, length, dtype=working),
        query.new_empty(passes.kept_shape(query, key), dtype=working),
    )


def _fake_scores_backward(slope: Tensor, *inputs: Any) -> tuple[Tensor, ...]:
    return tuple(each.new_empty(each.shape) for each in inputs[:3])


def _fake_attention_backward(
    to_context: Tensor, to_log_normaliser: Tensor, *others: Any
) -> tuple[Tensor, ...]:
    return tuple(each.new_empty(each.shape) for each in others[:4])


def _save_inputs(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    ctx.save_for_backward(*inputs)


def _scores_once(ctx: Any, slope: Tensor) -> tuple[Tensor | None, ...]:
    return *SCORES_BACKWARD(slope, *ctx.saved_tensors), None


def _save_attention(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
    ctx.save_for_backward(*inputs, *output)
    ctx.mark_non_differentiable(output[2])
    ctx.set_materialize_grads(False)  # or a gradient of zeros would be made for what is kept


def _attention_once(
    ctx: Any, to_context: Tensor | None, to_log_normaliser: Tensor | None, to_kept: None
) -> tuple[Tensor | None, ...]:
    *inputs, context, log_normaliser, kept = ctx.saved_tensors
    gradients = ATTENTION_BACKWARD(
        torch.zeros_like(context) if to_context is None else to_context,
        torch.zeros_like(log_normaliser) if to_log_normaliser is None else to_log_normaliser,
        *inputs,
        # Second derivatives see these through the plain equation, from the inputs.
        context.detach(),
        log_normaliser.detach(),
        kept,
    )
    return *gradients, None, None


def _differentiate_twice(
    equation: Callable[..., Sequence[Tensor]],
    inputs: Sequence[Tensor],
    slopes: Sequence[Tensor],
    curvature: Sequence[Tensor],
) -> tuple[Tensor | None, ...]:
    """Gradients of ``slopes`` and of ``inputs`` through the gradient of ``equation``.

    Views stand for the tensors, so that a slope that depends on an input is not followed into it.
    """
    further = torch.is_grad_enabled()
    with torch.enable_grad():
        inputs, slopes = (
            [
                each.view_as(each) if each.requires_grad else each.detach().requires_grad_()
                for each in group
            ]
            for group in (inputs, slopes)
        )
        outputs = equation(*inputs)
        first = torch.autograd.grad(outputs, inputs, slopes, create_graph=True)
        return torch.autograd.grad(
            first, (*slopes, *inputs), curvature, create_graph=further, allow_unused=True
        )


def _scores_twice(ctx: Any, *curvature: Tensor) -> tuple[Tensor | None, ...]:
    slope, *inputs, _ = ctx.saved_tensors
    gradients = _differentiate_twice(
        lambda *each: (plain.scores(*each),), inputs, [slope], curvature
    )
    return *gradients, None


def _attention_twice(ctx: Any, *curvature: Tensor) -> tuple[Tensor | None, ...]:
    to_context, to_log_normaliser, *inputs, mask, _, _, _, _ = ctx.saved_tensors
    gradients = _differentiate_twice(
        lambda q, k, v, x: plain.attention(q, k, v, x, mask),
        inputs,
        [to_context, to_log_normaliser],
        curvature,
    )
    return *gradients, None, None, None, None, None


SCORES = operator(
    "additive_scores", scores, fake=_fake_scores, save=_save_inputs, backward=_scores_once
)
SCORES_BACKWARD = operator(
    "additive_scores_backward",
    scores_backward,
    fake=_fake_scores_backward,
    save=_save_inputs,
    backward=_scores_twice,
)
ATTENTION = operator(
    "additive_attention",
    attention,
    fake=_fake_attention,
    save=_save_attention,
    backward=_attention_once,
)
ATTENTION_BACKWARD = operator(
    "additive_attention_backward",
    attention_backward,
    fake=_fake_attention_backward,
    save=_save_inputs,
    backward=_attention_twice,
)
