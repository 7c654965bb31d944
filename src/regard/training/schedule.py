"""The knobs of the loop: how an update is made, and when what happens."""

from collections.abc import Callable
from dataclasses import dataclass

from torch import nn
from torch.optim import Optimizer

from regard.shapes import Number
from regard.training.averaging import Kept, Latest
from regard.training.moments import Epochs, Seconds, Span, Steps
from regard.training.progress import Progress
from regard.training.rates import Constant, Rate

CONSTANT = Constant()
EACH_EPOCH = Epochs(1)
EACH_MINUTE = Seconds(60)
NOW_AND_THEN = Steps(50)

Optimiser = Callable[[list[nn.Parameter]], Optimizer]


@dataclass(frozen=True)
class Descent:
    """How the weights are changed: ``Descent(partial(torch.optim.Adam, lr=1e-3), clip=1.0)``.

    The gradient is that of the summed loss over the number of items, of all ``accumulate`` batches
    and all processes together. ``clip`` is the largest norm that it may have, ``clip_each`` the
    largest size of any of its numbers after that. ``kept`` says which weights are judged and saved:
    the last ones, or ``partial(Averaged, updates=500)``.
    """

    optimiser: Optimiser
    rate: Rate = CONSTANT
    clip: Number | None = None
    clip_each: Number | None = None
    accumulate: int = 1
    kept: Callable[[list[nn.Parameter]], Kept] = Latest

    def __post_init__(self) -> None:
        for name in ("clip", "clip_each"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(
                    f"{name} must be above 0, but it is {value}; None leaves the gradient as it is"
                )
        if self.accumulate < 1:
            raise ValueError(f"accumulate must be at least 1 batch, but it is {self.accumulate}")


@dataclass(frozen=True)
class Schedule:
    """When what happens: ``Schedule(Epochs(10), Descent(...), patience=3)``.

    Training ends with ``until``, after ``patience`` validations in a row that brought nothing
    better, or with the first one that is ``enough``. ``measure`` says how often a line of the
    training loss is written, ``save`` how often a checkpoint. Only the checkpoints may follow the
    clock: all else is to fall on the same steps in every run.
    """

    until: Steps | Epochs
    descent: Descent
    validate: Steps | Epochs = EACH_EPOCH
    patience: int | None = None
    enough: Number | None = None
    measure: Steps | Epochs = NOW_AND_THEN
    save: Span = EACH_MINUTE
    seed: int = 0  # of the noise in training; data and parameters are the experiment's

    def __post_init__(self) -> None:
        for name in ("until", "validate", "measure"):
            if isinstance(getattr(self, name), Seconds):
                raise ValueError(
                    f"{name} must be counted in Steps or Epochs, but it is {getattr(self, name)}; "
                    "a run that follows the clock cannot be repeated"
                )
        if self.patience is not None and self.patience < 1:
            raise ValueError(
                f"patience must be at least 1 validation, but it is {self.patience}; "
                "None never stops early"
            )

    def reason_to_end(self, progress: Progress, *, higher_is_better: bool) -> str:
        """Why a run is over after the validation that it has just had; empty where it goes on."""
        if self.until.reached(progress.moment):
            return "the end of the schedule"
        if self.enough is not None and progress.reaches(
            self.enough, higher_is_better=higher_is_better
        ):
            return f"{progress.best:.4g} is enough"
        if self.patience is not None and progress.stale >= self.patience:
            return f"nothing better in {progress.stale} validations"
        return ""
