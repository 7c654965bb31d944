"""Exponentials of keys that stay the same over many looks: a decoder asks the same keys each step.

They are kept as long as the keys themselves, and made anew when the keys have been changed.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.utils.weak import WeakIdKeyDictionary, WeakTensorKeyDictionary

from regard.kernels.additive.tiles import LARGEST, exponentials, is_small
from regard.kernels.compiling import available

FEW_QUERIES = 4


class _Kept(NamedTuple):
    version: int
    ready: Tensor | None  # None where the exponentials would not be finite


_kept: WeakIdKeyDictionary = WeakTensorKeyDictionary()


def ready(query: Tensor, key: Tensor) -> Tensor | None:
    """exp(2 key) in (batch, key, hidden) where a loop will ask for it again; else None."""
    if not (few_queries(query) and can_be_kept(key)):
        return None
    kept: _Kept | None = _kept[key] if key in _kept else None  # noqa: SIM401  (untyped get)
    if kept is None or kept.version != key._version:
        bare = key.detach()
        kept = _Kept(key._version, exponentials(bare) if is_small(bare) else None)
        _kept[key] = kept
    return kept.ready


def few_queries(query: Tensor) -> bool:
    """Whether a look is taken for one of many at the same keys."""
    return query.shape[-2] < FEW_QUERIES


def can_be_kept(key: Tensor) -> bool:
    """Whether the compiled kernel will run, and a change of the keys would be noticed.

    Tensors of inference mode have no version, and some optimisers change parameters without a new
    one; fake tensors and whatever else is no plain tensor has no values to keep.
    """
    return (
        not torch.compiler.is_compiling()
        and type(key) is Tensor
        and key.device.type == "cpu"
        and key.dtype in LARGEST
        and key.ndim == 3
        and key.numel() > 0
        and not key.is_inference()
        and not (key.is_leaf and key.requires_grad)
        and available()
    )
