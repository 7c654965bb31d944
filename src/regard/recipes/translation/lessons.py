"""What a translator is taught by one batch: the next word, and perhaps where to look for it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

import torch
from jaxtyping import Bool, Int
from torch import Tensor
from torch.nn.functional import cross_entropy

from regard.models import Translator
from regard.tasks import PADDING, Batch, collate
from regard.tasks.batches import Numbered
from regard.tasks.pairs import Alignment
from regard.training import Loss

AnyBatch = TypeVar("AnyBatch", bound=tuple[Tensor, ...])
SMALLEST = 1e-6  # a weight is taken for at least this, so that its logarithm stays finite


class Lesson(ABC, Generic[AnyBatch]):
    """Pairs as numbers, and the loss of a batch of them."""

    pairs: Sequence[Numbered]

    @abstractmethod
    def batch(self, positions: Sequence[int]) -> AnyBatch:
        """The pairs at these positions, padded."""

    @abstractmethod
    def loss(self, model: Translator, batch: AnyBatch) -> Loss:
        """The loss of a batch on the model's device, summed over the target's entries."""


class NextWord(Lesson[Batch]):
    """The word that comes next, by cross-entropy with smoothed labels."""

    def __init__(self, pairs: Sequence[Numbered], smoothing: float) -> None:
        self.pairs = pairs
        self.smoothing = smoothing

    def batch(self, positions: Sequence[int]) -> Batch:
        return collate([self.pairs[position] for position in positions])

    def loss(self, model: Translator, batch: Batch) -> Loss:
        logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
        total = smoothed(logits, batch.target_out, self.smoothing)
        return Loss(total, int(batch.target_lengths.sum()))


class LinkedBatch(NamedTuple):
    """A batch whose true alignment is known."""

    source: Int[Tensor, "batch source"]
    source_lengths: Int[Tensor, " batch"]
    target_in: Int[Tensor, "batch target"]
    target_out: Int[Tensor, "batch target"]
    target_lengths: Int[Tensor, " batch"]
    links: Bool[Tensor, "batch target source"]


class NextWordAndLook(Lesson[LinkedBatch]):
    """The next word, and the source words that it comes from.

    Adds -weight log sum_j in links(i) w_ij for every target word i that has a link. Guided
    Alignment Training for Topic-Aware Neural Machine Translation, Chen, Matusov, Khadivi, Peter
    2016, section 3, https://arxiv.org/abs/1607.01628, with their cross-entropy against the mean of
    the links replaced by that of their sum: a look may choose among the words it belongs to.
    """

    def __init__(
        self,
        pairs: Sequence[Numbered],
        alignments: Sequence[Alignment],
        smoothing: float,
        weight: float,
    ) -> None:
        self.words = NextWord(pairs, smoothing)
        self.pairs = pairs
        self.alignments = alignments
        self.weight = weight

    def batch(self, positions: Sequence[int]) -> LinkedBatch:
        batch = self.words.batch(positions)
        links = torch.zeros(*batch.target_out.shape, batch.source.shape[1], dtype=torch.bool)
        for row, position in enumerate(positions):
            for target, source in self.alignments[position]:
                links[row, target, source] = True
        return LinkedBatch(*batch, links)

    def loss(self, model: Translator, batch: LinkedBatch) -> Loss:
        logits, looks = model(batch.source, batch.source_lengths, batch.target_in)
        weights = model.decoder.alignments(looks)  # type: ignore[operator]
        found = (weights * batch.links).sum(dim=-1)[batch.links.any(dim=-1)]
        missed = -found.clamp(min=SMALLEST).log().sum()
        total = smoothed(logits, batch.target_out, self.words.smoothing) + self.weight * missed
        return Loss(total, int(batch.target_lengths.sum()))


def smoothed(logits: Tensor, wanted: Int[Tensor, "batch target"], smoothing: float) -> Tensor:
    """Cross-entropy with smoothed labels, summed over all but the padding."""
    return cross_entropy(
        logits.flatten(0, 1),
        wanted.flatten(),
        ignore_index=PADDING,
        label_smoothing=smoothing,
        reduction="sum",
    )
