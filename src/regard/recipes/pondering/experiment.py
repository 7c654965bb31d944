"""A network that ponders and its task, as the loop sees them."""

import torch
from torch import Tensor, nn

from regard.metrics import nats_per_sequence, wrong_answers
from regard.recipes.endless import Practising
from regard.recipes.endless.experiment import Batches, Draw, Fresh
from regard.recipes.endless.seeds import JUDGING
from regard.recipes.pondering.practice import Practice
from regard.tasks.pondering import Posed
from regard.training import Loss

JUDGED, TOGETHER = 32, 64  # batches that the network is judged by, and sequences in each


class Thinking(Fresh[Posed]):
    """Fresh questions without end; the loss is L + tau P (eq. 12), in nats to a sequence."""

    selected_by = "wrong sequences"

    def __init__(
        self, model: nn.Module, practice: Practice, course: Practising, *, penalty: float
    ) -> None:
        super().__init__(model, course)
        self.practice = practice
        self.task = practice.task()
        self.penalty = penalty

    def drawn_at(self, step: int) -> Draw[Posed]:
        return self.practice.lesson(step / self.course.steps).draw

    def loss(self, batch: Posed) -> Loss:
        inputs, targets = self.placed(batch)
        made = self.model(inputs)
        nats = nats_per_sequence(self.task.choices(made.outputs), targets, batch.counts).sum()
        ponder = made.ponder.sum()
        steps = float(made.steps.float().mean(dim=1).sum())
        metrics = {"nats": nats.item(), "ponder": steps}
        return Loss(nats + self.penalty * ponder, len(inputs), metrics)

    def validate(self) -> dict[str, float]:
        nats, wrong, steps = [], [], []
        for batch in Batches(self.task.draw, TOGETHER, JUDGING, JUDGED):
            inputs, targets = self.placed(batch)
            made = self.model(inputs)
            choices = self.task.choices(made.outputs)
            nats.append(nats_per_sequence(choices, targets, batch.counts))
            wrong.append(wrong_answers(choices, targets, batch.counts).any(dim=1).float())
            steps.append(made.steps.flatten().float())
        return {
            "wrong sequences": 100 * _mean(wrong),
            "nats": _mean(nats),
            "ponder": _mean(steps),
        }


def _mean(parts: list[Tensor]) -> float:
    return float(torch.cat(parts).mean())
