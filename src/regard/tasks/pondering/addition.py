"""Numbers to be added up, digit by digit."""

import torch
from jaxtyping import Int
from torch import Generator, Tensor
from torch.nn.functional import one_hot

from regard.counts import check_counts
from regard.tasks.algorithms.drawing import check_range, draw_between
from regard.tasks.pondering.posing import Choices, Outputs, PonderTask, Posed

END = 10  # the choice that stands for no further digit
LARGEST = torch.iinfo(torch.int64).max
HARD_LENGTH = 3  # numbers of the sequences by which the paper measures difficulty


class Addition(PonderTask):
    """Numbers one after the other: say the sum so far, in digits.

    Graves 2016, section 3.3: 1 to 5 numbers of 1 to 5 digits, which are the difficulty, each digit
    one of ten in a place of its own; from the second number on the sum so far is asked for, as six
    choices among ten digits and an eleventh that says that the number has ended. The first digit
    is that of the highest power, in numbers and in sums; numbers may begin with zeros.
    https://arxiv.org/abs/1603.08983
    With ``width`` there are as many places for digits, of which the last may never be taken.
    ``asked_from`` is the number from which on the sum is asked for: 1 has the first, too.
    """

    def __init__(
        self,
        numbers: tuple[int, int] = (1, 5),
        digits: tuple[int, int] = (1, 5),
        width: int | None = None,
        asked_from: int = 2,
    ) -> None:
        check_range("Addition", numbers=numbers, digits=digits)
        check_counts("Addition", asked_from=asked_from)
        self.asked_from = asked_from
        self.numbers = numbers
        self.digits = digits
        self.width = digits[1] if width is None else width
        if self.width < digits[1]:
            raise ValueError(f"{digits[1]} digits want as many places, but width={width}")
        largest = numbers[1] * (10**self.width - 1)
        if largest > LARGEST:
            raise ValueError(
                f"sums are counted up to {LARGEST}, but {numbers[1]} numbers of {self.width} "
                f"digits may come to {largest}; take up to "
                f"{len(str(LARGEST // numbers[1])) - 1} digits"
            )
        self.places = len(str(largest))
        self.input_size = 10 * self.width
        self.output_size = self.places * (END + 1)
        self.difficulties = range(digits[0], digits[1] + 1)

    def draw(self, batch: int, generator: Generator) -> Posed:
        shape = (batch, draw_between(*self.numbers, generator))
        lengths = torch.randint(self.digits[0], self.digits[1] + 1, shape, generator=generator)
        return self._draw(lengths, generator)

    def draw_hard(self, difficulty: int, batch: int, generator: Generator) -> Posed:
        """Three numbers, as in the paper's figure 14, or as many as there may be."""
        self.check_difficulty(difficulty)
        time = min(HARD_LENGTH, self.numbers[1])
        return self._draw(torch.full((batch, time), difficulty), generator)

    def choices(self, outputs: Outputs) -> Choices:
        return outputs.view(*outputs.shape[:-1], self.places, END + 1)

    def _draw(self, lengths: Int[Tensor, "batch time"], generator: Generator) -> Posed:
        digits = torch.randint(0, 10, (*lengths.shape, self.width), generator=generator)
        return self.pose(digits, lengths)

    def pose(
        self, digits: Int[Tensor, "batch time digit"], lengths: Int[Tensor, "batch time"]
    ) -> Posed:
        """Numbers as questions, given by their digits, of which the first so many are taken."""
        place = torch.arange(self.width)
        used = place < lengths.unsqueeze(-1)
        inputs = (one_hot(digits, 10) * used.unsqueeze(-1)).flatten(2).float()
        powers = 10 ** (lengths.unsqueeze(-1) - 1 - place).clamp(min=0)
        sums = (digits * used * powers).sum(dim=-1).cumsum(dim=1)
        counts = torch.arange(lengths.shape[1]) >= self.asked_from - 1
        targets = torch.where(counts.view(1, -1, 1), self._written(sums), 0)
        return Posed(inputs, targets, counts)

    def _written(self, sums: Int[Tensor, "batch time"]) -> Int[Tensor, "batch time place"]:
        """The digits of whole numbers, the highest power first, then the end."""
        sums = sums.unsqueeze(-1)
        length = 1 + (sums >= 10 ** torch.arange(1, self.places)).sum(dim=-1, keepdim=True)
        place = torch.arange(self.places)
        powers = 10 ** (length - 1 - place).clamp(min=0)
        return torch.where(place < length, sums // powers % 10, END)
