"""What every task to be pondered gives: inputs, the right choices, and which of them count."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor

Outputs = Float[Tensor, "batch time output"]
Choices = Float[Tensor, "batch time answer choice"]  # logits of every choice of every answer


class Posed(NamedTuple):
    """A batch of questions of one length."""

    inputs: Float[Tensor, "batch time given"]
    targets: Int[Tensor, "batch time answer"]  # the right choice of each answer
    counts: Bool[Tensor, " time"]  # the steps at which the answers are judged


class PonderTask(ABC):
    """A task: how wide its inputs and outputs are, and batches of it, as hard as one wants."""

    input_size: int
    output_size: int
    difficulties: range  # how hard an input can be, as the paper counts it

    @abstractmethod
    def draw(self, batch: int, generator: Generator) -> Posed:
        """A batch as in training, its length drawn as well."""

    @abstractmethod
    def draw_hard(self, difficulty: int, batch: int, generator: Generator) -> Posed:
        """A batch whose inputs are all as hard as this."""

    @abstractmethod
    def choices(self, outputs: Outputs) -> Choices:
        """A network's outputs as the logits of what it can choose from."""

    def check_difficulty(self, difficulty: int) -> None:
        """Raise where nothing can be as hard as this."""
        if difficulty not in self.difficulties:
            raise ValueError(
                f"{type(self).__name__} is drawn with a difficulty of {self.difficulties[0]} to "
                f"{self.difficulties[-1]}, but it is {difficulty}"
            )


def yes_or_no(outputs: Outputs) -> Choices:
    """One output as the choice between no and yes: softmax(0, z) is sigmoid(z) for yes."""
    logit = outputs.unsqueeze(-1)
    return torch.cat([torch.zeros_like(logit), logit], dim=-1)
