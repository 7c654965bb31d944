"""A gated recurrence over weighted steps, fused, forward and backward.

With x_t what is made of the step's input alone, U what feeds the state back, w_t the step's weight:

    r = sigmoid(x_r + U_r h)    n = tanh(x_n + r * U_n h)    h' = h + w u (n - h)

where u = sigmoid(x_u + U_u h), or 1 where U has no rows for it: then the weight alone is the update
gate. With u, weights of one make it the gated recurrent unit (Cho et al. 2014, with the reset gate
behind U as in Chung et al. 2014); a weight of zero leaves the state as it is. ``plain`` holds the
equations in torch.
"""

import torch
from torch import Tensor

from regard.kernels.choosing import usable
from regard.kernels.recurrence import plain
from regard.kernels.recurrence.operators import Sequence


def states(given: Tensor, weights: Tensor, feedback: Tensor) -> Tensor:
    """The states after each step, from zero on: (*batch, query, time, size).

    ``given`` is (*batch, time, wide), ``weights`` (*batch, query, time), ``feedback`` (wide, size),
    in which wide is 3 size for u, r, n or 2 size for r, n, in this order.
    """
    tensors = given, weights, feedback
    if not usable(*tensors):
        return plain.states(*tensors)
    batch = torch.broadcast_shapes(given.shape[:-2], weights.shape[:-2])  # type: ignore[no-untyped-call]
    given = given.expand(*batch, -1, -1).reshape(-1, *given.shape[-2:]).transpose(0, 1)
    rows = weights.expand(*batch, -1, -1).reshape(-1, weights.shape[-1]).T
    keep = torch.is_grad_enabled() and any(each.requires_grad for each in tensors)
    arranged = (each.contiguous() for each in (given, rows, feedback))
    made: Tensor = Sequence.apply(*arranged, keep)  # type: ignore[no-untyped-call]
    return made[1:].transpose(0, 1).view(*batch, *weights.shape[-2:], feedback.shape[1])
