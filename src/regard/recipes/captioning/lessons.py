"""What a captioner is taught by one batch of captions of equal length."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import NamedTuple, cast

import torch
from jaxtyping import Bool, Float, Int, Num
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from regard.attention import Attended
from regard.losses import StepwiseScoreFunction, doubly_stochastic
from regard.masks import hide
from regard.models import Captioner, Encoded
from regard.tasks import PADDING
from regard.training import Loss


class CaptionBatch(NamedTuple):
    """Images and a caption of each, all captions of one length."""

    inputs: Num[Tensor, "batch ..."]
    sizes: Int[Tensor, "batch 2"]
    words: Int[Tensor, "batch word"]  # beginning, then the words
    following: Int[Tensor, "batch word"]  # the words, then the end
    boxes: Int[Tensor, "batch word 4"]  # of what each word names; all zero if nothing, or unknown


class Term(nn.Module, ABC):
    """What is added to the cross-entropy of the words."""

    def begin(self, model: Captioner, epoch: int) -> None:
        """Make the model ready for a batch; most terms have nothing to do."""

    def ready(self, epoch: int) -> bool:
        """Whether a model that was taught so far may be kept."""
        return True

    @abstractmethod
    def forward(
        self, encoded: Encoded, batch: CaptionBatch, logits: Tensor, looks: list[Attended]
    ) -> Float[Tensor, ""]:
        """Summed over the examples."""


class Lesson(nn.Module):
    """The loss of a batch; what its terms remember from batch to batch is kept with the model."""

    def __init__(self, smoothing: float, terms: Iterable[Term] = ()) -> None:
        super().__init__()
        self.smoothing = smoothing
        self.terms = nn.ModuleList(terms)
        self.epoch = 1

    @property
    def ready(self) -> bool:
        """Whether a model that was taught so far may be kept."""
        return all(cast(Term, term).ready(self.epoch) for term in self.terms)

    def forward(self, model: Captioner, batch: CaptionBatch) -> Loss:
        """Cross-entropy of the words, and all terms."""
        for term in self.terms:
            cast(Term, term).begin(model, self.epoch)
        encoded = model.encoder(batch.inputs, batch.sizes)
        logits, looks = model.decoder(encoded, batch.words)
        total = _cross_entropy(logits, batch.following, self.smoothing).sum()
        for term in self.terms:
            total = total + term(encoded, batch, logits, looks)
        return Loss(total, int((batch.following != PADDING).sum()))


class Doubly(Term):
    """lambda sum_i (1 - sum_t alpha_ti)^2. Xu et al. 2015, eq. (14)."""

    def __init__(self, weight: float) -> None:
        super().__init__()
        self.weight = weight

    def forward(
        self, encoded: Encoded, batch: CaptionBatch, logits: Tensor, looks: list[Attended]
    ) -> Float[Tensor, ""]:
        weights = torch.cat([seen.weights for seen in looks], dim=-2)
        said = batch.following != PADDING
        return self.weight * doubly_stochastic(weights, said, encoded.mask).sum()


class Draws(Term):
    """The variational lower bound, by the score function with a moving-average baseline.

    A coin is tossed for each batch: with the share ``expected`` all its looks take the expectation
    (the released code does so; the paper speaks of a coin for each image), as all do in the first
    ``soft_epochs``, which the paper has not. Every draw is credited with the words from its own on.
    What the draws are taught by has no value of its own: the loss that is shown is that of the
    words. A draw for filling would be rewarded, too, so filling is refused.
    """

    def __init__(
        self,
        reward_weight: float,
        entropy_weight: float,
        expected: float = 0.5,
        soft_epochs: int = 0,
    ) -> None:
        super().__init__()
        self.score_function = StepwiseScoreFunction(reward_weight, entropy_weight)
        self.expected = expected
        self.soft_epochs = soft_epochs

    def begin(self, model: Captioner, epoch: int) -> None:
        toss = float(torch.rand(()))
        model.mix(float(epoch <= self.soft_epochs or toss < self.expected))

    def ready(self, epoch: int) -> bool:
        return epoch > self.soft_epochs  # what has drawn nothing yet is no hard attention

    def forward(
        self, encoded: Encoded, batch: CaptionBatch, logits: Tensor, looks: list[Attended]
    ) -> Float[Tensor, ""]:
        if bool((batch.following == PADDING).any()):
            raise ValueError("hard attention is taught by captions of one length, without filling")
        reward = -_cross_entropy(logits.detach(), batch.following, 0.0)
        taught: Tensor = self.score_function(reward, looks) * len(reward)
        return taught - taught.detach()


class Pointing(Term):
    """Where to look: -weight log sum_{i in box} p_i for every word that names a thing.

    p is the softmax of the scores, whatever the look then makes of it, and the sum runs over the
    cells that the thing's box touches. The same lesson that a translator has by its true
    alignment (``regard.recipes.translation.lessons.NextWordAndLook``); no paper's loss.
    """

    def __init__(self, weight: float) -> None:
        super().__init__()
        self.weight = weight

    def forward(
        self, encoded: Encoded, batch: CaptionBatch, logits: Tensor, looks: list[Attended]
    ) -> Float[Tensor, ""]:
        if encoded.grid is None:
            raise ValueError("looks can be taught by boxes only where the encoder gives a grid")
        scores = torch.cat([seen.scores for seen in looks], dim=-2)
        logs = hide(scores, encoded.mask).log_softmax(dim=-1)
        touched = cells_touched(batch.boxes, batch.sizes, encoded.grid)
        found = hide(logs, touched).logsumexp(dim=-1)[touched.any(dim=-1)]
        return -self.weight * found.sum()


def cells_touched(
    boxes: Int[Tensor, "batch word 4"], sizes: Int[Tensor, "batch 2"], grid: tuple[int, int]
) -> Bool[Tensor, "batch word cell"]:
    """Which cells of a grid over the whole image each box covers any part of."""
    sides = []
    for side, count in enumerate(grid):
        edges = torch.arange(count + 1, device=boxes.device) * sizes[:, side, None] / count
        edges = edges.unsqueeze(1)
        first, last = boxes[..., side, None], boxes[..., side + 2, None]
        sides.append((edges[..., 1:] > first) & (edges[..., :-1] < last))
    down, across = sides
    return (down.unsqueeze(-1) & across.unsqueeze(-2)).flatten(-2)


def _cross_entropy(
    logits: Float[Tensor, "batch word vocabulary"],
    following: Int[Tensor, "batch word"],
    smoothing: float,
) -> Float[Tensor, "batch word"]:
    each = cross_entropy(
        logits.flatten(0, 1),
        following.flatten(),
        ignore_index=PADDING,
        label_smoothing=smoothing,
        reduction="none",
    )
    return each.view_as(following)
