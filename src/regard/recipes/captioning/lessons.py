"""What a captioner is taught by one batch of captions of equal length."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from jaxtyping import Float, Int, Num
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from regard.attention import Attended
from regard.losses import ScoreFunction, doubly_stochastic
from regard.models import Captioner, Encoded
from regard.tasks import PADDING
from regard.training import Loss


class CaptionBatch(NamedTuple):
    """Images and a caption of each, all captions of one length."""

    inputs: Num[Tensor, "batch ..."]
    sizes: Int[Tensor, "batch 2"]
    words: Int[Tensor, "batch word"]  # beginning, then the words
    following: Int[Tensor, "batch word"]  # the words, then the end


class Lesson(nn.Module, ABC):
    """The loss of a batch; what it remembers from batch to batch is kept with the model."""

    def __init__(self, smoothing: float) -> None:
        super().__init__()
        self.smoothing = smoothing

    def forward(self, model: Captioner, batch: CaptionBatch) -> Loss:
        """Cross-entropy of the words, and what the kind of attention adds to it."""
        encoded = model.encoder(batch.inputs, batch.sizes)
        logits, looks = model.decoder(encoded, batch.words)
        losses = self._cross_entropy(logits, batch.following, self.smoothing)
        more = self.further(encoded, batch, logits, looks)
        return Loss(losses.sum() + more, int((batch.following != PADDING).sum()))

    @abstractmethod
    def further(
        self, encoded: Encoded, batch: CaptionBatch, logits: Tensor, looks: list[Attended]
    ) -> Float[Tensor, ""]:
        """What is added to the cross-entropy, summed over the examples."""

    @staticmethod
    def _cross_entropy(
        logits: Float[Tensor, "batch word vocabulary"],
        following: Int[Tensor, "batch word"],
        smoothing: float,
    ) -> Float[Tensor, "batch word"]:
        return cross_entropy(
            logits.mT,
            following,
            ignore_index=PADDING,
            label_smoothing=smoothing,
            reduction="none",
        )


class SoftLesson(Lesson):
    """-log p(y | a) + lambda sum_i (1 - sum_t alpha_ti)^2. Xu et al. 2015, eq. (14)."""

    def __init__(self, smoothing: float, penalty: float) -> None:
        super().__init__(smoothing)
        self.penalty = penalty

    def further(
        self, encoded: Encoded, batch: CaptionBatch, logits: Tensor, looks: list[Attended]
    ) -> Float[Tensor, ""]:
        if self.penalty == 0:
            return logits.new_zeros(())
        weights = torch.cat([seen.weights for seen in looks], dim=-2)
        said = batch.following != PADDING
        return self.penalty * doubly_stochastic(weights, said, encoded.mask).sum()


class HardLesson(Lesson):
    """The variational lower bound, by the score function with a moving-average baseline.

    What the draws are taught by has no value of its own: the loss that is shown is that of the
    words. A draw for filling would be rewarded, too, so filling is refused.
    """

    def __init__(self, smoothing: float, reward_weight: float, entropy_weight: float) -> None:
        super().__init__(smoothing)
        self.score_function = ScoreFunction(reward_weight, entropy_weight)

    def further(
        self, encoded: Encoded, batch: CaptionBatch, logits: Tensor, looks: list[Attended]
    ) -> Float[Tensor, ""]:
        if bool((batch.following == PADDING).any()):
            raise ValueError("hard attention is taught by captions of one length, without filling")
        reward = -self._cross_entropy(logits.detach(), batch.following, 0.0).sum(dim=1)
        taught: Tensor = self.score_function(reward, looks) * len(reward)
        return taught - taught.detach()
