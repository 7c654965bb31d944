"""A decoder made ready for a search: the matrices of its steps laid out once."""

import copy
from typing import TypeVar

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.attention import Look
from regard.kernels.packed import packable, packed
from regard.linear import LoopLinear, WideLinear

Part = TypeVar("Part")


class Packed(nn.Module):
    """A linear map as it is now, laid out for many products with few rows each."""

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self.apply_to = packed(weight, bias)

    def forward(self, given: Float[Tensor, "*batch given"]) -> Float[Tensor, "*batch made"]:
        """W x + b."""
        return self.apply_to(given)


def ready(part: Part) -> Part:
    """The same part for a loop without gradient that calls it again and again.

    Its large linear maps are laid out anew (``kernels.packed``), all else is shared, hooks
    included. Looks are left as they are: they keep what a loop needs of their keys themselves. What
    is not a module, and what may be trained, is given back.
    """
    if isinstance(part, nn.Module) and not torch.is_grad_enabled():
        return _twin(part)  # type: ignore[return-value]
    return part


def _twin(module: nn.Module) -> nn.Module:
    if isinstance(module, (nn.Linear, LoopLinear)):
        return _packed_twin(module)
    if isinstance(module, Look):
        return module
    children = {
        name: child if child is None else _twin(child) for name, child in module._modules.items()
    }
    if all(children[name] is child for name, child in module._modules.items()):
        return module
    twin = copy.copy(module)
    twin._modules = children
    return twin


def _packed_twin(module: nn.Linear | LoopLinear) -> nn.Module:
    hooked = module._forward_hooks or module._forward_pre_hooks
    known = type(module) in (nn.Linear, WideLinear, LoopLinear)
    if hooked or not known or not packable(module.weight):
        return module  # somebody else's way of multiplying, or somebody listens
    return Packed(module.weight, getattr(module, "bias", None))
