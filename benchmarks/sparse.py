"""Sparse normalisers against softmax, and what the entmax package costs."""

from collections.abc import Callable

import entmax
import torch
from torch import Tensor

from measuring import Comparison, Work
from regard.normalisers import Entmax15, Sparsemax


def works(ours: Callable[[Tensor], Tensor]) -> tuple[Work, Work]:
    """Forward and backward over rows of 128 scores."""
    torch.manual_seed(0)
    scores = torch.randn(64, 8, 128, 128, requires_grad=True)
    weighting = torch.randn_like(scores)

    def step(weights: Tensor) -> None:
        scores.grad = None
        weights.backward(weighting)  # type: ignore[no-untyped-call]

    return lambda: step(scores.softmax(dim=-1)), lambda: step(ours(scores))


SOFTMAX = "torch.softmax"
COMPARISONS = [
    Comparison("sparsemax, 64x8x128x128", SOFTMAX, lambda: works(Sparsemax()), at_most=2),
    Comparison("entmax15, 64x8x128x128", SOFTMAX, lambda: works(Entmax15()), at_most=3),
    Comparison("entmax package, sparsemax", SOFTMAX, lambda: works(entmax.sparsemax)),
    Comparison("entmax package, entmax15", SOFTMAX, lambda: works(entmax.entmax15)),
]
