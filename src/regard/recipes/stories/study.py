"""A dynamic memory network and its stories, as the loop sees them."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from regard.attention import Attended
from regard.losses import gate_supervision
from regard.models.dmn import StoryAnswerer
from regard.models.sentences import SentenceEncoding
from regard.recipes.stories.course import Taught
from regard.recipes.stories.material import Material
from regard.tasks.batches import epoch_batches
from regard.training import Experiment, Loss
from regard.training.muon import of_squares

if TYPE_CHECKING:
    from regard.recipes.stories.studying import Studying

Logits = Float[Tensor, "batch answer"]
JUDGED = 500  # questions that are judged side by side


class StoryBatch(NamedTuple):
    """Some questions with their stories."""

    story: Int[Tensor, "batch slot word"]
    question: Int[Tensor, "batch asked"]
    answer: Int[Tensor, " batch"]
    support: Int[Tensor, "batch pass"]  # the place of each pass's fact; -1 leaves it alone


class Batches(Sequence[StoryBatch]):
    """Batches that are put together when they are asked for."""

    def __init__(self, given: Material, rows: list[list[int]], passes: int) -> None:
        self._given = given
        self._rows = rows
        self._passes = passes

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, number: int) -> StoryBatch:  # type: ignore[override]
        rows = torch.tensor(self._rows[number])
        stories = self._given.stories
        return StoryBatch(
            *stories.pick(rows),
            stories.answer[rows],
            support_of(self._given.order[rows], self._passes),
        )


def support_of(order: Int[Tensor, "batch slot"], passes: int) -> Int[Tensor, "batch pass"]:
    """The place of the fact that each pass is to find; -1 where there is none left.

    >>> support_of(torch.tensor([[0, 2, 1, 0]]), 3).tolist()
    [[2, 1, -1]]
    """
    turns = torch.arange(1, passes + 1, device=order.device).view(1, passes, 1)
    here = order.unsqueeze(1) == turns
    return torch.where(here.any(dim=2), here.int().argmax(dim=2), -1)


def matrices(model: nn.Module) -> list[nn.Parameter]:
    """What is made of squares in the reader and in the hops, but for what words and places are."""
    if not isinstance(model, StoryAnswerer):
        raise TypeError(
            f"a reader and hops are parts of a StoryAnswerer, but this is {type(model).__name__}"
        )
    tables = {
        id(table)
        for part in model.modules()
        if isinstance(part, nn.Embedding | SentenceEncoding)
        for table in part.parameters()
    }
    return [
        each
        for each in (*model.reader.parameters(), *model.hops.parameters())
        if of_squares(each) and id(each) not in tables
    ]


class Study(Experiment[StoryBatch]):
    """Every question once in an epoch, judged by the answers in validation, as the course says.

    Stories of about the same length are learned side by side: the longest of 128 of bAbI's second
    task is mostly three times as long as their mean, and empty sentences cost what others do.
    """

    higher_is_better = False

    def __init__(self, model: nn.Module, taught: Taught, course: "Studying", seed: int) -> None:
        self.model = model
        self.train_stories, self.valid_stories = taught.train, taught.valid
        self.course = course
        self.seed = seed
        self.decay = course.decay_of(seed)
        self.selected_by = course.selected_by.removeprefix("validation_").replace("_", " ")

    def epoch(self, number: int) -> Sequence[StoryBatch]:
        lengths = self.train_stories.stories.story.ne(0).sum(dim=1).tolist()
        told = [(range(length), ()) for length in lengths]
        return self._batches(
            self.train_stories, epoch_batches(told, self.course.batch, self.seed, number)
        )

    def loss(self, batch: StoryBatch) -> Loss:
        """What is taught, and the squares of the matrices."""
        batch = self._placed(batch)
        logits, looks = self.model(batch.story, batch.question)
        total = self.taught(batch, logits, looks)
        matrices = (part for part in self.model.parameters() if part.dim() > 1)
        squares = sum((part.square().sum() for part in matrices), start=total.new_zeros(()))
        return Loss(total + len(batch.answer) * self.decay / 2 * squares, len(batch.answer))

    def taught(
        self, batch: StoryBatch, logits: Logits, looks: Sequence[Attended]
    ) -> Float[Tensor, ""]:
        """The loss of all answers, and of the gates where they are taught."""
        told = cross_entropy(logits, batch.answer, reduction="none").sum()
        if self.course.guidance:
            told = told + self._gates(batch, looks)
        return told

    def validate(self) -> dict[str, float]:
        loss = wrong = 0.0
        for batch, logits, _ in self._judged():
            loss += float(cross_entropy(logits, batch.answer, reduction="sum"))
            wrong += int(logits.argmax(dim=1).ne(batch.answer).sum())
        count = len(self.valid_stories.order)
        return _judgement(loss / count, wrong / count)

    def _gates(self, batch: StoryBatch, looks: Sequence[Attended]) -> Float[Tensor, ""]:
        told = gate_supervision(looks, batch.support)
        return self.course.guidance * len(batch.answer) * told

    def _judged(self) -> Iterator[tuple[StoryBatch, Logits, Sequence[Attended]]]:
        """All of validation, with what the network makes of it."""
        rows = list(range(len(self.valid_stories.order)))
        batches = [rows[start : start + JUDGED] for start in range(0, len(rows), JUDGED)]
        for each in self._batches(self.valid_stories, batches):
            batch = self._placed(each)
            yield batch, *self.model(batch.story, batch.question)

    def _batches(self, given: Material, rows: list[list[int]]) -> Batches:
        return Batches(given, rows, int(getattr(self.model, "passes", 1)))

    def _placed(self, batch: StoryBatch) -> StoryBatch:
        device = next(self.model.parameters()).device
        return StoryBatch(*(part.to(device) for part in batch))


class Opening(Study):
    """What is learned before the stories themselves: once, in the order in which it grows.

    In batches half as large, and without dropout, with which it was found far more slowly.
    """

    def __init__(self, model: nn.Module, taught: Taught, course: "Studying", seed: int) -> None:
        if taught.before is None:
            raise ValueError("nothing is to be learned before these stories")
        super().__init__(model, taught._replace(train=taught.before), course, seed)

    def epoch(self, number: int) -> Sequence[StoryBatch]:
        count, size = len(self.train_stories.order), max(1, self.course.batch // 2)
        rows = [list(range(first, min(first + size, count))) for first in range(0, count, size)]
        return self._batches(self.train_stories, rows)

    def loss(self, batch: StoryBatch) -> Loss:
        self.model.eval()
        try:
            return super().loss(batch)
        finally:
            self.model.train()


class GateStudy(Study):
    """The gates alone: each pass is told its fact, and judged by whether it finds it."""

    def taught(
        self, batch: StoryBatch, logits: Logits, looks: Sequence[Attended]
    ) -> Float[Tensor, ""]:
        return self._gates(batch, looks)

    def validate(self) -> dict[str, float]:
        loss = wrong = told = 0.0
        for batch, _, looks in self._judged():
            there = batch.support >= 0
            found = torch.cat([seen.scores.argmax(dim=-1) for seen in looks], dim=-1)
            told += int(there.sum())
            wrong += int((there & (found != batch.support)).sum())
            loss += float(gate_supervision(looks, batch.support)) * int(there.sum())
        return _judgement(loss / max(told, 1), wrong / max(told, 1))


def _judgement(loss: float, wrong: float) -> dict[str, float]:
    return {"loss": loss, "error": 100 * wrong, "error and loss": 100 * wrong + loss}
