"""How long and how a model is trained, as knobs."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regard.recipes.knobs import COUNT, NOT_NEGATIVE, POSITIVE, SHARE, knob

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch.nn import Parameter

    from regard.training import Descent, Schedule
    from regard.training.averaging import Kept


@dataclass(frozen=True)
class Course(ABC):
    """A plan of training: Adam, a learning rate over time, batches, an end."""

    epochs: int = knob(20, "passes through the training set", COUNT)
    batch: int = knob(64, "examples in a batch", COUNT)
    rate: float = knob(0.001, "learning rate at its highest", POSITIVE)
    clip: float = knob(1.0, "largest norm of the gradient", POSITIVE)
    smoothing: float = knob(0.1, "share of each target's probability spread over all words", SHARE)
    average: int = knob(
        1, "the kept weights are a fading mean over about so many updates; 1 keeps the last", COUNT
    )
    patience: int = knob(5, "validations without a better one before training stops", COUNT)
    seed: int = knob(
        0, "seed of the parameters, of the order of the examples and of the noise", NOT_NEGATIVE
    )

    def kept(self) -> "Callable[[list[Parameter]], Kept]":
        """Which weights become the model."""
        from functools import partial

        from regard.training import Averaged, Latest

        return partial(Averaged, updates=self.average) if self.average > 1 else Latest

    @abstractmethod
    def descent(self) -> "Descent":
        """How the weights are changed."""

    def schedule(self) -> "Schedule":
        """When what happens."""
        from regard.training import Epochs, Schedule

        return Schedule(Epochs(self.epochs), self.descent(), patience=self.patience, seed=self.seed)


@dataclass(frozen=True)
class Falling(Course):
    """The rate falls evenly to nothing over the whole course: as recurrent translators like it."""

    def descent(self) -> "Descent":
        from functools import partial

        from torch.optim import Adam

        from regard.training import Descent, Epochs, Linear

        return Descent(
            partial(Adam, lr=self.rate), Linear(Epochs(self.epochs)), self.clip, kept=self.kept()
        )


@dataclass(frozen=True)
class WarmedUp(Course):
    """The rate rises first, then falls as the root of the step and evenly to nothing.

    Attention Is All You Need, Vaswani et al. 2017, eq. (3), https://arxiv.org/abs/1706.03762,
    where the last step of the course would still be large; the even fall takes the place of the
    paper's mean over the last checkpoints.
    """

    warm_up: int = knob(1_000, "steps over which the rate rises", COUNT)

    def descent(self) -> "Descent":
        from functools import partial

        from torch.optim import Adam

        from regard.training import Descent, Epochs, InverseRoot, Linear

        adam = partial(Adam, lr=self.rate, betas=(0.9, 0.98), eps=1e-9)
        rate = InverseRoot(self.warm_up) * Linear(Epochs(self.epochs))
        return Descent(adam, rate, self.clip, kept=self.kept())
