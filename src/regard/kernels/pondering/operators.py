"""The sequence as a function that torch can differentiate, twice.

Where gradients are looked at themselves, or many of them are wanted at once, they come from the
plain equations, at their price.
"""

# ruff: noqa: PLR0913, PLR0917  (torch prescribes the arguments)

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from regard.kernels.choosing import equation_wanted
from regard.kernels.pondering import plain
from regard.kernels.pondering.passes import Events, descend, run

TENSORS = 7  # among what is taken


class Sequence(Function):
    """Outputs, remainders and steps of all inputs."""

    @staticmethod
    def forward(
        ctx: Any,
        raised: Tensor,
        lowered: Tensor,
        feedback: Tensor,
        hidden: Tensor,
        cell: Tensor,
        halting: Tensor,
        bias: Tensor,
        most: int,
        slack: float,
        keep: bool,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Without ``keep`` there is no way back."""
        tensors = raised, lowered, feedback, hidden, cell, halting, bias
        made = run(*tensors, most, slack, keep)
        if keep:
            ctx.save_for_backward(*tensors, *made.events)
            ctx.segments, ctx.limits = made.segments, (most, slack)
        ctx.mark_non_differentiable(made.counts)
        return made.outputs, made.remainder, made.counts

    @staticmethod
    def backward(
        ctx: Any, to_outputs: Tensor, to_remainder: Tensor, _: Tensor
    ) -> tuple[Tensor | None, ...]:
        """By the equations where the gradients themselves are looked at, or are many at once."""
        kept = ctx.saved_tensors  # asked for once: checkpointing allows no more
        inputs, events = kept[:TENSORS], Events(*kept[TENSORS:])
        slopes = to_outputs, to_remainder
        many = any(torch._C._functorch.is_legacy_batchedtensor(each) for each in slopes)
        if many or torch.is_grad_enabled() or equation_wanted():
            return *_by_equations(inputs, slopes, ctx.limits), None, None, None
        whole = to_outputs.contiguous(), to_remainder.contiguous()
        return *descend(*whole, inputs[2], inputs[5], events, ctx.segments), None, None, None


def _by_equations(
    inputs: tuple[Tensor, ...], slopes: tuple[Tensor, Tensor], limits: tuple[int, float]
) -> tuple[Tensor, ...]:
    """Gradients that can be differentiated themselves.

    Views stand for the tensors, so that a slope that depends on an input is not followed into it.
    """
    further = torch.is_grad_enabled()
    with torch.enable_grad():
        views = [
            each.view_as(each) if each.requires_grad else each.detach().requires_grad_()
            for each in inputs
        ]
        made = plain.ponder(*views, *limits)[:2]  # type: ignore[call-arg, arg-type]
        return torch.autograd.grad(
            made, views, slopes, create_graph=further, materialize_grads=True
        )
