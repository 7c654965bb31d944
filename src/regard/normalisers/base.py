"""What a normaliser is: scores in, weights out, and what is forbidden gets nothing."""

from abc import ABC, abstractmethod

from torch import nn

from regard.shapes import Mask, Scores, Weights


class Normaliser(nn.Module, ABC):
    """Turns the scores of each query into weights over its keys.

    It owns the mask, since each kind forbids in its own way; forbidden keys and queries that may
    see nothing get exactly zero.
    """

    @abstractmethod
    def forward(self, scores: Scores, mask: Mask | None = None) -> Weights:
        """The weights of each query over its keys."""
