"""The Neural Turing Machine: a controller that reads and writes a tape by attention."""

from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.counts import check_counts
from regard.kernels.tape import Start
from regard.memory import Heads, WriteHeads, prepare, read, write
from regard.memory.fusing import fuse, fusible
from regard.memory.tape import HeadWeights, Tape, Words
from regard.models.controllers import Controller, Deep, FeedForward, Given, Inputs, Recurrent
from regard.models.pretrained import Pretrained

Features = Float[Tensor, "batch time feature"]
BLANK = 1e-6  # what an unwritten tape holds


def check_sequence(inputs: Inputs) -> None:
    """Raise where inputs are no batch of sequences, or have no step."""
    if inputs.dim() != 3:
        raise ValueError(
            f"inputs must be (batch, time, size), but their shape is {tuple(inputs.shape)}"
        )
    if inputs.shape[1] == 0:
        raise ValueError(f"a sequence has one step or more, but inputs are {tuple(inputs.shape)}")


def check_kind(inputs: Tensor, parameter: Tensor) -> None:
    """Raise where inputs are of another kind than what they are multiplied by."""
    if inputs.dtype == parameter.dtype or torch.is_autocast_enabled(inputs.device.type):
        return
    raise TypeError(
        f"inputs are {inputs.dtype}, but the parameters {parameter.dtype}; "
        f"inputs.to({parameter.dtype}) fits"
    )


def check_joinable(inputs: Tensor, parameter: Tensor) -> None:
    """Raise where inputs that are put beside numbers of the parameter's kind make another kind.

    Whole numbers and narrower ones do not.
    """
    if torch.promote_types(inputs.dtype, parameter.dtype) != parameter.dtype:
        check_kind(inputs, parameter)


class MachineState(NamedTuple):
    """All that a machine carries from step to step."""

    controller: Any
    tape: Tape
    reading: HeadWeights  # where the read heads are
    writing: HeadWeights  # where the write heads are
    words: Words  # what was read last
    prepared: Tape  # the tape as heads look for content on it


class NTM(Pretrained):
    """A controller with a tape: at each step its heads write, then read.

    y_t = W [h_t; r_t], h_t = controller(x_t, r_{t-1}), M_t = write(M_{t-1}), r_t = read(M_t).
    Neural Turing Machines, Graves, Wayne, Danihelka 2014. https://arxiv.org/abs/1410.5401
    The paper's sizes: 128 slots of 20, controller 100. Its reset takes learned values; here the
    first reads and the controller's first state are learned, while the tape starts at 1e-6 (which
    Collier and Beel 2018 found to learn best) unless it is a ``learned_tape``, which begins there.
    All heads start at slot 0, so that "the next slot" means something from the first step on.
    Outputs are logits. ``heads`` read and as many write, unless ``write_heads`` says how many do:
    then, as with a controller of your own, it is taken step by step and not by one kernel.
    """

    def __init__(
        self,
        controller: Controller,
        *,
        output_size: int,
        slots: int = 128,
        word_size: int = 20,
        heads: int = 1,
        write_heads: int | None = None,
        reach: int = 1,
        learned_tape: bool = False,
    ) -> None:
        super().__init__(
            controller=controller,
            output_size=output_size,
            slots=slots,
            word_size=word_size,
            heads=heads,
            write_heads=write_heads,
            reach=reach,
            learned_tape=learned_tape,
        )
        if not isinstance(controller, Controller):
            raise TypeError(
                "a machine is driven by a Controller, such as Recurrent(29, 100), but it is "
                f"{controller!r}"
            )
        writers = heads if write_heads is None else write_heads
        check_counts("NTM", heads=heads, write_heads=writers, output_size=output_size)
        check_counts("NTM", slots=slots, word_size=word_size)
        check_counts("NTM", least=0, reach=reach)
        if 2 * reach + 1 > slots:
            raise ValueError(
                f"a head may not go round the tape in one step, but reach={reach} and "
                f"slots={slots}; a reach of {(slots - 1) // 2} is the largest"
            )
        self.controller = controller
        first_tape = torch.full((slots, word_size), BLANK)
        if learned_tape:
            self.first_tape = nn.Parameter(first_tape)
        else:  # the same for machines of any size: not among the weights
            self.register_buffer("first_tape", first_tape, persistent=False)
        sizes = {"controller_size": controller.size, "word_size": word_size}
        self.readers = Heads(**sizes, heads=heads, reach=reach)
        self.writers = WriteHeads(**sizes, heads=writers, reach=reach)
        self.first_words = nn.Parameter(torch.zeros(heads, word_size))
        self.to_output = nn.Linear(controller.size + heads * word_size, output_size)

    @property
    def slots(self) -> int:
        """Rows of the tape."""
        return len(self.first_tape)

    def extra_repr(self) -> str:
        return f"slots={self.slots}"

    def begin(self, batch: int) -> MachineState:
        """The first tape, all heads at its first slot."""
        heads = len(self.first_words)
        tape = self.first_tape.repeat(batch, 1, 1)
        first = self.first_words.new_zeros(self.slots)
        first[0] = 1
        reading = first.expand(batch, heads, -1)
        writing = first.expand(batch, self.writers.going.heads, -1)
        words, controller = self.first_words.expand(batch, -1, -1), self.controller.begin(batch)
        return MachineState(controller, tape, reading, writing, words, prepare(tape))

    def step(
        self, state: MachineState, given: Given
    ) -> tuple[MachineState, Float[Tensor, "batch output"]]:
        """One input further: the next state, and the output."""
        following, features = self._turn(state, given)
        return following, self.to_output(features)

    def _turn(
        self, state: MachineState, given: Given
    ) -> tuple[MachineState, Float[Tensor, "batch feature"]]:
        """One input further: the next state, and [h_t; r_t]."""
        seen = torch.cat([given, state.words.flatten(1)], dim=-1)
        output, controller = self.controller(seen, state.controller)
        writing = self.writers(output, state.prepared, state.writing)
        tape = write(state.tape, *writing)
        prepared = prepare(tape)
        reading = self.readers(output, prepared, state.reading)
        words = read(tape, reading)
        following = MachineState(controller, tape, reading, writing.weights, words, prepared)
        return following, torch.cat([output, words.flatten(1)], dim=-1)

    def forward(self, inputs: Inputs) -> Float[Tensor, "batch time output"]:
        """The logits after each input, from an empty tape on."""
        self._check(inputs)
        state = self.begin(len(inputs))
        features = self._fused(inputs, state)
        if features is None:
            features = self._unrolled(inputs, state)
        return self.to_output(features)

    def _check(self, inputs: Inputs) -> None:
        """Raise where inputs have no step, or another width than the controller was made for."""
        check_sequence(inputs)
        controller, read = self.controller, self.first_words.numel()
        wanted = inputs.shape[-1] + read
        if not isinstance(controller, FeedForward | Recurrent | Deep):
            return  # somebody's own, of which nothing is known
        check_joinable(inputs, self.first_words)
        if controller.given_size != wanted:
            raise ValueError(
                f"the controller takes {controller.given_size} numbers, but inputs of "
                f"{inputs.shape[-1]} and the {read} that are read make {wanted}; "
                f"{type(controller).__name__}({wanted}, {controller.size}) takes them"
            )

    def _unrolled(self, inputs: Inputs, state: MachineState) -> Features:
        """[h_t; r_t] after each input, step by step."""
        found = []
        for given in inputs.unbind(1):
            state, features = self._turn(state, given)
            found.append(features)
        return torch.stack(found, dim=1)

    def _fused(self, inputs: Inputs, state: MachineState) -> Features | None:
        """The same by one kernel, where there is one for these parts; else None."""
        controller = self.controller
        start = Start(state.tape, state.reading, state.writing, state.words)
        if (
            type(self) is not NTM
            or not isinstance(controller, FeedForward | Recurrent)
            or self.writers.going.heads != self.readers.heads
            or not fusible(self, (inputs, *start, *state.controller), FeedForward, Recurrent)
        ):
            return None
        driving = controller.driving(inputs, state.controller)
        return fuse(driving, self.writers, self.readers, start)


class PlainLSTM(Pretrained):
    """The paper's baseline: stacked LSTMs whose first states are learned, and no tape."""

    def __init__(self, *, input_size: int, output_size: int, size: int, layers: int = 3) -> None:
        check_counts("PlainLSTM", input_size=input_size, output_size=output_size, size=size)
        check_counts("PlainLSTM", layers=layers)
        super().__init__(input_size=input_size, output_size=output_size, size=size, layers=layers)
        self.cells = nn.LSTM(input_size, size, layers, batch_first=True)
        self.first = nn.Parameter(torch.zeros(2, layers, size))
        self.to_output = nn.Linear(size, output_size)

    def forward(self, inputs: Inputs) -> Float[Tensor, "batch time output"]:
        """The logits after each input."""
        check_sequence(inputs)
        check_kind(inputs, self.first)
        if inputs.shape[2] != self.cells.input_size:
            raise ValueError(
                f"the cells take {self.cells.input_size} numbers, but inputs have "
                f"{inputs.shape[2]}; PlainLSTM(input_size={inputs.shape[2]}, ...) takes them"
            )
        hidden, cell = self.first.unsqueeze(2).expand(-1, -1, len(inputs), -1).contiguous()
        states, _ = self.cells(inputs, (hidden, cell))
        return self.to_output(states)
