"""How a language model learns, as knobs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from regard.recipes.knobs import COUNT, NOT_NEGATIVE, POSITIVE, Limits, knob

if TYPE_CHECKING:
    from regard.training import Schedule


@dataclass(frozen=True)
class Descending:
    """As MemN2N's released code: plain descent on summed losses, the rate falling on a plateau.

    There the rate falls where validation does not improve by a ten-thousandth; here where it does
    not improve at all. Places of the text are drawn with replacement.
    """

    epochs: int = knob(100, "epochs, each as many places as the text has words", COUNT)
    batch: int = knob(128, "places in a batch", COUNT)
    rate: float = knob(0.01, "learning rate of the summed loss of a batch", POSITIVE)
    fall: float = knob(1.5, "what the rate is divided by when validation does not improve",
                       Limits(1))  # fmt: skip
    clip: float = knob(50.0, "largest norm of the gradient of the summed loss", POSITIVE)
    patience: int = knob(10, "validations without a better one before training stops", COUNT)
    seed: int = knob(0, "seed of the parameters and of the places", NOT_NEGATIVE)

    def schedule(self) -> "Schedule":
        """When what happens; the loop has the mean of a batch where the paper has the sum."""
        from functools import partial

        from torch.optim import SGD

        from regard.training import Descent, Epochs, Plateau, Schedule

        plain = partial(SGD, lr=self.rate * self.batch)
        descent = Descent(plain, Plateau(1 / self.fall), self.clip / self.batch)
        return Schedule(Epochs(self.epochs), descent, patience=self.patience, seed=self.seed)
