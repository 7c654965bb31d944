"""Noticing that a tensor has changed since it was used, so that no wrong weight is ever shown."""

import copy
from collections.abc import Iterable

import torch
from torch import Tensor

Mark = int | Tensor


class Witness:
    """Remembers how tensors stood, and says whether they still stand so."""

    def __init__(self, tensors: Iterable[Tensor], *, by_value: bool = True) -> None:
        """``by_value`` keeps copies of those whose versions cannot be trusted."""
        self.by_value = by_value
        self.marks = [(tensor, _mark(tensor, by_value)) for tensor in tensors]

    def __deepcopy__(self, memo: dict[int, object]) -> "Witness":
        """Copies are new tensors, whose versions start anew."""
        self.check()
        copies = [copy.deepcopy(tensor, memo) for tensor, _ in self.marks]
        return Witness(copies, by_value=self.by_value)

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


def _mark(tensor: Tensor, by_value: bool) -> Mark:
    """A tensor's version, which grows with every change in place, or a copy of it.

    A copy where versions say nothing: tensors of inference mode have none, and fused optimisers
    change parameters without a new one (torch 2.13).
    """
    if tensor.is_inference():
        return tensor.clone() if by_value else -1
    root = tensor if tensor._base is None else tensor._base
    if by_value and root.is_leaf and root.requires_grad and not _has_no_value(tensor):
        return tensor.detach().clone()
    return tensor._version


def _unchanged(tensor: Tensor, mark: Mark) -> bool:
    if isinstance(mark, Tensor):
        alike = tensor.shape == mark.shape and tensor.dtype == mark.dtype
        # NaN is unlike itself, but a NaN that stays is no change.
        return alike and torch.allclose(tensor.detach(), mark, rtol=0, atol=0, equal_nan=True)
    return tensor.is_inference() or tensor._version == mark


def _has_no_value(tensor: Tensor) -> bool:
    """On the meta device, or inside vmap and grad, where nothing can be compared."""
    return tensor.is_meta or torch._C._functorch.is_functorch_wrapped_tensor(tensor)
