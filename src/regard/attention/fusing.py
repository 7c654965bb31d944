"""Where a fused kernel gives the same context faster: the one place that picks it."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from regard.attention.memory import Memory
from regard.blends import WeightedSum
from regard.kernels import additive
from regard.kernels.choosing import equation_wanted
from regard.normalisers import Softmax
from regard.scores import HiddenLayer, InnerProduct
from regard.scores.products import scaled_product
from regard.shapes import Context, Mask, Query, Scores, Weights, broadcast
from regard.windows import Everywhere

if TYPE_CHECKING:
    from regard.attention.attention import Attention


class Fusion(NamedTuple):
    """What a kernel made, and all that is needed to work out the weights that it passed over."""

    context: Context
    compare: Callable[..., Scores]
    tensors: tuple[Tensor, ...]  # what ``compare`` takes: asked queries, prepared keys, others
    weights: Weights | None = None  # where the kernel kept them, without gradient


def fuse(look: "Attention", query: Query, memory: Memory) -> Fusion | None:
    """The look by one kernel, where there is one for these parts; else None."""
    blend = look.blend
    plain = (
        type(look.normaliser) is Softmax
        and type(blend) is WeightedSum
        and not blend.drops  # a dropped weight must be drawn, so it must be worked out
        and type(look.window) is Everywhere
        and memory.length > 0
        and not equation_wanted()
    )
    if not plain:
        return None
    for kind, kernel in KERNELS.items():
        if isinstance(look.score, kind):
            return kernel(look.score, query, memory)
    return None


def _by_product(score: InnerProduct, query: Query, memory: Memory) -> Fusion:
    """softmax(scale q k') v by torch's own kernel, whose mask means the same as ours."""
    asked, key, value, mask = score.ask(query), memory.prepared, memory.value, memory.mask
    score.check(asked, key)
    scale = score.scale(asked.shape[-1])
    context = scaled_dot_product_attention(*_four_axes(asked, key, value, mask), scale=scale)
    batch = broadcast(asked.shape[:-2], key.shape[:-2], value.shape[:-2])
    context = _keep_nan(context.reshape(*batch, *context.shape[-2:]), asked, mask)
    return Fusion(context, partial(scaled_product, scale=scale), (asked, key))


def _by_hidden_layer(score: HiddenLayer, query: Query, memory: Memory) -> Fusion:
    """softmax(v . tanh(W q + U k)) v by our own kernel."""
    asked, key, vector = score.ask(query), memory.prepared, score.vector
    context, weights = additive.attend(asked, key, vector, memory.value, memory.mask)
    return Fusion(context, additive.scores, (asked, key, vector), weights)


KERNELS: dict[type, Callable[..., Fusion]] = {
    InnerProduct: _by_product,
    HiddenLayer: _by_hidden_layer,
}


def _four_axes(
    query: Tensor, key: Tensor, value: Tensor, mask: Mask | None
) -> tuple[Tensor, Tensor, Tensor, Mask | None]:
    """Leading axes brought to two, without copying in the usual case of batch and head."""
    batch = broadcast(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    lead = (1, 1, *batch)[-max(2, len(batch)) :]

    def shaped(tensor: Tensor) -> Tensor:
        if tensor.shape[:-2] == batch and len(batch) <= 2:
            # Nothing to repeat. The way back from a view of the same shape or from ``expand`` would
            # copy the gradient.
            for _ in range(2 - len(batch)):
                tensor = tensor.unsqueeze(0)
            return tensor
        return tensor.expand(*lead, *tensor.shape[-2:]).flatten(0, -4)

    if mask is not None and mask.dim() > 2:
        mask = shaped(mask) if len(lead) > 2 else mask[(None,) * (4 - mask.dim())]
    return shaped(query), shaped(key), shaped(value), mask


def _keep_nan(context: Context, query: Query, mask: Mask | None) -> Context:
    """Torch's kernel shows zeros for a query of NaN; a broken query must stay visible."""
    readable = query.is_cpu and not torch.compiler.is_compiling()
    if readable and bool(query.detach().sum().isfinite()):
        return context  # the usual case, for the price of reading the queries once
    broken = query.detach() @ query.new_zeros(query.shape[-1], 1)  # NaN where the query has one
    if mask is not None:
        broken = torch.where(mask.any(dim=-1, keepdim=True), broken, 0)
    return context + broken
