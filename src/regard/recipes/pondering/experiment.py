"""A network that ponders and its task, as the loop sees them."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from regard.metrics import nats_per_sequence, wrong_answers
from regard.models import Pondered
from regard.recipes.endless import STEPS_TO_AN_EPOCH, Practising
from regard.recipes.endless.experiment import Batches, Draw, Fresh
from regard.recipes.endless.seeds import JUDGING, TRYING
from regard.recipes.pondering.practice import Practice
from regard.recipes.pondering.systems import Price
from regard.tasks.pondering import Posed
from regard.training import Loss

JUDGED, TOGETHER = 32, 64  # batches that the network is judged by, and sequences in each
TRIED = 8  # batches by which it is seen whether the network goes on to the next lesson


class Pupil(nn.Module):
    """A network and the lesson that it has come to: checkpoints keep both."""

    epoch: Tensor
    lesson: Tensor

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model
        self.register_buffer("epoch", torch.tensor(0))  # in which the lesson was chosen
        self.register_buffer("lesson", torch.tensor(0))

    def forward(self, inputs: Tensor) -> Pondered:
        made: Pondered = self.model(inputs)
        return made


class Thinking(Fresh[Posed]):
    """Fresh questions without end; the loss is L + tau P (eq. 12), in nats to a sequence.

    Before every epoch the network is asked about its lesson, and goes on to the next, and to the
    one after that, while it knows enough. Halting is learned sooner than what to do with a further
    step: while steps are free, the halting unit stays as it was drawn.
    """

    model: Pupil
    selected_by = "wrong sequences"

    def __init__(self, model: Pupil, practice: Practice, course: Practising, price: Price) -> None:
        super().__init__(model, course)
        self.practice = practice
        self.task = practice.task()
        self.price = price
        if price.free:
            for parameter in model.model.get_submodule("halting").parameters():
                parameter.register_hook(self._held)  # type: ignore[no-untyped-call]

    def epoch(self, number: int) -> Sequence[Posed]:
        if number != int(self.model.epoch):  # else a run goes on in the middle of it
            self.model.epoch.fill_(number)
            while int(self.model.lesson) < self.practice.last_lesson and self._knows_enough():
                self.model.lesson += 1
        return super().epoch(number)

    @property
    def paying(self) -> bool:
        """Whether steps cost what they are to cost."""
        taken = max(int(self.model.epoch) - 1, 0) * STEPS_TO_AN_EPOCH
        return taken >= self.price.free * self.course.steps

    def lesson(self) -> Draw[Posed]:
        return self.practice.lesson(int(self.model.lesson)).draw

    def loss(self, batch: Posed) -> Loss:
        inputs, targets = self.placed(batch)
        made = self.model(inputs)
        nats = nats_per_sequence(self.task.choices(made.outputs), targets, batch.counts).sum()
        ponder = made.ponder.sum()
        steps = float(made.steps.float().mean(dim=1).sum())
        metrics = {"nats": nats.item(), "ponder": steps}
        penalty = self.price.penalty if self.paying else 0.0
        return Loss(nats + penalty * ponder, len(inputs), metrics)

    def validate(self) -> dict[str, float]:
        wrong, nats, steps = self._judged(Batches(self.task.draw, TOGETHER, JUDGING, JUDGED))
        return {"wrong sequences": 100 * wrong, "nats": nats, "ponder": steps}

    def _held(self, slope: Tensor) -> Tensor:
        return slope if self.paying else torch.zeros_like(slope)

    @torch.no_grad()
    def _knows_enough(self) -> bool:
        """Whether the share of right sequences is enough for the next lesson."""
        wrong, _, _ = self._judged(Batches(self.lesson(), TOGETHER, TRYING, TRIED))
        return self.practice.goes_on(1 - wrong)

    def _judged(self, batches: Batches[Posed]) -> tuple[float, float, float]:
        """Share of wrong sequences, nats of a sequence, steps on an input."""
        wrong, nats, steps = [], [], []
        for batch in batches:
            inputs, targets = self.placed(batch)
            made = self.model(inputs)
            choices = self.task.choices(made.outputs)
            wrong.append(wrong_answers(choices, targets, batch.counts).any(dim=1).float())
            nats.append(nats_per_sequence(choices, targets, batch.counts))
            steps.append(made.steps.flatten().float())
        one, two, three = (float(torch.cat(parts).mean()) for parts in (wrong, nats, steps))
        return one, two, three
