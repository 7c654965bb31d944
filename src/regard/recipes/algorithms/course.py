"""How a machine practises: so many fresh batches, and then an end."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regard.recipes.knobs import COUNT, NOT_NEGATIVE, POSITIVE, knob

if TYPE_CHECKING:
    from functools import partial

    from torch.optim import RMSprop

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
class InBatches(Practising):
    """The paper's optimiser, sooner there: sequences in batches, a higher rate that falls evenly.

    Adam gets there as soon but does not stay: where a machine has learned its task, gradients are
    tiny but for rare cliffs, which Adam, dividing by their usual size, jumps off. The constant
    under the root of RMSProp is large enough to forbid it.
    """

    rate: float = knob(0.0003, "learning rate at its highest", POSITIVE)

    def descent(self) -> "Descent":
        from regard.training import Descent, Linear, Steps

        return Descent(_graves(self.rate), Linear(Steps(self.steps)), self.clip)


@dataclass(frozen=True)
class AsInThePaper(Practising):
    """Centred RMSProp with momentum 0.9 at a constant rate, one sequence to an update.

    The paper clips each number of the gradient to (-10, 10); here it is the norm.
    """

    batch: int = knob(1, "sequences in a batch", COUNT)
    rate: float = knob(0.0001, "learning rate", POSITIVE)

    def descent(self) -> "Descent":
        from regard.training import Descent

        return Descent(_graves(self.rate), clip=self.clip)


def _graves(rate: float) -> "partial[RMSprop]":
    """RMSProp as in Generating Sequences with Recurrent Neural Networks, Graves 2013, eqs. 38-45.

    https://arxiv.org/abs/1308.0850 Its form has 1e-4 inside the root; torch's adds the square root
    of it outside.
    """
    from functools import partial

    from torch.optim import RMSprop

    return partial(RMSprop, lr=rate, alpha=0.95, eps=0.01, momentum=0.9, centered=True)
