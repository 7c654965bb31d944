"""Networks that ponder, and the same networks that do not, as knobs."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from regard.recipes.algorithms.systems import Tape
from regard.recipes.knobs import COUNT, NOT_NEGATIVE, SHARE, knob

if TYPE_CHECKING:
    from regard.models import AdaptiveComputation, Cell
    from regard.tasks.pondering import PonderTask

ONE_HEAD = Tape()


@dataclass(frozen=True)
class CellKnobs(ABC):
    """What steps."""

    size: int = knob(128, "width of the cell", COUNT)

    @abstractmethod
    def build(self, given_size: int) -> "Cell":
        """The cell, freshly drawn."""

    @property
    @abstractmethod
    def work(self) -> int:
        """Multiply-adds of one row between two waits, to choose the number of threads by."""


@dataclass(frozen=True)
class SimpleCell(CellKnobs):
    """Tanh units."""

    @property
    def work(self) -> int:
        return self.size * self.size

    def build(self, given_size: int) -> "Cell":
        from regard.models import Elman

        return Elman(given_size, self.size)


@dataclass(frozen=True)
class GatedCell(CellKnobs):
    """A GRU."""

    @property
    def work(self) -> int:
        return self.size * 3 * self.size

    def build(self, given_size: int) -> "Cell":
        from regard.models import Gated

        return Gated(given_size, self.size)


@dataclass(frozen=True)
class MemoryCell(CellKnobs):
    """An LSTM."""

    @property
    def work(self) -> int:
        return self.size * 4 * self.size

    def build(self, given_size: int) -> "Cell":
        from regard.models import LongShort

        return LongShort(given_size, self.size)


@dataclass(frozen=True)
class TapeCell(CellKnobs):
    """A Neural Turing Machine with an LSTM for its controller, ``size`` wide, as is its output."""

    tape: Tape = ONE_HEAD

    @property
    def work(self) -> int:
        return self.size * 4 * self.size

    def build(self, given_size: int) -> "Cell":
        from regard.models import NTM, Machine, Recurrent

        tape = self.tape
        machine = NTM(
            Recurrent(given_size + tape.heads * tape.slot_size, self.size),
            output_size=self.size,
            slots=tape.slots,
            word_size=tape.slot_size,
            heads=tape.heads,
            reach=tape.reach,
            learned_tape=tape.is_learned,
        )
        return Machine(machine)


class Price(NamedTuple):
    """What a step costs in the loss, and for which share of the updates nothing yet."""

    penalty: float = 0.0
    free: float = 0.0


@dataclass(frozen=True)
class PonderingSystem(ABC):
    """A cell, and when it has stepped enough."""

    cell: CellKnobs

    @abstractmethod
    def build(self, task: "PonderTask") -> "AdaptiveComputation":
        """The model, freshly drawn."""

    @property
    @abstractmethod
    def price(self) -> Price:
        """What a step costs, and from when on."""

    @property
    def work(self) -> int:
        """Multiply-adds of one row between two waits, to choose the number of threads by."""
        return self.cell.work


@dataclass(frozen=True)
class Adaptive(PonderingSystem):
    """As many steps as the network wants."""

    time_penalty: float = knob(0.001, "tau: what a step costs beside the nats", NOT_NEGATIVE)
    most: int = knob(100, "M: steps that one input may take", COUNT)
    slack: float = knob(0.01, "epsilon: what may be missing when a step is the last", SHARE)
    bias: float = knob(1.0, "what the bias of the halting unit starts at")
    free: float = knob(
        0.0, "share of the updates in which steps cost nothing and halting is not learned", SHARE
    )

    @property
    def price(self) -> Price:
        return Price(self.time_penalty, self.free)

    def build(self, task: "PonderTask") -> "AdaptiveComputation":
        from regard.halting import HaltingUnit
        from regard.models import AdaptiveComputation

        cell = self.cell.build(task.input_size + 1)
        halting = HaltingUnit(cell.size, most=self.most, slack=self.slack, bias=self.bias)
        return AdaptiveComputation(cell, halting, output_size=task.output_size)


@dataclass(frozen=True)
class Steady(PonderingSystem):
    """The same number of steps for every input: one is the network without halting."""

    repeats: int = knob(1, "steps that every input takes", COUNT)

    @property
    def price(self) -> Price:
        return Price()

    def build(self, task: "PonderTask") -> "AdaptiveComputation":
        from regard.halting import FixedSteps
        from regard.models import AdaptiveComputation

        cell = self.cell.build(task.input_size + 1)
        return AdaptiveComputation(cell, FixedSteps(self.repeats), output_size=task.output_size)
