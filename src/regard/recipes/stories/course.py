"""How networks learn stories: again and again from other beginnings, of which the best is kept."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from regard.recipes.knobs import COUNT, NOT_NEGATIVE, POSITIVE, SHARE, knob
from regard.recipes.stories.lessons import task_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from torch import nn

    from regard.recipes.stories.material import Material
    from regard.tasks.stories import Question


class Grade(NamedTuple):
    """How one restart went; errors in percent."""

    training_error: float
    training_loss: float
    validation_error: float
    validation_loss: float
    updates: int
    epochs: float
    seconds: float

    @property
    def validation_error_and_loss(self) -> float:
        """The share of wrong answers in percent; among equals, the lower loss is better."""
        return self.validation_error + self.validation_loss


class Taught(NamedTuple):
    """What a network is taught by, and where it may keep what it needs to go on."""

    train: "Material"
    valid: "Material"
    folder: "Path"
    resume_with: str
    before: "Material | None" = None  # what is learned first, once and in its order


def lessons_of(tasks: str) -> list[str]:
    """The names of the lessons of these tasks, such as 2,17-18; none where nothing is named."""
    return [f"task {number}" for number in task_numbers(tasks)] if tasks else []


@dataclass(frozen=True)
class StoryCourse(ABC):
    """Restarts, of which one is kept for each lesson."""

    selected_by: ClassVar[str]  # the number of a grade that picks a restart, the lower the better
    keeps: ClassVar[str]  # which epoch of a restart is kept

    restarts: int = knob(10, "networks that learn each lesson, of which the best is kept", COUNT)
    seed: int = knob(0, "seed of the first restart; the others count up from it", NOT_NEGATIVE)
    side_by_side: int = knob(
        0, "processes that learn at once; 0 takes as many as there are cores", NOT_NEGATIVE
    )

    hard: str = knob(
        "", "tasks that have as many restarts, such as 2,17-18; the others have one; empty: all"
    )

    def seeds(self, lesson: str) -> range:
        """The seeds of the restarts of a lesson."""
        once = bool(self.hard) and lesson not in self.named
        return range(self.seed, self.seed + (1 if once else self.restarts))

    @property
    def tasks_named(self) -> "Mapping[str, str]":
        """The knobs that name tasks of bAbI, and what they name."""
        return {"hard": self.hard}

    @property
    def named(self) -> list[str]:
        """The lessons that are named as hard."""
        return lessons_of(self.hard)

    def before(self, lesson: str) -> "Sequence[Question]":
        """Stories that are learned before those of a lesson, once and in their order."""
        return ()

    def note(self, lesson: str) -> str:
        """What to know of how a lesson is learned; empty where nothing is out of the ordinary."""
        return ""

    @abstractmethod
    def learn(self, model: "nn.Module", taught: Taught, seed: int) -> Grade:
        """Teach one network, in place."""

    def variant(self) -> tuple[object, ...]:
        """What of the course a paper has columns of its own for."""
        return ()

    def worth(self, grade: Grade) -> tuple[float, float]:
        """What restarts are compared by: the lower, the better; then the training loss."""
        return getattr(grade, self.selected_by), grade.training_loss


@dataclass(frozen=True)
class LinearStart(StoryCourse):
    """As MemN2N's released code: first without softmax, then with it at a rate that is halved.

    Plain descent, batches drawn with replacement, summed losses, every matrix clipped by itself,
    times jittered. The last epoch is kept; of the restarts that with the lowest training error.
    """

    selected_by: ClassVar[str] = "training_error"
    keeps: ClassVar[str] = "the last epoch"

    epochs: int = knob(100, "epochs with softmax", COUNT)
    linear_epochs: int = knob(20, "epochs without softmax before them; 0 leaves them out",
                              NOT_NEGATIVE)  # fmt: skip
    rate: float = knob(0.005, "learning rate of the summed loss of a batch", POSITIVE)
    halve_every: int = knob(25, "epochs after which the rate is halved", COUNT)
    batch: int = knob(32, "questions in a batch", COUNT)
    clip: float = knob(40.0, "largest spectral norm of the gradient of each matrix", POSITIVE)
    noise: float = knob(0.1, "share by which the times of a story are stretched at most", SHARE)

    def variant(self) -> tuple[object, ...]:
        return bool(self.linear_epochs), bool(self.noise)

    def learn(self, model: "nn.Module", taught: Taught, seed: int) -> Grade:
        from functools import partial
        from time import perf_counter

        from regard.models import MemN2N, Stories
        from regard.models.story_learning import halving, judge, learn, seeded
        from regard.normalisers import Unchanged

        if not isinstance(model, MemN2N):
            raise TypeError(f"a linear start is for a MemN2N, but this is {type(model).__name__}")
        count = len(taught.train.stories.answer)
        if count < self.batch:
            raise ValueError(
                f"there are {count} questions to learn from beside those to choose by, which is "
                f"less than one batch of {self.batch}; take --batch {count} or less, or give more "
                "questions"
            )
        begun, draws = perf_counter(), seeded(seed)
        stories, valid = (
            Stories(*(part.to(model.tables.device) for part in each.stories))
            for each in (taught.train, taught.valid)
        )
        teach = partial(learn, batch=self.batch, clip=self.clip, noise=self.noise)
        if self.linear_epochs:
            normaliser = model.look.normaliser
            model.weigh_by(Unchanged())
            teach(model, stories, halving(self.linear_epochs, self.rate), draws)
            model.weigh_by(normaliser)
        rates = halving(self.epochs, self.rate, self.halve_every)
        learned = teach(model, stories, rates, draws)
        valid_loss, valid_error = judge(model, valid)
        epochs = self.linear_epochs + self.epochs
        return Grade(
            100 * learned.errors[-1],
            learned.losses[-1],
            100 * valid_error,
            valid_loss,
            epochs * (len(stories.answer) // self.batch),
            epochs,
            perf_counter() - begun,
        )
