"""Normalisers that can give exactly zero to keys that score too low."""

from regard.kernels import entmax15, sparsemax
from regard.normalisers.base import Normaliser
from regard.shapes import Mask, Scores, Weights


class Sparsemax(Normaliser):
    """The point of the probability simplex nearest to the scores; low scores get exactly zero.

    w_j = max(s_j - tau, 0) with tau such that the weights sum to one. From Softmax to Sparsemax,
    Martins, Astudillo 2016, eq. (2). https://arxiv.org/abs/1602.02068

    >>> import torch
    >>> Sparsemax()(torch.tensor([[-2.0, 0.0, 0.5]]))
    tensor([[0.0000, 0.2500, 0.7500]])
    """

    def forward(self, scores: Scores, mask: Mask | None = None) -> Weights:
        """max(s - tau, 0)."""
        return sparsemax.sparsemax(scores, mask)


class Entmax15(Normaliser):
    """Between softmax and sparsemax: smooth, and low scores still get exactly zero.

    w_j = max(s_j / 2 - tau, 0)^2 with tau such that the weights sum to one. Sparse
    Sequence-to-Sequence Models, Peters, Niculae, Martins 2019, alpha = 1.5.
    https://arxiv.org/abs/1905.05702
    """

    def forward(self, scores: Scores, mask: Mask | None = None) -> Weights:
        """max(s / 2 - tau, 0)^2."""
        return entmax15.entmax15(scores, mask)
