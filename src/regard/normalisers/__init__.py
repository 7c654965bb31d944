"""Normalisers: from scores to weights."""

from regard.normalisers.base import Normaliser
from regard.normalisers.hard import Gumbel, Hard, Mixed, StraightThrough
from regard.normalisers.soft import Proportional, Sigmoid, Softmax, Unchanged
from regard.normalisers.sparse import Entmax15, Sparsemax

__all__ = [
    "Entmax15",
    "Gumbel",
    "Hard",
    "Mixed",
    "Normaliser",
    "Proportional",
    "Sigmoid",
    "Softmax",
    "Sparsemax",
    "StraightThrough",
    "Unchanged",
]
