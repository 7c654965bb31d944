"""How dynamic memory networks learn stories: until validation brings nothing better."""

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from regard.recipes.knobs import COUNT, NOT_NEGATIVE, POSITIVE, knob
from regard.recipes.stories.course import Grade, StoryCourse, Taught, lessons_of
from regard.recipes.stories.lessons import task_numbers
from regard.tasks.stories.growing import check_growing, growing_stories

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import nn

    from regard.tasks.stories import Question
    from regard.training import Descent, Epochs, Schedule, Steps

ASKED_AGAIN = 10_000  # questions of training that a restart is graded by, at most


@dataclass(frozen=True)
class Studying(StoryCourse):
    """The best epoch in validation is kept, and of the restarts the one with the best.

    Where gates are taught, as in Kumar et al. 2016, they may be taught alone first, until
    validation finds no more facts, too.
    """

    restarts: int = knob(1, "networks that learn each lesson, of which the best is kept", COUNT)
    patience: int = knob(20, "epochs without a better one before a restart ends", COUNT)
    enough: float = knob(
        0.0, "number of validation that is as good as none: a restart ends with it", NOT_NEGATIVE
    )
    batch: int = knob(128, "questions in a batch", COUNT)
    rate: float = knob(0.001, "learning rate", POSITIVE)
    clip: float = knob(10.0, "largest norm of the gradient", POSITIVE)
    decay: str = knob(
        "0.001", "weight of half the squares of all matrices in the loss; several, such as "
        "0.00001,0.001, are taken in turn by the restarts"
    )  # fmt: skip
    guidance: float = knob(
        0.0, "weight of the supporting facts in the loss; 0 leaves the gates alone", NOT_NEGATIVE
    )
    gate_epochs: int = knob(
        0, "epochs that teach the gates alone before any answer, at most", NOT_NEGATIVE
    )
    growing: str = knob(
        "", "tasks that begin with made-up stories that grow harder, which 16 has; empty: none"
    )
    grown: int = knob(300_000, "questions over stories that grow", COUNT)

    def __post_init__(self) -> None:
        self.decay_of(self.seed)
        for number in task_numbers(self.growing) if self.growing else ():
            check_growing(number)

    def before(self, lesson: str) -> "Sequence[Question]":
        if lesson not in lessons_of(self.growing):
            return ()
        return growing_stories(int(lesson.split()[1]), self.grown, seed=0)

    @property
    def tasks_named(self) -> "Mapping[str, str]":
        return {**super().tasks_named, "growing": self.growing}

    def note(self, lesson: str) -> str:
        if lesson not in lessons_of(self.growing):
            return ""
        return f"begun with {self.grown:,} made-up questions over stories that grow harder"

    def decay_of(self, seed: int) -> float:
        """The weight of the squares for the restart with this seed."""
        weights = [_weight(word, self.decay) for word in self.decay.split(",")]
        return weights[(seed - self.seed) % len(weights)]

    def variant(self) -> tuple[object, ...]:
        return (bool(self.guidance),)

    @abstractmethod
    def most(self) -> "Steps | Epochs":
        """How long a restart learns at most."""

    @abstractmethod
    def descent(self, model: "nn.Module") -> "Descent":
        """How the weights are changed."""

    def schedule(self, model: "nn.Module", most: "Steps | Epochs", seed: int) -> "Schedule":
        """When what happens."""
        from regard.training import Schedule

        return Schedule(
            most, self.descent(model), patience=self.patience, enough=self.enough, seed=seed
        )

    def opening(self, model: "nn.Module", seed: int) -> "Schedule":
        """Once through the stories that grow, at a steady rate."""
        from regard.training import Constant, Epochs, Schedule

        descent = replace(self.descent(model), rate=Constant())
        return Schedule(Epochs(1), descent, seed=seed)

    def learn(self, model: "nn.Module", taught: Taught, seed: int) -> Grade:
        from regard.recipes.stories.measuring import ask
        from regard.recipes.stories.study import GateStudy, Opening, Study
        from regard.training import Epochs, RunFolder, train

        if self.gate_epochs and not self.guidance:
            raise ValueError(
                f"--gate-epochs {self.gate_epochs} teaches the gates alone, but --guidance is 0, "
                "which leaves them alone; give it a weight, such as 1"
            )
        opened = {"opening": self.grown} if taught.before is not None else {}
        folder = RunFolder.create(taught.folder, {"seed": seed, **opened})
        answers = self.schedule(model, self.most(), seed)
        stages: list[tuple[type[Study], RunFolder, Schedule]] = [(Study, folder, answers)]
        if self.gate_epochs:
            alone = RunFolder.create(taught.folder / "gates", {"seed": seed})
            gates = self.schedule(model, Epochs(self.gate_epochs), seed)
            stages.insert(0, (GateStudy, alone, gates))
        if taught.before is not None:
            first = RunFolder.create(taught.folder / "opening", {"seed": seed})
            stages.insert(0, (Opening, first, self.opening(model, seed)))
        outcomes = []
        for kind, place, schedule in stages:
            study = kind(model, taught, self, seed)
            outcomes.append(train(study, schedule, place, resume_with=taught.resume_with))
            place.load_model(model)
        model.cpu().eval()
        train_asked = ask(model, taught.train.first(ASKED_AGAIN))
        valid_asked = ask(model, taught.valid)
        return Grade(
            *(train_asked.error, train_asked.loss, valid_asked.error, valid_asked.loss),
            *(sum(each) for each in zip(*(one[:3] for one in outcomes), strict=True)),
        )


@dataclass(frozen=True)
class EarlyStopping(Studying):
    """Adam, until validation brings no lower loss.

    Xiong, Merity, Socher 2016, section 5.2: batches of 128, at most 256 epochs, 20 without a gain,
    L2.
    """

    selected_by: ClassVar[str] = "validation_loss"
    keeps: ClassVar[str] = "the epoch with the lowest validation loss"

    epochs: int = knob(256, "passes through the stories, at most", COUNT)

    def most(self) -> "Epochs":
        from regard.training import Epochs

        return Epochs(self.epochs)

    def descent(self, model: "nn.Module") -> "Descent":
        from functools import partial

        from torch.optim import Adam

        from regard.training import Descent

        return Descent(partial(Adam, lr=self.rate), clip=self.clip)


@dataclass(frozen=True)
class TurningStudy(Studying):
    """Muon for all matrices between words and answers, its rates falling evenly to nothing.

    Such a network is soon sure of what it says, whether that is right or not: its loss is at its
    lowest long before its errors are, so that it is chosen by both, one percent for one nat.
    """

    selected_by: ClassVar[str] = "validation_error_and_loss"
    keeps: ClassVar[str] = "the epoch with the lowest sum of error and loss in validation"

    updates: int = knob(4_000, "updates over which the rates fall to nothing", COUNT)
    matrix_rate: float = knob(
        0.005, "learning rate of all matrices between words and answers, at its highest", POSITIVE
    )

    def most(self) -> "Steps":
        from regard.training import Steps

        return Steps(self.updates)

    def descent(self, model: "nn.Module") -> "Descent":
        from functools import partial

        from regard.recipes.stories.study import matrices
        from regard.training import Descent, Linear, Muon

        muon = partial(Muon, rate=self.rate, matrix_rate=self.matrix_rate, matrices=matrices(model))
        return Descent(muon, Linear(self.most()), self.clip)


def _weight(word: str, given: str) -> float:
    try:
        weight = float(word)
    except ValueError:
        weight = math.nan
    if not 0 <= weight < math.inf:
        raise ValueError(
            f"--decay takes weights of 0 or more, such as 0.001 or 0.00001,0.001, but {given!r} "
            f"has {word.strip()!r}"
        )
    return weight
