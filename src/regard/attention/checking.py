"""Input that cannot work is refused with what is wrong and what would work."""

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from regard.shapes import broadcast

if TYPE_CHECKING:
    from regard.attention.memory import Memory


def check_kind(name: str, part: object, kind: type[nn.Module], example: str) -> None:
    """Raise where a slot is given something that is no such part."""
    if isinstance(part, kind):
        return
    given = (
        f"the class {part.__name__}; make one: {part.__name__}(...)"
        if isinstance(part, type)
        else f"{part!r}"
    )
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    raise TypeError(f"{name} must be {article} {kind.__name__}, such as {example}, but got {given}")


def check_tensor(name: str, tensor: object) -> None:
    """Raise where this is no tensor of numbers with a sequence axis and a feature axis."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"{name} must be a tensor, but got {type(tensor).__name__}")
    if not tensor.is_floating_point():
        raise TypeError(
            f"{name} must hold floating-point numbers, but its type is {tensor.dtype}; "
            f"{name}.float() converts it"
        )
    if tensor.dim() < 2:
        raise ValueError(
            f"{name} must have the shape (*batch, {name}, size), but it has {tuple(tensor.shape)}; "
            f"{name}.unsqueeze(-2) makes a sequence of one"
        )


def check_pair(key: Tensor, value: Tensor) -> None:
    """Raise where keys and values do not go together one by one."""
    check_tensor("key", key)
    check_tensor("value", value)
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            "every key needs its own value, but there are "
            f"{key.shape[-2]} keys (key {tuple(key.shape)}) and {value.shape[-2]} values "
            f"(value {tuple(value.shape)})"
        )
    check_batches(key=key, value=value)


def check_batches(**tensors: Tensor) -> None:
    """Raise where leading axes do not broadcast, or types differ."""
    (first_name, first), (second_name, second) = tensors.items()
    try:
        broadcast(first.shape[:-2], second.shape[:-2])
    except RuntimeError:
        raise ValueError(
            f"{first_name} and {second_name} must have leading axes that broadcast, but "
            f"{first_name} has {tuple(first.shape)} and {second_name} has {tuple(second.shape)}"
        ) from None
    if first.dtype != second.dtype and not torch.is_autocast_enabled(first.device.type):
        raise TypeError(
            f"{first_name} and {second_name} must be of one type, but {first_name} is "
            f"{first.dtype} and {second_name} is {second.dtype}"
        )


def check_mask(mask: object, key: Tensor) -> None:
    """Raise where a mask is no permission over these keys."""
    keys = key.shape[-2]
    if not isinstance(mask, Tensor):
        raise TypeError(f"mask must be a boolean tensor, but got {type(mask).__name__}")
    if mask.dtype != torch.bool:
        raise TypeError(
            f"mask must be boolean, True = may attend, but its type is {mask.dtype}; numbers to "
            "add to the scores are a Score (ScaledDot() + your own), and "
            "regard.masks.from_torch converts the masks of nn.MultiheadAttention"
        )
    if mask.dim() < 2 or mask.shape[-1] != keys:
        raise ValueError(
            f"mask must have the shape (*batch, query or 1, key) with {keys} keys, but it has "
            f"{tuple(mask.shape)}; a mask (batch, key) becomes one by mask.unsqueeze(-2)"
        )
    try:
        broadcast(mask.shape[:-2], key.shape[:-2])
    except RuntimeError:
        raise ValueError(
            f"mask must have leading axes that broadcast with the keys', {tuple(key.shape[:-2])}, "
            f"but it has the shape {tuple(mask.shape)}"
        ) from None


def check_look(query: Tensor, memory: "Memory") -> None:
    """Raise where query, keys, values and mask do not belong to one look."""
    value, mask = memory.value, memory.mask
    check_tensor("query", query)
    check_batches(query=query, value=value)
    for key in memory.prepared if isinstance(memory.prepared, tuple) else (memory.prepared,):
        check_batches(query=query, key=key)
    if mask is None:
        return
    batch = broadcast(query.shape[:-2], value.shape[:-2])
    wanted = (*batch, query.shape[-2], value.shape[-2])
    try:
        fits = broadcast(mask.shape, wanted) == wanted
    except RuntimeError:
        fits = False
    if not fits:
        raise ValueError(
            f"mask must broadcast to (*batch, query, key) = {wanted}, but it has "
            f"{tuple(mask.shape)}; a mask (batch, key) becomes one by mask.unsqueeze(-2)"
        )
