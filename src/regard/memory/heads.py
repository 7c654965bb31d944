"""Heads: what a controller says, turned into places on the tape."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import softplus

from regard.attention import Watch
from regard.counts import check_counts
from regard.memory.addressing import interpolate, match, sharpen, shift
from regard.memory.tape import HeadWeights, Tape, Words

Output = Float[Tensor, "batch size"]  # of the controller


class Heads(nn.Module):
    """So many heads, each with an address of its own.

    Of the controller's output each makes a key k, a strength beta = softplus, a gate g = sigmoid,
    shares of the shifts s = softmax, and a power gamma = 1 + softplus. Where they go is recorded
    through ``watch``.
    """

    def __init__(self, *, controller_size: int, heads: int, word_size: int, reach: int = 1) -> None:
        super().__init__()
        check_counts("Heads", controller_size=controller_size, heads=heads, word_size=word_size)
        check_counts("Heads", least=0, reach=reach)
        self.heads = heads
        self.sizes = [word_size, 1, 1, 2 * reach + 1, 1]
        self.to_address = nn.Linear(controller_size, heads * sum(self.sizes))
        self.watch = Watch("tape", ("batch", "head", "slot"))

    def forward(self, output: Output, prepared: Tape, before: HeadWeights) -> HeadWeights:
        """Where the heads go from where they were, on a tape that is prepared for being matched."""
        address = self.to_address(output).view(len(output), self.heads, sum(self.sizes))
        key, strength, gate, shifts, power = address.split(self.sizes, dim=-1)
        found = match(prepared, key, softplus(strength))
        mixed = interpolate(found, before, gate.sigmoid())
        moved = shift(mixed, shifts.softmax(dim=-1))
        weights: Tensor = self.watch(sharpen(moved, 1 + softplus(power)))
        return weights


class Writing(NamedTuple):
    """What write heads will do: where, what they erase, what they add."""

    weights: HeadWeights
    erase: Words
    add: Words


class WriteHeads(nn.Module):
    """Heads that also say what to erase, e = sigmoid, and what to add, a."""

    def __init__(self, *, controller_size: int, heads: int, word_size: int, reach: int = 1) -> None:
        super().__init__()
        self.going = Heads(
            controller_size=controller_size, heads=heads, word_size=word_size, reach=reach
        )
        self.to_change = nn.Linear(controller_size, heads * 2 * word_size)

    def forward(self, output: Output, prepared: Tape, before: HeadWeights) -> Writing:
        """Where the heads go, and what they do there."""
        word_size = self.going.sizes[0]
        change = self.to_change(output).view(len(output), self.going.heads, 2, word_size)
        erase, add = change.unbind(2)
        return Writing(self.going(output, prepared, before), torch.sigmoid(erase), add)
