"""A machine and its task, as the loop sees them."""

import torch
from torch import nn

from regard.metrics import bits_per_sequence, wrong_bits
from regard.recipes.endless import Practising
from regard.recipes.endless.experiment import Batches, Draw, Fresh
from regard.recipes.endless.seeds import JUDGING
from regard.tasks.algorithms import Drawn, SequenceTask
from regard.training import Loss

JUDGED = 32  # batches that the machine is judged by: a few bad sequences in a thousand show


def judged(task: SequenceTask, batch: int) -> Batches[Drawn]:
    """What a machine is judged by that practises with batches of this size."""
    return Batches(task.draw, max(batch, 16), JUDGING, JUDGED)


class Exercise(Fresh[Drawn]):
    """Fresh sequences without end, judged by the bits that others cost."""

    selected_by = "bits"

    def __init__(self, model: nn.Module, task: SequenceTask, course: Practising) -> None:
        super().__init__(model, course)
        self.task = task

    def lesson(self) -> Draw[Drawn]:
        return self.task.draw

    def loss(self, batch: Drawn) -> Loss:
        """In bits, so that what is printed is what the paper prints."""
        inputs, targets = self.placed(batch)
        bits = bits_per_sequence(self.model(inputs), targets, batch.counts)
        return Loss(bits.sum(), len(bits))

    def validate(self) -> dict[str, float]:
        bits, wrong = [], []
        for batch in judged(self.task, self.course.batch):
            inputs, targets = self.placed(batch)
            logits = self.model(inputs)
            bits.append(bits_per_sequence(logits, targets, batch.counts))
            wrong.append(wrong_bits(logits, targets, batch.counts))
        return {
            "bits": float(torch.cat(bits).mean()),
            "wrong bits": float(torch.cat(wrong).mean()),
        }
