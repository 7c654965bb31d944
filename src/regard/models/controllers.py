"""What drives the heads of a Neural Turing Machine: it sees the input and what was read last."""

from abc import ABC, abstractmethod
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import linear

from regard.counts import check_counts
from regard.kernels.tape import Driving

Given = Float[Tensor, "batch given"]
Inputs = Float[Tensor, "batch time given"]


class Controller(nn.Module, ABC):
    """What drives the heads: it sees the input and what was read last."""

    size: int  # of its output

    @abstractmethod
    def begin(self, batch: int) -> Any:
        """The state before the first input: a tuple of tensors, one row to an example."""

    @abstractmethod
    def forward(self, given: Given, state: Any) -> tuple[Float[Tensor, "batch size"], Any]:
        """The output for one input, and the next state."""


class FeedForward(Controller):
    """One hidden layer, h = tanh(W x + b): all that it remembers is on the tape."""

    def __init__(self, given_size: int, size: int) -> None:
        super().__init__()
        check_counts("FeedForward", given_size=given_size, size=size)
        self.given_size, self.size = given_size, size
        self.from_given = nn.Linear(given_size, size)

    def begin(self, batch: int) -> tuple[()]:
        return ()

    def forward(self, given: Given, state: tuple[()]) -> tuple[Float[Tensor, "batch size"], Any]:
        return self.from_given(given).tanh(), state

    def driving(self, inputs: Inputs, state: tuple[()]) -> Driving:
        """The same for a whole sequence, as the fused kernel takes it."""
        weight, bias = self.from_given.weight, self.from_given.bias
        given, read = weight.tensor_split([inputs.shape[-1]], dim=1)
        sums = linear(inputs.transpose(0, 1), given, bias)
        batch = len(inputs)
        return Driving(sums, read, bias.new_zeros(batch, self.size), bias.new_zeros(batch, 0))


class Recurrent(Controller):
    """An LSTM, whose first state and cell are learned."""

    def __init__(self, given_size: int, size: int) -> None:
        super().__init__()
        check_counts("Recurrent", given_size=given_size, size=size)
        self.given_size, self.size = given_size, size
        self.cell = nn.LSTMCell(given_size, size)
        self.first = nn.Parameter(torch.zeros(2, size))

    def begin(self, batch: int) -> tuple[Tensor, Tensor]:
        hidden, cell = self.first.tanh().unsqueeze(1).expand(-1, batch, -1)
        return hidden, cell

    def forward(
        self, given: Given, state: tuple[Tensor, Tensor]
    ) -> tuple[Float[Tensor, "batch size"], Any]:
        following = self.cell(given, state)
        return following[0], following

    def driving(self, inputs: Inputs, state: tuple[Tensor, Tensor]) -> Driving:
        """The same for a whole sequence, as the fused kernel takes it."""
        cell = self.cell
        given, read = cell.weight_ih.tensor_split([inputs.shape[-1]], dim=1)
        sums = linear(inputs.transpose(0, 1), given, cell.bias_ih + cell.bias_hh)
        return Driving(sums, torch.cat([cell.weight_hh, read], dim=1), *state)


class Deep(Controller):
    """LSTMs one above the other, whose first states and cells are learned.

    The controller of the paper's priority sort has two. No kernel knows it: it is taken step by
    step.
    """

    def __init__(self, given_size: int, size: int, *, layers: int = 2) -> None:
        super().__init__()
        check_counts("Deep", given_size=given_size, size=size, layers=layers)
        self.given_size, self.size = given_size, size
        below = [given_size, *[size] * (layers - 1)]
        self.cells = nn.ModuleList([nn.LSTMCell(width, size) for width in below])
        self.first = nn.Parameter(torch.zeros(layers, 2, size))

    def begin(self, batch: int) -> tuple[tuple[Tensor, Tensor], ...]:
        first = self.first.tanh().unsqueeze(2).expand(-1, -1, batch, -1)
        return tuple((hidden, cell) for hidden, cell in first)

    def forward(
        self, given: Given, state: tuple[tuple[Tensor, Tensor], ...]
    ) -> tuple[Float[Tensor, "batch size"], Any]:
        following = []
        for cell, before in zip(self.cells, state, strict=True):
            following.append(cell(given, before))
            given = following[-1][0]
        return given, tuple(following)
