"""The ways of practising that suit a machine with a tape."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from regard.recipes.endless import Practising
from regard.recipes.knobs import COUNT, POSITIVE, knob

if TYPE_CHECKING:
    from functools import partial

    from torch.optim import RMSprop

    from regard.training import Descent


@dataclass(frozen=True)
class InBatches(Practising):
    """The paper's optimiser, sooner there: sequences in batches, a higher rate that falls evenly.

    Where a machine has learned its task, gradients are tiny but for rare cliffs, which Adam,
    dividing by their usual size, jumps off: nine of ten seeds of copy did not end below 0.1 bits.
    The constant under the root of RMSProp is large enough to forbid it.
    """

    rate: float = knob(0.0003, "learning rate at its highest", POSITIVE)

    def descent(self) -> "Descent":
        from regard.training import Descent, Linear, Steps

        return Descent(_graves(self.rate), Linear(Steps(self.steps)), self.clip)


@dataclass(frozen=True)
class AsInThePaper(Practising):
    """Centred RMSProp with momentum 0.9 at a constant rate, one sequence to an update."""

    batch: int = knob(1, "sequences in a batch", COUNT)
    rate: float = knob(0.0001, "learning rate", POSITIVE)
    clip: float = knob(10.0, "largest size of any number of the gradient", POSITIVE)

    def descent(self) -> "Descent":
        from regard.training import Descent

        return Descent(_graves(self.rate), clip_each=self.clip)


def _graves(rate: float) -> "partial[RMSprop]":
    """RMSProp as in Generating Sequences with Recurrent Neural Networks, Graves 2013, eqs. 38-45.

    https://arxiv.org/abs/1308.0850 Its form has 1e-4 inside the root; torch's adds the square root
    of it outside.
    """
    from functools import partial

    from torch.optim import RMSprop

    return partial(RMSprop, lr=rate, alpha=0.95, eps=0.01, momentum=0.9, centered=True)
