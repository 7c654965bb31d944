"""Copy a sequence, once or as often as told."""

import torch
from jaxtyping import Float
from torch import Generator, Tensor

from regard.tasks.algorithms.drawing import (
    Drawn,
    SequenceTask,
    check_range,
    draw_between,
    draw_bits,
)


class Copy(SequenceTask):
    """Say again what was heard: vectors of bits, then a mark, then silence to answer in.

    Graves, Wayne, Danihelka 2014, section 4.1: vectors of 8 bits, 1 to 20 of them, the mark on a
    channel of its own. https://arxiv.org/abs/1410.5401
    """

    def __init__(self, lengths: tuple[int, int] = (1, 20), bits: int = 8) -> None:
        check_range("Copy", bits=(bits, bits), lengths=lengths)
        self.lengths = lengths
        self.bits = bits
        self.input_size = bits + 1
        self.output_size = bits
        self.stored = lengths[1]

    def draw(self, batch: int, generator: Generator) -> Drawn:
        return self.draw_length(draw_between(*self.lengths, generator), batch, generator)

    def draw_length(self, length: int, batch: int, generator: Generator) -> Drawn:
        """A batch of sequences of this length."""
        check_range("Copy", length=(length, length))
        return self.pose(draw_bits((batch, length, self.bits), generator))

    def pose(self, said: Float[Tensor, "batch length bit"]) -> Drawn:
        """Vectors to be copied, as inputs and targets."""
        batch, length, _ = said.shape
        time = 2 * length + 1
        inputs = said.new_zeros(batch, time, self.input_size)
        inputs[:, :length, : self.bits] = said
        inputs[:, length, self.bits] = 1
        targets = said.new_zeros(batch, time, self.bits)
        targets[:, length + 1 :] = said
        return Drawn(inputs, targets, torch.arange(time) > length)


class RepeatCopy(SequenceTask):
    """Say it as often as told, and then that it is over.

    Graves, Wayne, Danihelka 2014, section 4.2: 1 to 10 vectors of 8 bits, 1 to 10 times; how often
    stands on a channel of its own, normalised to mean 0 and variance 1 over what training has, and
    the end on an output of its own. https://arxiv.org/abs/1410.5401
    """

    def __init__(
        self,
        lengths: tuple[int, int] = (1, 10),
        repeats: tuple[int, int] = (1, 10),
        bits: int = 8,
    ) -> None:
        check_range("RepeatCopy", bits=(bits, bits), lengths=lengths, repeats=repeats)
        self.lengths = lengths
        self.repeats = repeats
        self.bits = bits
        self.input_size = bits + 2  # the bits, the mark, how often
        self.output_size = bits + 1  # the bits, the end
        self.stored = lengths[1]

    def draw(self, batch: int, generator: Generator) -> Drawn:
        length = draw_between(*self.lengths, generator)
        times = draw_between(*self.repeats, generator)
        return self.draw_sizes(length, times, batch, generator)

    def draw_sizes(self, length: int, times: int, batch: int, generator: Generator) -> Drawn:
        """A batch of sequences of this length, to be said so many times."""
        check_range("RepeatCopy", length=(length, length), times=(times, times))
        said = draw_bits((batch, length, self.bits), generator)
        answer = length * times + 1
        time = length + 1 + answer
        inputs = said.new_zeros(batch, time, self.input_size)
        inputs[:, :length, : self.bits] = said
        inputs[:, length, self.bits] = 1
        inputs[:, length, self.bits + 1] = self.normalised(times)
        targets = said.new_zeros(batch, time, self.output_size)
        targets[:, length + 1 : -1, : self.bits] = said.repeat(1, times, 1)
        targets[:, -1, self.bits] = 1
        return Drawn(inputs, targets, torch.arange(time) > length)

    def normalised(self, times: int) -> float:
        """How often, with mean 0 and variance 1 over the numbers of training.

        A uniform choice of n numbers has the variance (n^2 - 1) / 12.
        """
        least, most = self.repeats
        spread = ((most - least + 1) ** 2 - 1) / 12
        return (times - (least + most) / 2) / max(spread, 1.0) ** 0.5
