"""A machine and its task, as the loop sees them."""

from collections.abc import Sequence

import torch
from torch import Generator, nn

from regard.metrics import bits_per_sequence, wrong_bits
from regard.recipes.algorithms.course import STEPS_TO_AN_EPOCH
from regard.tasks.algorithms import Drawn, SequenceTask
from regard.training import Experiment, Loss

JUDGED = 8  # batches that the machine is judged by
JUDGING = 2**40  # the first seed of what it is judged by, far from those of training


class Batches(Sequence[Drawn]):
    """Batches that are drawn when they are asked for, each from a seed of its own."""

    def __init__(self, task: SequenceTask, size: int, first_seed: int, count: int) -> None:
        self._task = task
        self._size = size
        self._first = first_seed
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> Drawn:  # type: ignore[override]
        if not 0 <= number < self._count:
            raise IndexError(number)
        return self._task.draw(self._size, Generator().manual_seed(self._first + number))


def judged(task: SequenceTask, batch: int) -> Batches:
    """What a machine is judged by that practises with batches of this size."""
    return Batches(task, max(batch, 16), JUDGING, JUDGED)


class Exercise(Experiment[Drawn]):
    """Fresh sequences without end, judged by the bits that others cost."""

    selected_by = "bits"
    higher_is_better = False

    def __init__(self, model: nn.Module, task: SequenceTask, *, batch: int, seed: int) -> None:
        self.model = model
        self.task = task
        self.batch = batch
        self.seed = seed

    def epoch(self, number: int) -> Sequence[Drawn]:
        first = (self.seed * 10_000 + number) * STEPS_TO_AN_EPOCH
        return Batches(self.task, self.batch, first, STEPS_TO_AN_EPOCH)

    def loss(self, batch: Drawn) -> Loss:
        """In bits, so that what is printed is what the paper prints."""
        inputs, targets = self._placed(batch)
        bits = bits_per_sequence(self.model(inputs), targets, batch.counts)
        return Loss(bits.sum(), len(bits))

    def validate(self) -> dict[str, float]:
        bits, wrong = [], []
        for batch in judged(self.task, self.batch):
            inputs, targets = self._placed(batch)
            logits = self.model(inputs)
            bits.append(bits_per_sequence(logits, targets, batch.counts))
            wrong.append(wrong_bits(logits, targets, batch.counts))
        return {
            "bits": float(torch.cat(bits).mean()),
            "wrong bits": float(torch.cat(wrong).mean()),
        }

    def shard(self, batch: Drawn, rank: int, world: int) -> Drawn | None:
        """A share of the sequences; which steps count is the same for all."""
        inputs, targets = (part.tensor_split(world)[rank] for part in batch[:2])
        return Drawn(inputs, targets, batch.counts) if len(inputs) else None

    def _placed(self, batch: Drawn) -> tuple[torch.Tensor, torch.Tensor]:
        device = next(self.model.parameters()).device
        return batch.inputs.to(device), batch.targets.to(device)
