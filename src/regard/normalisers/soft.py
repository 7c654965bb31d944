"""Normalisers that give something to every permitted key."""

from regard.masks import blank, hide
from regard.normalisers.base import Normaliser
from regard.shapes import Mask, Scores, Weights


class Softmax(Normaliser):
    """Every permitted key gets some weight; the weights of a row sum to one.

    w_j = exp(s_j) / sum_k exp(s_k), the sum over permitted keys.

    >>> import torch
    >>> Softmax()(torch.tensor([[1.0, 2.0, 3.0]]))
    tensor([[0.0900, 0.2447, 0.6652]])
    """

    def forward(self, scores: Scores, mask: Mask | None = None) -> Weights:
        """Exponentials over their sum."""
        return blank(hide(scores, mask).softmax(dim=-1), mask)


class Sigmoid(Normaliser):
    """Every key is judged for itself, between 0 and 1; the weights of a row need not sum to one.

    w_j = 1 / (1 + exp(-s_j)). For masks over channels and pixels, and for gates.
    """

    def forward(self, scores: Scores, mask: Mask | None = None) -> Weights:
        """The logistic function of each score."""
        return blank(scores.sigmoid(), mask)


class Proportional(Normaliser):
    """Weights in proportion to scores that are similarities already: w_j = s_j / sum_k s_k.

    A similarity below zero counts as none; a row without any gets zero weights.

    >>> import torch
    >>> Proportional()(torch.tensor([[1 / 60, 1 / 40]]))
    tensor([[0.4000, 0.6000]])
    """

    def forward(self, scores: Scores, mask: Mask | None = None) -> Weights:
        """Each similarity's share of the row's."""
        similarity = blank(scores, mask).relu()
        if similarity.shape[-1] == 0:
            return similarity
        highest = similarity.detach().amax(dim=-1, keepdim=True)
        shares = similarity / highest.where(highest != 0, 1)  # first, so that no sum overflows
        total = shares.sum(dim=-1, keepdim=True)
        return shares / total.where(total != 0, 1)


class Unchanged(Normaliser):
    """The scores themselves are the weights; forbidden keys get zero.

    For MemN2N's linear start and for match matrices that go on as features.
    """

    def forward(self, scores: Scores, mask: Mask | None = None) -> Weights:
        """The scores, blanked."""
        return blank(scores, mask)
