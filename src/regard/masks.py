"""Masks are permissions: boolean, True = may attend. They combine with ``&``.

>>> causal(3)
tensor([[ True, False, False],
        [ True,  True, False],
        [ True,  True,  True]])
>>> causal(3) & padding([2, 3], 3)  # may see neither the future nor the filling
tensor([[[ True, False, False],
         [ True,  True, False],
         [ True,  True, False]],
<BLANKLINE>
        [[ True, False, False],
         [ True,  True, False],
         [ True,  True,  True]]])
"""

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from regard.kernels.choosing import equation_wanted
from regard.shapes import Mask, Scores, Weights

Device = torch.device | str | None


def causal(query: int, key: int | None = None, *, device: Device = None) -> Mask:
    """Each query may see the keys up to its own; the last query stands at the last key.

    Aligned at the end, so that the newest query of a cache sees everything before it.
    """
    return positions_apart(query, key, device=device) <= 0


def window(length: int, radius: int, key: int | None = None, *, device: Device = None) -> Mask:
    """Each query may see the keys at most ``radius`` away from its own position (local-m).

    Effective Approaches to Attention-based Neural Machine Translation, Luong, Pham, Manning
    2015, section 3.2. https://arxiv.org/abs/1508.04025 There the position is p_t = t counted
    from the first key, and so it is here, also where there are more keys than queries.
    """
    keys = _positions(_count("key", length if key is None else key), device)
    queries = _positions(_count("length", length), device)
    return (keys - queries.unsqueeze(-1)).abs() <= _count("radius", radius)


def padding(
    lengths: Int[Tensor, "..."] | Sequence[int], length: int | None = None, *, device: Device = None
) -> Mask:
    """Every query may see the first ``lengths[i]`` keys of example i, and not the filling.

    Shape (batch, 1, key). ``length`` is the longest of ``lengths`` when it is not given.
    """
    lengths = torch.as_tensor(lengths, device=device)
    if lengths.is_floating_point() or lengths.dtype == torch.bool:
        raise TypeError(
            f"lengths must be whole numbers, one per example, but their type is {lengths.dtype}; "
            "a boolean mask of shape (batch, key) becomes a mask by mask.unsqueeze(-2)"
        )
    if length is None or not torch.compiler.is_compiling():  # values cannot be read there
        length = _check_lengths(lengths, length)
    return (_positions(length, lengths.device) < lengths.unsqueeze(-1)).unsqueeze(-2)


def _check_lengths(lengths: Int[Tensor, "..."], length: int | None) -> int:
    """How long all examples are to be; raise where one does not fit."""
    if lengths.numel() and int(lengths.min()) < 0:
        raise ValueError(f"lengths must be 0 or more, but one is {int(lengths.min())}")
    longest = int(lengths.max()) if lengths.numel() else 0
    length = longest if length is None else _count("length", length)
    if longest > length:
        raise ValueError(
            f"length must hold the longest example, but length={length} and lengths go up to "
            f"{longest}; take length={longest} or leave it out"
        )
    return length


def from_torch(
    attn_mask: Tensor | None = None, key_padding_mask: Tensor | None = None
) -> Mask | None:
    """The masks of ``nn.MultiheadAttention``, where True = must *not* attend, as a permission.

    ``attn_mask`` (query, key) and ``key_padding_mask`` (batch, key), boolean, or of numbers that
    are all 0 or -inf. Nowhere else in the library is a mask turned round.
    """
    if attn_mask is not None and attn_mask.dim() != 2:
        raise ValueError(
            f"attn_mask must have the shape (query, key), but it has {tuple(attn_mask.shape)}; a "
            "mask for each head has no place here, since heads share one"
        )
    allowed = None if attn_mask is None else _open("attn_mask", attn_mask)
    if key_padding_mask is None:
        return allowed
    return both(_open("key_padding_mask", key_padding_mask).unsqueeze(-2), allowed)


def positions_apart(
    query: int, key: int | None = None, *, device: Device = None
) -> Int[Tensor, "query key"]:
    """How far each key lies after each query's own key; the last query's own is the last key."""
    queries = _count("query", query)
    keys = _count("key", query if key is None else key)
    own = _positions(queries, device) + (keys - queries)
    return _positions(keys, device) - own.unsqueeze(-1)


def both(first: Mask | None, second: Mask | None) -> Mask | None:
    """What both permit; None permits everything."""
    if first is None:
        return second
    return first if second is None else first & second


def hide(scores: Scores, mask: Mask | None) -> Scores:
    """Forbidden keys get the lowest score that there is.

    The lowest finite number rather than minus infinity: a query that may see nothing then has
    finite weights, which ``blank`` clears, and no NaN arises even on the way.
    """
    if mask is None:
        return scores
    return torch.where(mask, scores, torch.finfo(scores.dtype).min)


def blank(weights: Weights, mask: Mask | None) -> Weights:
    """Forbidden keys get exactly zero, and pass no gradient."""
    return weights if mask is None else torch.where(mask, weights, 0)


def silence(rows: Float[Tensor, "..."], mask: Mask | None) -> Float[Tensor, "..."]:
    """Rows of keys or values that no query may see become zero: not even a NaN gets out of them."""
    if mask is None:
        return rows
    seen = mask.any(dim=-2).unsqueeze(-1)
    readable = seen.is_cpu and not torch.compiler.is_compiling() and not equation_wanted()
    if readable and bool(seen.all()):
        return rows  # causal masks and windows hide no key from everybody: nothing to copy
    return torch.where(seen, rows, 0)


def _positions(length: int, device: Device) -> Int[Tensor, " length"]:
    return torch.arange(length, device=device)


def _count(name: str, value: int) -> int:
    if isinstance(value, float):
        raise TypeError(f"{name} must be a whole number, but {name}={value}")
    if value < 0:
        raise ValueError(f"{name} is a number of positions, 0 or more, but {name}={value}")
    return value


def _open(name: str, bias: Tensor) -> Bool[Tensor, "..."]:
    """Where a mask of torch's forbids nothing."""
    if bias.dtype == torch.bool:
        return bias.logical_not()
    closed = torch.isneginf(bias)
    if not bool((closed | (bias == 0)).all()):
        raise ValueError(
            f"{name} holds numbers other than 0 and -inf: that is a bias, not a permission; "
            "add it to the scores as a Score (ScaledDot() + your own)"
        )
    return closed.logical_not()
