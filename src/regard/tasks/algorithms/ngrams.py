"""Bits from a table of probabilities that is another one in every sequence."""

import torch
from jaxtyping import Float
from torch import Generator, Tensor

from regard.tasks.algorithms.drawing import Drawn, SequenceTask, check_range


class NGrams(SequenceTask):
    """Foretell the next bit of a sequence whose rule is to be found out while it is read.

    Graves, Wayne, Danihelka 2014, section 4.4: 200 bits; the chance of a one hangs on the five bits
    before it, by a table of 32 numbers that are drawn from Beta(1/2, 1/2) anew for each sequence.
    https://arxiv.org/abs/1410.5401 The first bits, without five before them, are even chances.
    """

    input_size = 1
    output_size = 1

    def __init__(self, length: int = 200, context: int = 5) -> None:
        check_range("NGrams", length=(length, length), context=(context, context))
        self.length = length
        self.context = context
        self.stored = 2**context  # a count for every context

    def draw(self, batch: int, generator: Generator) -> Drawn:
        return self.pose(self.draw_bits(batch, generator))

    def pose(self, bits: Float[Tensor, "batch time"]) -> Drawn:
        """These sequences to be foretold, bit by bit."""
        wanted = bits.unsqueeze(-1)
        inputs = torch.cat([torch.zeros_like(wanted[:, :1]), wanted[:, :-1]], dim=1)
        return Drawn(inputs, wanted, torch.ones(bits.shape[1], dtype=torch.bool))

    def draw_bits(self, batch: int, generator: Generator) -> Float[Tensor, "batch time"]:
        """Sequences, each by a table of its own."""
        # Beta(1/2, 1/2) is the arcsine law: sin^2 of an even angle.
        angle = torch.rand(batch, 2**self.context, generator=generator) * (torch.pi / 2)
        table = angle.sin().square()
        chance = torch.rand(batch, self.length, generator=generator)
        bits = torch.zeros(batch, self.length)
        for time in range(self.length):
            if time < self.context:
                likely = torch.full((batch,), 0.5)
            else:
                place = _place(bits[:, time - self.context : time])
                likely = table.gather(1, place.unsqueeze(1))[:, 0]
            bits[:, time] = (chance[:, time] < likely).float()
        return bits


def best_guesses(
    bits: Float[Tensor, "batch time"], context: int = 5
) -> Float[Tensor, "batch time"]:
    """The best chance of a one at each step that anybody could give who does not know the table.

    P(1) = (N_1 + 1/2) / (N_1 + N_0 + 1), N_1 and N_0 counting what followed the same bits so far in
    the same sequence: the posterior mean under Beta(1/2, 1/2). Murphy 2012, cited in section 4.4.
    """
    counts = bits.new_zeros(len(bits), 2**context, 2)
    rows = torch.arange(len(bits))
    guesses = torch.full_like(bits, 0.5)
    for time in range(context, bits.shape[1]):
        place = _place(bits[:, time - context : time])
        zeros, ones = counts[rows, place].unbind(-1)
        guesses[:, time] = (ones + 0.5) / (ones + zeros + 1)
        counts[rows, place, bits[:, time].long()] += 1
    return guesses


def best_bits(bits: Float[Tensor, "batch time"], context: int = 5) -> Float[Tensor, " batch"]:
    """What the best guesses cost on these very sequences, -sum log2 P, for each of them.

    Sequences differ far more from each other than machines do from the best guesses: only the
    difference on the same sequences says how good a machine is.
    """
    guesses = best_guesses(bits, context).double()
    return -torch.where(bits > 0, guesses, 1 - guesses).log2().sum(dim=1).to(bits.dtype)


def _place(before: Float[Tensor, "batch context"]) -> Tensor:
    """The row of the table that some bits mean, the first bit counting most."""
    powers = 2 ** torch.arange(before.shape[1] - 1, -1, -1)
    return (before.long() * powers).sum(dim=1)
