"""Cells that adaptive computation lets step more than once on an input.

What a cell makes of an input alone is made once, by ``prepare``, for all inputs and all steps on
them; ``forward`` is what is left to do at each step.
"""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import linear

from regard.counts import check_counts
from regard.memory import prepare
from regard.memory.tape import HeadWeights, Tape, Words
from regard.models.controllers import Deep, FeedForward, Recurrent
from regard.models.ntm import NTM, MachineState

Given = Float[Tensor, "*batch given"]
Prepared = Float[Tensor, "*batch wide"]
Output = Float[Tensor, "batch size"]


class Cell(nn.Module, ABC):
    """A recurrent cell: what it makes of an input, how it steps, what can be read off it."""

    size: int  # of its output
    given_size: int | None = None  # of its input, where it says so

    @abstractmethod
    def begin(self, batch: int) -> Any:
        """The state before the first input: tensors with a row for each example, in tuples."""

    @abstractmethod
    def prepare(self, given: Given) -> Prepared:
        """What is the same at all steps on an input."""

    @abstractmethod
    def forward(self, prepared: Prepared, state: Any) -> Any:
        """One step: the next state."""

    @abstractmethod
    def read(self, state: Any) -> Output:
        """The output of a state, of which it is a linear part: that of a blend is the blend's."""


class Elman(Cell):
    """The simple recurrent network, h' = tanh(W x + U h + b), whose first state is learned.

    Finding Structure in Time, Elman 1990.
    """

    def __init__(self, given_size: int, size: int) -> None:
        super().__init__()
        check_counts("Elman", given_size=given_size, size=size)
        self.size, self.given_size = size, given_size
        self.cell = nn.RNNCell(given_size, size)
        self.first = nn.Parameter(torch.zeros(size))

    def begin(self, batch: int) -> Output:
        return self.first.tanh().expand(batch, -1)

    def prepare(self, given: Given) -> Prepared:
        return linear(given, self.cell.weight_ih, self.cell.bias_ih + self.cell.bias_hh)

    def forward(self, prepared: Prepared, state: Output) -> Output:
        return torch.addmm(prepared, state, self.cell.weight_hh.T).tanh()

    def read(self, state: Output) -> Output:
        return state


class Gated(Cell):
    """A GRU, whose first state is learned.

    (r, z) = sigmoid(W x + U h), n = tanh(W x + r * U h), h' = n + z * (h - n), each with biases, as
    torch has it. Learning Phrase Representations using RNN Encoder-Decoder, Cho et al. 2014.
    """

    def __init__(self, given_size: int, size: int) -> None:
        super().__init__()
        check_counts("Gated", given_size=given_size, size=size)
        self.size, self.given_size = size, given_size
        self.cell = nn.GRUCell(given_size, size)
        self.first = nn.Parameter(torch.zeros(size))

    def begin(self, batch: int) -> Output:
        return self.first.tanh().expand(batch, -1)

    def prepare(self, given: Given) -> Prepared:
        return linear(given, self.cell.weight_ih, self.cell.bias_ih)

    def forward(self, prepared: Prepared, state: Output) -> Output:
        gates = 2 * self.size
        from_state = linear(state, self.cell.weight_hh, self.cell.bias_hh)
        both = (prepared[:, :gates] + from_state[:, :gates]).sigmoid()
        reset, keep = both.chunk(2, dim=-1)
        new = torch.addcmul(prepared[:, gates:], reset, from_state[:, gates:]).tanh()
        return new + keep * (state - new)

    def read(self, state: Output) -> Output:
        return state


class LongShort(Cell):
    """An LSTM, whose first state and cell are learned.

    (i, f, o) = sigmoid(W x + U h + b), g = tanh(W x + U h + b), c' = f * c + i * g, h' = o *
    tanh(c'). Long Short-Term Memory, Hochreiter, Schmidhuber 1997, with the forget gate of Gers et
    al. 2000.
    """

    def __init__(self, given_size: int, size: int) -> None:
        super().__init__()
        check_counts("LongShort", given_size=given_size, size=size)
        self.size, self.given_size = size, given_size
        self.cell = nn.LSTMCell(given_size, size)
        self.first = nn.Parameter(torch.zeros(2, size))

    def begin(self, batch: int) -> tuple[Output, Output]:
        hidden, cell = self.first.tanh().unsqueeze(1).expand(-1, batch, -1)
        return hidden, cell

    def prepare(self, given: Given) -> Prepared:
        return linear(given, self.cell.weight_ih, self.cell.bias_ih + self.cell.bias_hh)

    def forward(self, prepared: Prepared, state: tuple[Output, Output]) -> tuple[Output, Output]:
        hidden, memory = state
        gates = torch.addmm(prepared, hidden, self.cell.weight_hh.T)
        let_in, keep, new, let_out = gates.chunk(4, dim=-1)  # in torch's order
        memory = torch.addcmul(keep.sigmoid() * memory, let_in.sigmoid(), new.tanh())
        return let_out.sigmoid() * memory.tanh(), memory

    def read(self, state: tuple[Output, Output]) -> Output:
        return state[0]


class Working(NamedTuple):
    """The state of a machine, and what it said last.

    The tape as heads look for content on it is left out: of a blend of tapes it is not the blend.
    """

    output: Output
    controller: Any
    tape: Tape
    reading: HeadWeights
    writing: HeadWeights
    words: Words


class Machine(Cell):
    """A Neural Turing Machine as a cell: its tape and its heads are the state."""

    def __init__(self, machine: NTM) -> None:
        super().__init__()
        if not isinstance(machine, NTM):
            raise TypeError(f"the machine of a cell is an NTM, but it is {type(machine).__name__}")
        self.size = machine.to_output.out_features
        self.machine = machine
        controller, read = machine.controller, machine.first_words.numel()
        if isinstance(controller, FeedForward | Recurrent | Deep):
            self.given_size = controller.given_size - read

    def begin(self, batch: int) -> Working:
        state = self.machine.begin(batch)
        return Working(state.tape.new_zeros(batch, self.size), *state[:-1])

    def prepare(self, given: Given) -> Prepared:
        return given

    def forward(self, prepared: Prepared, state: Working) -> Working:
        before = MachineState(*state[1:], prepared=prepare(state.tape))
        after, output = self.machine.step(before, prepared)
        return Working(output, *after[:-1])

    def read(self, state: Working) -> Output:
        return state.output
