"""The sequence as an operator that torch knows.

Its gradient is an operator, too, and differentiates through the plain equations: second derivatives
are right, at the plain equations' price.
"""

# ruff: noqa: ARG001, PLR0913, PLR0917  (torch prescribes the arguments of what is registered)

from typing import Any

import torch
from torch import Tensor

from regard.kernels.registering import operator
from regard.kernels.tape import plain
from regard.kernels.tape.passes import Run, begin, descend, run

Many = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]
TENSORS = 8  # among what the operators take


def machine(
    given: Tensor,
    feedback: Tensor,
    address: Tensor,
    bias: Tensor,
    first: Tensor,
    cell: Tensor,
    tape: Tensor,
    places: Tensor,
    keep: bool,
) -> Many:
    """The features before and after each step, and what is kept for the way back."""
    given, feedback, address = given.detach(), feedback.detach(), address.detach()
    bias, first, cell = bias.detach(), first.detach(), cell.detach()
    tape, places = tape.detach(), places.detach()
    return run(given, feedback, address, bias, first, cell, tape, places, keep)


def _fake(
    given: Tensor,
    feedback: Tensor,
    address: Tensor,
    bias: Tensor,
    first: Tensor,
    cell: Tensor,
    tape: Tensor,
    places: Tensor,
    keep: bool,
) -> Many:
    return begin(given, address, first, cell, tape, places, keep)


def machine_backward(
    slope: Tensor,
    given: Tensor,
    feedback: Tensor,
    address: Tensor,
    bias: Tensor,
    first: Tensor,
    cell: Tensor,
    tape: Tensor,
    places: Tensor,
    features: Tensor,
    gates: Tensor,
    cells: Tensor,
    curved: Tensor,
    said: Tensor,
    tapes: Tensor,
    norms: Tensor,
    gone: Tensor,
    traces: Tensor,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Gradients of the first eight tensors after ``slope``, that of the features."""
    made = Run(features, gates, cells, curved, said, tapes, norms, gone, traces)
    kept = Run(*(each.detach() for each in made))
    return descend(slope.detach(), feedback.detach(), address.detach(), kept)


def _fake_backward(slope: Tensor, *others: Any) -> tuple[Tensor, ...]:
    return tuple(each.new_empty(each.shape) for each in others[:TENSORS])


def _save(ctx: Any, inputs: tuple[Any, ...], output: Many) -> None:
    ctx.save_for_backward(*inputs[:TENSORS], *output)
    ctx.mark_non_differentiable(*output[1:])
    ctx.set_materialize_grads(False)  # or gradients of zeros would be made for what is kept


def _once(ctx: Any, slope: Tensor | None, *others: None) -> tuple[Tensor | None, ...]:
    if slope is None:
        return (None,) * (TENSORS + 1)
    saved = ctx.saved_tensors  # asked for once: checkpointing allows no more
    inputs, made = saved[:TENSORS], saved[TENSORS:]
    # Second derivatives see the features through the plain equations, from the inputs.
    kept = (each.detach() for each in made)
    return *BACKWARD(slope, *inputs, *kept), None


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
        features = plain.features(*inputs)
        first = torch.autograd.grad(
            features, inputs, slope, create_graph=True, materialize_grads=True
        )
        gradients = torch.autograd.grad(
            first, (slope, *inputs), curvature, create_graph=further, allow_unused=True
        )
    return *gradients, *[None] * len(Run._fields)


MACHINE = operator("tape", machine, fake=_fake, save=_save, backward=_once)
BACKWARD = operator(
    "tape_backward", machine_backward, fake=_fake_backward, save=_save_inputs, backward=_twice
)
