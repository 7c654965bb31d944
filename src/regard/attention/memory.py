"""Keys and values kept ready for many looks."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from regard.attention.checking import check_mask
from regard.masks import both, silence
from regard.shapes import Key, Mask, Prepared, Value, broadcast


class Memory(NamedTuple):
    """What ``remember`` keeps: keys already prepared, their values, and who may see them.

    A plain tuple, passed in and returned: growing or picking makes a new one.
    """

    prepared: Prepared
    value: Value
    mask: Mask | None = None

    @property
    def length(self) -> int:
        """The number of keys."""
        return self.value.shape[-2]

    def append(self, newer: "Memory") -> "Memory":
        """This memory with the keys of ``newer`` behind its own: a cache that grows.

        ``memory.append(look.remember(key, value))`` prepares only the new keys.
        """
        prepared = _each(lambda *pair: torch.cat(pair, dim=-2), self.prepared, newer.prepared)
        value = torch.cat([self.value, newer.value], dim=-2)
        return Memory(prepared, value, _joined(self, newer))

    def select(self, rows: Int[Tensor, " rows"]) -> "Memory":
        """The memories of these examples, in this order, repeats allowed: for beams that move.

        Where all beams of an example look at the same keys, let them ride on the query axis
        instead: the memory then needs neither repeating nor reordering.
        """
        parts = (*_flat(self.prepared), self.value, *_flat(self.mask))
        axes = max(part.dim() for part in parts)
        examples = max(part.shape[0] for part in parts if part.dim() == axes)

        def pick(part: Tensor) -> Tensor:
            shared = part.dim() < axes or part.shape[0] < examples  # one for all examples
            return part if shared else part.index_select(0, rows)

        mask = None if self.mask is None else pick(self.mask)
        return Memory(_each(pick, self.prepared), pick(self.value), mask)

    def repeat_heads(self, times: int) -> "Memory":
        """Every head (third axis from the end) ``times`` in a row, for queries that share it."""
        prepared = _each(lambda part: part.repeat_interleave(times, dim=-3), self.prepared)
        return Memory(prepared, self.value.repeat_interleave(times, dim=-3), self.mask)


Remember = Callable[[Key, Value | None, Mask | None], Memory]


def recall(remember: Remember, key: Key | Memory, value: Value | None, mask: Mask | None) -> Memory:
    """The memory that the arguments of a look mean: made now, or the one given, narrowed."""
    if not isinstance(key, Memory):
        return remember(key, value, mask)
    if value is not None:
        raise TypeError("a Memory holds its values already; leave value out")
    if mask is None:
        return key
    check_mask(mask, key.value)
    return Memory(
        _each(lambda part: silence(part, mask), key.prepared),
        silence(key.value, mask),
        both(key.mask, mask),
    )


def _each(change: Callable[..., Tensor], *prepared: Prepared) -> Prepared:
    """The same change to prepared keys, whether they are one tensor or one per term of a sum."""
    if isinstance(prepared[0], tuple):
        return tuple(change(*parts) for parts in zip(*prepared, strict=True))
    return change(*prepared)


def _flat(prepared: Prepared | None) -> tuple[Tensor, ...]:
    """Prepared keys as a tuple, whether they are none, one, or one per term of a sum."""
    if prepared is None:
        return ()
    return prepared if isinstance(prepared, tuple) else (prepared,)


def _joined(first: Memory, second: Memory) -> Mask | None:
    """The masks of both side by side; a memory without one may be seen by all."""
    if first.mask is None and second.mask is None:
        return None
    masks = [_explicit(first), _explicit(second)]
    shared = broadcast(*(mask.shape[:-1] for mask in masks))
    return torch.cat([mask.expand(*shared, -1) for mask in masks], dim=-1)


def _explicit(memory: Memory) -> Mask:
    if memory.mask is None:
        return memory.value.new_ones(1, memory.length, dtype=torch.bool)
    return memory.mask
