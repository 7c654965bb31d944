"""The machines as knobs: two with a tape, one without."""

import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regard.choices import check_choice
from regard.recipes.knobs import COUNT, NOT_NEGATIVE, knob

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import nn

    from regard.models import NTM, Controller
    from regard.tasks.algorithms import SequenceTask


@dataclass(frozen=True)
class MachineSystem(ABC):
    """Something that reads a sequence of vectors and answers with logits of bits."""

    @abstractmethod
    def build(self, task: "SequenceTask") -> "nn.Module":
        """The model, freshly drawn."""

    @property
    @abstractmethod
    def work(self) -> int:
        """Multiply-adds of one row between two waits, to choose the number of threads by."""


BLANK, LEARNED = "blank", "learned"  # what may be on a tape at first


@dataclass(frozen=True)
class Tape:
    """The tape and its heads."""

    slots: int = knob(128, "rows of the tape", COUNT)
    slot_size: int = knob(20, "numbers in a row", COUNT)
    heads: int = knob(1, "heads that read, and as many that write", COUNT)
    reach: int = knob(1, "places that a head may shift in a step, either way", NOT_NEGATIVE)
    first_tape: str = knob(
        BLANK, "what the tape holds at first: blank (1e-6 everywhere), or learned, from there on"
    )

    @property
    def is_learned(self) -> bool:
        """Whether what the tape holds at first is learned."""
        check_choice("first_tape", self.first_tape, (BLANK, LEARNED))
        return self.first_tape == LEARNED


@dataclass(frozen=True)
class RecurrentMachineSystem(MachineSystem):
    """The Neural Turing Machine with an LSTM for its controller."""

    tape: Tape
    controller_size: int = knob(100, "width of the controller", COUNT)

    @property
    def work(self) -> int:
        return self.controller_size * 4 * self.controller_size

    def build(self, task: "SequenceTask") -> "nn.Module":
        from regard.models import NTM, Recurrent

        return _with_tape(NTM, Recurrent, self.tape, self.controller_size, task)


@dataclass(frozen=True)
class DeepMachineSystem(MachineSystem):
    """The Neural Turing Machine with LSTMs one above the other for its controller."""

    tape: Tape
    controller_size: int = knob(100, "width of each layer of the controller", COUNT)
    layers: int = knob(2, "layers of the controller", COUNT)

    @property
    def work(self) -> int:
        return self.controller_size * 4 * self.controller_size

    def build(self, task: "SequenceTask") -> "nn.Module":
        from functools import partial

        from regard.models import NTM, Deep

        controller = partial(Deep, layers=self.layers)
        return _with_tape(NTM, controller, self.tape, self.controller_size, task)


@dataclass(frozen=True)
class FeedForwardMachineSystem(MachineSystem):
    """The Neural Turing Machine with one hidden layer for its controller."""

    tape: Tape
    controller_size: int = knob(100, "width of the controller", COUNT)

    @property
    def work(self) -> int:
        return self.tape.slots * self.tape.slot_size

    def build(self, task: "SequenceTask") -> "nn.Module":
        from regard.models import NTM, FeedForward

        return _with_tape(NTM, FeedForward, self.tape, self.controller_size, task)


def too_small(slots: int, stored: int) -> str:
    """What to say of a tape with fewer slots than there are vectors to remember."""
    return (
        f"{stored} vectors have to be remembered, but the tape has {slots} slots"
        if stored > slots
        else ""
    )


def _with_tape(
    machine: "type[NTM]",
    controller: "Callable[[int, int], Controller]",
    tape: Tape,
    size: int,
    task: "SequenceTask",
) -> "NTM":
    given = task.input_size + tape.heads * tape.slot_size
    made = machine(
        controller(given, size),
        output_size=task.output_size,
        slots=tape.slots,
        word_size=tape.slot_size,
        heads=tape.heads,
        reach=tape.reach,
        learned_tape=tape.is_learned,
    )
    if missing := too_small(tape.slots, task.stored):
        warnings.warn(f"{missing}; --slots {task.stored} or more would hold them", stacklevel=2)
    return made


@dataclass(frozen=True)
class PlainMemorySystem(MachineSystem):
    """The paper's baseline: stacked LSTMs without a tape."""

    size: int = knob(256, "width of each layer", COUNT)
    layers: int = knob(3, "layers", COUNT)

    @property
    def work(self) -> int:
        return self.size * 4 * self.size

    def build(self, task: "SequenceTask") -> "nn.Module":
        from regard.models import PlainLSTM

        return PlainLSTM(
            input_size=task.input_size,
            output_size=task.output_size,
            size=self.size,
            layers=self.layers,
        )
