"""A network that ponders and its task, as the loop sees them."""

from collections.abc import Sequence

import torch
from torch import Generator, Tensor

from regard.metrics import nats_per_sequence, wrong_answers
from regard.models import AdaptiveComputation
from regard.recipes.algorithms.course import STEPS_TO_AN_EPOCH
from regard.recipes.pondering.practice import Practice
from regard.tasks.pondering import PonderTask, Posed
from regard.training import Experiment, Loss

JUDGED, TOGETHER = 32, 64  # batches that the network is judged by, and sequences in each
JUDGING = 2**40  # the first seed of what it is judged by, far from those of training


class Questions(Sequence[Posed]):
    """Batches that are drawn when they are asked for, each from a seed of its own."""

    def __init__(self, task: PonderTask, size: int, first_seed: int, count: int) -> None:
        self._task = task
        self._size = size
        self._first = first_seed
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> Posed:  # type: ignore[override]
        if not 0 <= number < self._count:
            raise IndexError(number)
        return self._task.draw(self._size, Generator().manual_seed(self._first + number))


class Thinking(Experiment[Posed]):
    """Fresh questions without end; the loss is L + tau P (eq. 12), in nats to a sequence."""

    selected_by = "wrong sequences"
    higher_is_better = False

    def __init__(
        self,
        model: AdaptiveComputation,
        practice: Practice,
        *,
        penalty: float,
        batch: int,
        steps: int,
        seed: int,
    ) -> None:
        self.model = model
        self.practice = practice
        self.task = practice.task()
        self.penalty = penalty
        self.batch = batch
        self.steps = steps
        self.seed = seed

    def epoch(self, number: int) -> Sequence[Posed]:
        lesson = self.practice.lesson((number - 1) * STEPS_TO_AN_EPOCH / self.steps)
        first = (self.seed * 10_000 + number) * STEPS_TO_AN_EPOCH
        return Questions(lesson, self.batch, first, STEPS_TO_AN_EPOCH)

    def loss(self, batch: Posed) -> Loss:
        inputs, targets = self._placed(batch)
        made = self.model(inputs)
        nats = nats_per_sequence(self.task.choices(made.outputs), targets, batch.counts).sum()
        ponder = made.ponder.sum()
        steps = float(made.steps.float().mean(dim=1).sum())
        metrics = {"nats": nats.item(), "ponder": steps}
        return Loss(nats + self.penalty * ponder, len(inputs), metrics)

    def validate(self) -> dict[str, float]:
        nats, wrong, steps = [], [], []
        for batch in Questions(self.task, TOGETHER, JUDGING, JUDGED):
            inputs, targets = self._placed(batch)
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

    def shard(self, batch: Posed, rank: int, world: int) -> Posed | None:
        """A share of the sequences; which steps count is the same for all."""
        inputs, targets = (part.tensor_split(world)[rank] for part in batch[:2])
        return Posed(inputs, targets, batch.counts) if len(inputs) else None

    def _placed(self, batch: Posed) -> tuple[Tensor, Tensor]:
        device = next(self.model.parameters()).device
        return batch.inputs.to(device), batch.targets.to(device)


def _mean(parts: list[Tensor]) -> float:
    return float(torch.cat(parts).mean())
