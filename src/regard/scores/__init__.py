"""Scores: how well each key fits each query. They add with ``+``."""

from regard.scores.alone import FromKey, FromQuery
from regard.scores.base import Score, Sum
from regard.scores.distances import Distance, Euclidean, InverseDistance
from regard.scores.gates import GateScore, InteractionScore
from regard.scores.networks import Additive, Concat, HiddenLayer
from regard.scores.products import Cosine, Dot, General, InnerProduct, ScaledDot

__all__ = [
    "Additive",
    "Concat",
    "Cosine",
    "Distance",
    "Dot",
    "Euclidean",
    "FromKey",
    "FromQuery",
    "GateScore",
    "General",
    "HiddenLayer",
    "InnerProduct",
    "InteractionScore",
    "InverseDistance",
    "ScaledDot",
    "Score",
    "Sum",
]
