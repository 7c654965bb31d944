"""The equations that the compiled functions equal, step by step in torch."""

import torch
from torch import Tensor
from torch.nn.functional import linear


def states(given: Tensor, weights: Tensor, feedback: Tensor) -> Tensor:
    """All states after each step, (*batch, query, time, size); see the package."""
    size = feedback.shape[1]
    shape = torch.broadcast_shapes(given.shape[:-2], weights.shape[:-2])  # type: ignore[no-untyped-call]
    state = given.new_zeros(*shape, weights.shape[-2], size)
    found = []
    for share, weight in zip(given.unsqueeze(-3).unbind(-2), weights.unbind(-1), strict=True):
        state = _step(state, share, weight.unsqueeze(-1), linear(state, feedback))
        found.append(state)
    return torch.stack(found, dim=-2) if found else state.unsqueeze(-2)[..., :0, :]


def _step(state: Tensor, share: Tensor, weight: Tensor, fed: Tensor) -> Tensor:
    size = state.shape[-1]
    gates = (share[..., :-size] + fed[..., :-size]).sigmoid()
    new = (share[..., -size:] + gates[..., -size:] * fed[..., -size:]).tanh()
    if gates.shape[-1] > size:
        weight = weight * gates[..., :size]
    return state + weight * (new - state)
