"""Gradients that torch can follow further, by way of the plain equations and at their price."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from regard.kernels.choosing import equation_wanted

Equations = Callable[..., tuple[Tensor, ...]]


def followed(slopes: Sequence[Tensor]) -> bool:
    """Whether gradients are looked at themselves, or many of them are wanted at once."""
    many = any(torch._C._functorch.is_legacy_batchedtensor(each) for each in slopes)
    return many or torch.is_grad_enabled() or equation_wanted()


def by_equations(
    equations: Equations, inputs: Sequence[Tensor], slopes: Sequence[Tensor]
) -> tuple[Tensor, ...]:
    """The gradients of what the equations make of the inputs; they have gradients themselves.

    Views stand for the tensors, so that a slope that depends on an input is not followed into it.
    """
    further = torch.is_grad_enabled()
    with torch.enable_grad():
        views = [
            each.view_as(each) if each.requires_grad else each.detach().requires_grad_()
            for each in inputs
        ]
        return torch.autograd.grad(
            equations(*views), views, slopes, create_graph=further, materialize_grads=True
        )
