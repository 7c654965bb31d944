"""Inputs that are pondered by a recurrent unit, fused, forward and backward.

Adaptive Computation Time for Recurrent Neural Networks, Graves 2016, section 2.
https://arxiv.org/abs/1603.08983 With x what is made of an input alone (another x at its first step
than at the others, by its flag), U what feeds the unit back, w and b the halting unit:

    s^n = unit(x^n + U h^{n-1})     p^n = sigmoid(w h^n + b)     until the p add up to 1 - slack
    s   = sum_n weight^n s^n        weight^n = p^n, but the last is what remains of one

The unit is an LSTM, x being its four sums, or tanh. ``plain`` holds the equations in torch. Rows of
a batch that have halted are no longer worked out.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from regard.kernels.pondering.operators import Sequence


class Unit(NamedTuple):
    """A recurrent unit as the kernel knows it: an LSTM, or tanh where ``cell`` is empty."""

    raised: Tensor  # x at the first step on an input: time, batch, 4 * size or size
    lowered: Tensor  # x at all others
    feedback: Tensor  # U: 4 * size or size, size
    hidden: Tensor  # batch, size; before the first input
    cell: Tensor  # batch, size, or batch, 0


class Limits(NamedTuple):
    """When an input has been pondered enough."""

    most: int  # steps
    slack: float  # what may be missing of one


def ponder(
    unit: Unit, halting: Tensor, bias: Tensor, limits: Limits
) -> tuple[Tensor, Tensor, Tensor]:
    """Outputs (time, batch, size), and of each input its remainder and its steps (time, batch)."""
    tensors = *(each.contiguous() for each in unit), halting.contiguous(), bias
    keep = torch.is_grad_enabled() and any(each.requires_grad for each in tensors)
    outputs, remainder, steps = Sequence.apply(*tensors, limits.most, limits.slack, keep)  # type: ignore[no-untyped-call]
    return outputs, remainder, steps
