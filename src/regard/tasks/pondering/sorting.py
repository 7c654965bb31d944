"""Numbers to be sorted."""

import torch
from jaxtyping import Float
from torch import Generator, Tensor

from regard.tasks.algorithms.drawing import check_range, draw_between
from regard.tasks.pondering.posing import Choices, Outputs, PonderTask, Posed


class SortNumbers(PonderTask):
    """Numbers one after the other, a flag beside the last: say their places in ascending order.

    Graves 2016, section 3.4: 2 to 15 numbers from a normal distribution, whose length is the
    difficulty; then as many steps of silence, at each of which one of 15 places is to be chosen.
    https://arxiv.org/abs/1603.08983
    With ``places`` there are as many to choose among, of which the last may never be right.
    """

    input_size = 2  # the number, the flag

    def __init__(self, lengths: tuple[int, int] = (2, 15), places: int | None = None) -> None:
        check_range("SortNumbers", lengths=lengths)
        self.lengths = lengths
        self.output_size = lengths[1] if places is None else places
        if self.output_size < lengths[1]:
            raise ValueError(f"{lengths[1]} numbers want as many places, but places={places}")
        self.difficulties = range(lengths[0], lengths[1] + 1)

    def draw(self, batch: int, generator: Generator) -> Posed:
        return self.draw_hard(draw_between(*self.lengths, generator), batch, generator)

    def draw_hard(self, difficulty: int, batch: int, generator: Generator) -> Posed:
        self.check_difficulty(difficulty)
        return pose(torch.randn(batch, difficulty, generator=generator))

    def choices(self, outputs: Outputs) -> Choices:
        return outputs.unsqueeze(2)


def pose(numbers: Float[Tensor, "batch length"]) -> Posed:
    """Numbers as questions."""
    batch, length = numbers.shape
    inputs = numbers.new_zeros(batch, 2 * length, 2)
    inputs[:, :length, 0] = numbers
    inputs[:, length - 1, 1] = 1
    targets = torch.zeros(batch, 2 * length, 1, dtype=torch.long)
    targets[:, length:, 0] = numbers.argsort(dim=1, stable=True)
    return Posed(inputs, targets, torch.arange(2 * length) >= length)
