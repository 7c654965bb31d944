"""How a network practises: so many fresh batches, and then an end."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regard.recipes.knobs import COUNT, NOT_NEGATIVE, POSITIVE, knob

if TYPE_CHECKING:
    from regard.training import Descent, Schedule

STEPS_TO_AN_EPOCH = 250  # batches are drawn without end; an epoch is when the model is judged


@dataclass(frozen=True)
class Practising(ABC):
    """Batches, a rate, an end."""

    steps: int = knob(10_000, "updates, each by a fresh batch", COUNT)
    batch: int = knob(32, "sequences in a batch", COUNT)
    rate: float = knob(0.001, "learning rate at its highest", POSITIVE)
    clip: float = knob(10.0, "largest norm of the gradient", POSITIVE)
    patience: int = knob(1_000, "judgements without a better one before training stops", COUNT)
    seed: int = knob(0, "seed of the parameters and of the sequences", NOT_NEGATIVE)

    @abstractmethod
    def descent(self) -> "Descent":
        """How the weights are changed."""

    def schedule(self) -> "Schedule":
        """When what happens."""
        from regard.training import Schedule, Steps

        return Schedule(Steps(self.steps), self.descent(), patience=self.patience, seed=self.seed)


@dataclass(frozen=True)
class Quick(Practising):
    """Adam, the rate falling evenly to nothing: sooner there than the paper's way."""

    def descent(self) -> "Descent":
        from functools import partial

        from torch.optim import Adam

        from regard.training import Descent, Linear, Steps

        return Descent(partial(Adam, lr=self.rate), Linear(Steps(self.steps)), self.clip)


@dataclass(frozen=True)
class Turning(Practising):
    """Muon, both rates falling evenly to nothing: for numbers that must be told apart closely."""

    rate: float = knob(0.001, "learning rate of all but square matrices, at its highest", POSITIVE)
    matrix_rate: float = knob(
        0.03,
        "learning rate of square matrices, as the gates of a recurrent unit, at its highest",
        POSITIVE,
    )

    def descent(self) -> "Descent":
        from functools import partial

        from regard.training import Descent, Linear, Muon, Steps

        muon = partial(Muon, rate=self.rate, matrix_rate=self.matrix_rate)
        return Descent(muon, Linear(Steps(self.steps)), self.clip)
