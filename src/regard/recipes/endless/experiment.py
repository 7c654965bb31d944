"""Fresh batches without end, as the loop sees them."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

from torch import Generator, Tensor, nn

from regard.recipes.endless.course import STEPS_TO_AN_EPOCH, Practising
from regard.recipes.endless.seeds import practising
from regard.tasks.algorithms import Drawn
from regard.tasks.pondering import Posed
from regard.training import Experiment

Given = TypeVar("Given", Drawn, Posed)  # inputs, targets, and which steps count
Draw = Callable[[int, Generator], Given]  # so many examples, from a generator


class Batches(Sequence[Given]):
    """Batches that are drawn when they are asked for, each from a seed of its own."""

    def __init__(self, draw: "Draw[Given]", size: int, first_seed: int, count: int) -> None:
        self._draw: Draw[Given] = draw
        self._size = size
        self._first = first_seed
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> Given:  # type: ignore[override]
        if not 0 <= number < self._count:
            raise IndexError(number)
        return self._draw(self._size, Generator().manual_seed(self._first + number))


class Fresh(Experiment[Given]):
    """Batches that no update has seen before, as many as the course asks for."""

    higher_is_better = False

    def __init__(self, model: nn.Module, course: Practising) -> None:
        self.model = model
        self.course = course

    @abstractmethod
    def lesson(self) -> "Draw[Given]":
        """How the batches of this epoch are drawn."""

    def epoch(self, number: int) -> Sequence[Given]:
        first = (self.course.seed * 10_000 + number) * STEPS_TO_AN_EPOCH
        return Batches(self.lesson(), self.course.batch, practising(first), STEPS_TO_AN_EPOCH)

    def shard(self, batch: Given, rank: int, world: int) -> Given | None:
        """A share of the sequences; which steps count is the same for all."""
        inputs, targets = (part.tensor_split(world)[rank] for part in batch[:2])
        return batch._replace(inputs=inputs, targets=targets) if len(inputs) else None

    def placed(self, batch: Given) -> tuple[Tensor, Tensor]:
        """Inputs and targets where the model is."""
        device = next(self.model.parameters()).device
        return batch.inputs.to(device), batch.targets.to(device)
