"""Bahdanau's additive attention, fused: s_ij = v . tanh(q_i + k_j), softmax over j, blend.

Neural Machine Translation by Jointly Learning to Align and Translate,
Bahdanau, Cho, Bengio 2015, appendix A.1.2. https://arxiv.org/abs/1409.0473
Queries and keys come here projected already. ``plain`` holds the equations that these equal.
"""

from contextlib import AbstractContextManager, nullcontext
from functools import reduce
from typing import NamedTuple

import torch
from torch import Tensor

from regard.kernels.additive import gathering, plain
from regard.kernels.additive.keeping import ready
from regard.kernels.additive.operators import ATTENTION, SCORES
from regard.kernels.choosing import equation_wanted

# Up to so many query x key x hidden terms (1 MB in single precision) the plain equation is faster:
# four calls of torch instead of the tiles' thirty.
FEW = 262_144


def scores(query: Tensor, key: Tensor, vector: Tensor) -> Tensor:
    """s_ij = sum_h v_h tanh(q_ih + k_jh) in (..., query, key), with any leading axes.

    Nothing of the size query x key x hidden is ever held, in neither direction.
    """
    with _own_precision(query):
        return _scores(query, key, vector)


def _scores(query: Tensor, key: Tensor, vector: Tensor) -> Tensor:
    query, key, vector = _alike(query, key, vector)
    lead = _lead(query, key)
    if equation_wanted() or _few(query, key, lead):
        return plain.scores(query, key, vector)
    flat_key = _flat(key, lead)
    flat: Tensor = SCORES(_flat(query, lead), flat_key, vector, ready(query, flat_key))
    return flat if len(lead) == 1 else flat.view(*lead, *flat.shape[1:])


class Blended(NamedTuple):
    """What the keys blended into, and the weights where they were kept: few, without gradient."""

    context: Tensor
    weights: Tensor | None


def attend(
    query: Tensor, key: Tensor, vector: Tensor, value: Tensor, mask: Tensor | None = None
) -> Blended:
    """c_i = sum_j softmax_j(s_ij) value_j in (..., query, dim), with any leading axes.

    ``mask`` is boolean, True = may attend, and broadcasts to (..., query, key). A query that may
    see nothing gets zeros, as does its gradient. Memory grows with query + key, not their product.
    """
    with _own_precision(query):
        return _attend(query, key, vector, value, mask)


def _attend(
    query: Tensor, key: Tensor, vector: Tensor, value: Tensor, mask: Tensor | None
) -> Blended:
    query, key, vector, value = _alike(query, key, vector, value)
    if mask is not None and mask.ndim < 2:
        mask = mask.unsqueeze(0)
    lead = _lead(query, key, value) if mask is None else _lead(query, key, value, mask)
    if equation_wanted() or _few(query, key, lead):
        return Blended(plain.context(query, key, vector, value, mask), None)
    if mask is not None:
        mask = _flat_mask(mask, lead, key.shape[-2])
    flat_key = _flat(key, lead)
    inputs = _flat(query, lead), flat_key, vector, _flat(value, lead), mask, ready(query, flat_key)
    gathered = gathering.attend(*inputs)
    context, kept = ATTENTION(*inputs)[::2] if gathered is None else gathered
    weights = kept.detach().to(context.dtype) if kept.shape[0] else None
    if len(lead) != 1:
        context = context.view(*lead, *context.shape[1:])
        weights = None if weights is None else weights.view(*lead, *weights.shape[1:])
    return Blended(context, weights)


def _own_precision(tensor: Tensor) -> AbstractContextManager[object]:
    """Autocast switched off, so that small and large looks are worked out alike."""
    device = tensor.device.type
    if not torch.amp.is_autocast_available(device):
        return nullcontext()
    return torch.autocast(device, enabled=False)


def _alike(*tensors: Tensor) -> list[Tensor]:
    """In one dtype: under autocast projections are half precision and the vector is not."""
    dtypes = {each.dtype for each in tensors}
    if len(dtypes) == 1:
        return list(tensors)
    common = reduce(torch.promote_types, dtypes)
    return [each.to(common) for each in tensors]


def _lead(*tensors: Tensor) -> torch.Size:
    shapes = {each.shape[:-2] for each in tensors}
    return shapes.pop() if len(shapes) == 1 else torch.broadcast_shapes(*shapes)  # type: ignore[no-untyped-call]


def _few(query: Tensor, key: Tensor, lead: torch.Size) -> bool:
    terms = lead.numel() * query.shape[-2] * key.shape[-2] * key.shape[-1]
    return 0 < terms <= FEW and query.dtype in (torch.float32, torch.float64)


def _flat(tensor: Tensor, lead: torch.Size) -> Tensor:
    if len(lead) == 1 and tensor.ndim == 3 and tensor.shape[0] == lead[0]:
        return tensor
    return tensor.expand(*lead, *tensor.shape[-2:]).reshape(lead.numel(), *tensor.shape[-2:])


def _flat_mask(mask: Tensor, lead: torch.Size, keys: int) -> Tensor:
    """(1 or batch, 1 or query, key), without copies along axes that the mask does not have."""
    mask = mask.expand(*mask.shape[:-1], keys)
    if mask.shape[:-2].numel() == 1:
        return mask.reshape(1, *mask.shape[-2:])
    return _flat(mask, lead)
