"""Noticing that a tensor has changed since it was used, so that no wrong weight is ever shown."""

from collections.abc import Iterable

import torch
from torch import Tensor
from torch.optim.optimizer import Optimizer, register_optimizer_step_post_hook

Mark = tuple[int, int] | Tensor


class Witness:
    """Remembers how tensors stood, and says whether they still stand so."""

    def __init__(self, tensors: Iterable[Tensor]) -> None:
        self.marks = [(tensor, _mark(tensor)) for tensor in tensors]

    def check(self) -> None:
        """Raise where a tensor has changed since."""
        for tensor, mark in self.marks:
            if not _unchanged(tensor, mark):
                raise RuntimeError(
                    "the weights of this look are worked out when they are first read, but a "
                    f"tensor of shape {tuple(tensor.shape)} that they come from has been changed "
                    "since the look (an optimiser step, or an operation in place); read .weights "
                    "or .scores before the change, or record them with regard.record"
                )


def _mark(tensor: Tensor) -> Mark:
    """A tensor's version; tensors of inference mode have none, so they are kept by value."""
    if tensor.is_inference():
        return tensor.clone()
    return tensor._version, _address(tensor)


def _unchanged(tensor: Tensor, mark: Mark) -> bool:
    if isinstance(mark, Tensor):
        # NaN is unlike itself, but a NaN that stays is no change.
        return torch.allclose(tensor, mark, rtol=0, atol=0, equal_nan=True)
    return (tensor._version, _address(tensor)) == mark


def _address(tensor: Tensor) -> int:
    """Where the numbers lie: `parameter.data = ...` moves them without a new version."""
    wrapped = torch._C._functorch.is_functorch_wrapped_tensor(tensor)  # inside vmap or grad
    return 0 if wrapped else tensor.data_ptr()


def _count_fused_step(optimiser: Optimizer, *_: object) -> None:
    """Fused optimisers change parameters without a new version (torch 2.13): give them one."""
    for group in optimiser.param_groups:
        if group.get("fused"):
            for parameter in group["params"]:
                torch.autograd.graph.increment_version(parameter)


register_optimizer_step_post_hook(_count_fused_step)
