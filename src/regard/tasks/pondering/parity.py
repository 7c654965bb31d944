"""Whether there is an odd number of ones in a vector."""

import torch
from jaxtyping import Float
from torch import Generator, Tensor
from torch.nn.functional import pad

from regard.tasks.algorithms.drawing import check_range, draw_bits
from regard.tasks.pondering.posing import Choices, Outputs, PonderTask, Posed, yes_or_no


class Parity(PonderTask):
    """A vector of ones, minus ones and zeros: say whether its ones are odd in number.

    Graves 2016, section 3.1: 64 numbers, of which 1 to 64 are not zero; these are the difficulty.
    https://arxiv.org/abs/1603.08983 With ``places``, all numbers after the first so many are zero.
    """

    output_size = 1

    def __init__(
        self, size: int = 64, bits: tuple[int, int] = (1, 64), places: int | None = None
    ) -> None:
        check_range("Parity", bits=bits)
        places = size if places is None else places
        if not bits[1] <= places <= size:
            raise ValueError(
                f"{bits[1]} bits need as many places of a vector or more, but there are {places} "
                f"of {size}"
            )
        self.input_size = size
        self.bits = bits
        self.places = places
        self.difficulties = range(bits[0], bits[1] + 1)

    def draw(self, batch: int, generator: Generator) -> Posed:
        least, most = self.bits
        return self._draw(
            torch.randint(least, most + 1, (batch, 1), generator=generator), generator
        )

    def draw_hard(self, difficulty: int, batch: int, generator: Generator) -> Posed:
        self.check_difficulty(difficulty)
        return self._draw(torch.full((batch, 1), difficulty), generator)

    def choices(self, outputs: Outputs) -> Choices:
        return yes_or_no(outputs)

    def _draw(self, bits: Tensor, generator: Generator) -> Posed:
        shape = (len(bits), self.places)
        chosen = torch.rand(shape, generator=generator).argsort(dim=1) < bits
        vectors = torch.where(chosen, 2 * draw_bits(shape, generator) - 1, 0.0)
        return pose(pad(vectors, (0, self.input_size - self.places)))


def pose(vectors: Float[Tensor, "batch number"]) -> Posed:
    """Vectors of 1, -1 and 0 as questions."""
    odd = (vectors > 0).sum(dim=1) % 2
    return Posed(vectors.unsqueeze(1), odd.view(-1, 1, 1), torch.ones(1, dtype=torch.bool))
