"""How dynamic memory networks learn stories: Adam, until validation brings nothing better."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from regard.recipes.knobs import COUNT, NOT_NEGATIVE, POSITIVE, knob
from regard.recipes.stories.course import Grade, StoryCourse, Taught

if TYPE_CHECKING:
    from torch import nn

    from regard.training import Schedule


@dataclass(frozen=True)
class EarlyStopping(StoryCourse):
    """The epoch with the lowest validation loss is kept, and of the restarts that with the lowest.

    Xiong, Merity, Socher 2016, section 5.2: Adam, batches of 128, at most 256 epochs, 20 without a
    gain, L2. Where gates are taught, as in Kumar et al. 2016, they may be taught alone first, until
    validation finds no more facts, too.
    """

    selected_by: ClassVar[str] = "validation_loss"
    keeps: ClassVar[str] = "the epoch with the lowest validation loss"

    restarts: int = knob(1, "networks that learn each lesson, of which the best is kept", COUNT)
    epochs: int = knob(256, "passes through the stories, at most", COUNT)
    patience: int = knob(20, "epochs without a better one before a restart ends", COUNT)
    enough: float = knob(
        0.0, "validation loss that is as good as none: a restart ends with it", NOT_NEGATIVE
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

    def __post_init__(self) -> None:
        self.decay_of(self.seed)

    def decay_of(self, seed: int) -> float:
        """The weight of the squares for the restart with this seed."""
        weights = [_weight(word, self.decay) for word in self.decay.split(",")]
        return weights[(seed - self.seed) % len(weights)]

    def variant(self) -> tuple[object, ...]:
        return (bool(self.guidance),)

    def schedule(self, epochs: int, seed: int) -> "Schedule":
        """When what happens."""
        from functools import partial

        from torch.optim import Adam

        from regard.training import Descent, Epochs, Schedule

        descent = Descent(partial(Adam, lr=self.rate), clip=self.clip)
        return Schedule(
            Epochs(epochs), descent, patience=self.patience, enough=self.enough, seed=seed
        )

    def learn(self, model: "nn.Module", taught: Taught, seed: int) -> Grade:
        from regard.recipes.stories.measuring import ask
        from regard.recipes.stories.study import GateStudy, Study
        from regard.training import RunFolder, train

        if self.gate_epochs and not self.guidance:
            raise ValueError(
                f"--gate-epochs {self.gate_epochs} teaches the gates alone, but --guidance is 0, "
                "which leaves them alone; give it a weight, such as 1"
            )
        folder = RunFolder.create(taught.folder, {"seed": seed})
        stages = [(Study, folder, self.epochs)]
        if self.gate_epochs:
            alone = RunFolder.create(taught.folder / "gates", {"seed": seed})
            stages.insert(0, (GateStudy, alone, self.gate_epochs))
        outcomes = []
        for kind, place, epochs in stages:
            study = kind(model, taught, self, seed)
            schedule = self.schedule(epochs, seed)
            outcomes.append(train(study, schedule, place, resume_with=taught.resume_with))
            place.load_model(model)
        model.cpu().eval()
        train_asked, valid_asked = ask(model, taught.train), ask(model, taught.valid)
        return Grade(
            *(train_asked.error, train_asked.loss, valid_asked.error, valid_asked.loss),
            *(sum(each) for each in zip(*(one[:3] for one in outcomes), strict=True)),
        )


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
