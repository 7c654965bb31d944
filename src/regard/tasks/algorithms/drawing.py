"""What every task over sequences of bits gives: inputs, targets, and which of them count."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Generator, Tensor

from regard.counts import check_counts


class Drawn(NamedTuple):
    """A batch of one length."""

    inputs: Float[Tensor, "batch time given"]
    targets: Float[Tensor, "batch time bit"]
    counts: Bool[Tensor, " time"]  # the steps at which the output is judged


class SequenceTask(ABC):
    """A task: how wide its inputs and outputs are, and batches of it."""

    input_size: int
    output_size: int
    stored: int  # vectors that have to be remembered at once, at most

    @abstractmethod
    def draw(self, batch: int, generator: Generator) -> Drawn:
        """A batch as in training, its length drawn as well."""


def draw_bits(shape: tuple[int, ...], generator: Generator) -> Float[Tensor, "..."]:
    """Zeros and ones, as likely as each other."""
    return torch.randint(0, 2, shape, generator=generator).float()


def draw_between(least: int, most: int, generator: Generator) -> int:
    """A whole number, all as likely as each other."""
    return int(torch.randint(least, most + 1, (), generator=generator))


def check_range(task: str, **ranges: tuple[int, int]) -> None:
    """Raise where a range of lengths is empty, begins below one, or is not of whole numbers."""
    for name, (least, most) in ranges.items():
        check_counts(task, **{name: least})
        check_counts(task, **{name: most})
        if least > most:
            raise ValueError(
                f"{task}: {name} must be 1 or more, the last no less than the first, but here they "
                f"go from {least} to {most}"
            )
