"""The sequence as a function that torch can differentiate, twice.

The way back is an operator of its own where somebody asks for more than gradients: it
differentiates through the plain equations, so that second derivatives are right, at their price.
The way there is a mere ``autograd.Function``, since asking torch's registry costs as much as four
steps of a small recurrence.
"""

# ruff: noqa: ARG001  (torch prescribes the arguments of what it calls)

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from regard.kernels.choosing import equation_wanted
from regard.kernels.recurrence import plain
from regard.kernels.recurrence.passes import Run, descend, run
from regard.kernels.registering import operator

Three = tuple[Tensor, Tensor, Tensor]
TENSORS = 3  # among what is taken


class Sequence(Function):
    """The states before and after each step."""

    @staticmethod
    def forward(ctx: Any, given: Tensor, weights: Tensor, feedback: Tensor, keep: bool) -> Tensor:
        """Without ``keep`` there is no way back."""
        made = run(given, weights, feedback, keep)
        if keep:
            ctx.save_for_backward(given, weights, feedback, *made)
        return made.states

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor | None, ...]:
        """By the operator where the gradients themselves are looked at, or are many at once."""
        given, weights, feedback, *made = ctx.saved_tensors
        # Second derivatives see the states through the plain equations, from the inputs.
        states, gates, heard = (each.detach() for each in made)
        many = torch._C._functorch.is_legacy_batchedtensor(slope)  # by is_grads_batched
        if many or torch.is_grad_enabled() or equation_wanted():
            return *BACKWARD(slope, given, weights, feedback, states, gates, heard), None
        return *descend(slope, given, weights, feedback, Run(states, gates, heard)), None


def recurrence_backward(
    slope: Tensor,
    given: Tensor,
    weights: Tensor,
    feedback: Tensor,
    states: Tensor,
    gates: Tensor,
    heard: Tensor,
) -> Three:
    """Gradients of the first three tensors after ``slope``, that of the states."""
    made = Run(states.detach(), gates.detach(), heard.detach())
    return descend(slope.detach(), given.detach(), weights.detach(), feedback.detach(), made)


def _fake_backward(slope: Tensor, *others: Tensor) -> tuple[Tensor, ...]:
    return tuple(each.new_empty(each.shape) for each in others[:TENSORS])


def _save_inputs(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    ctx.save_for_backward(*inputs[: TENSORS + 1])


def _twice(ctx: Any, *curvature: Tensor) -> tuple[Any, ...]:
    """Through the gradient of the plain equations.

    Views stand for the tensors, so that a slope that depends on an input is not followed into it.
    """
    further = torch.is_grad_enabled()
    with torch.enable_grad():
        slope, *inputs = (
            each.view_as(each) if each.requires_grad else each.detach().requires_grad_()
            for each in ctx.saved_tensors
        )
        given, weights, feedback = inputs
        rows = weights.view(*given.shape[:2], -1).permute(1, 2, 0)
        states = plain.states(given.transpose(0, 1), rows, feedback).flatten(0, 1).transpose(0, 1)
        first = torch.autograd.grad(
            states, inputs, slope[1:], create_graph=True, materialize_grads=True
        )
        gradients = torch.autograd.grad(
            first, (slope, *inputs), curvature, create_graph=further, allow_unused=True
        )
    return *gradients, *[None] * len(Run._fields)


BACKWARD = operator(
    "recurrence_backward",
    recurrence_backward,
    fake=_fake_backward,
    save=_save_inputs,
    backward=_twice,
)
