"""The public names of ``regard``, each from its room."""

from regard import masks, normalisers, scores, windows
from regard.attention import Attended, Attention, Hops, Look, Memory, MultiHead, Pooling, Watch
from regard.blends import (
    AttentionRecurrence,
    Blend,
    GatedRecurrence,
    Modulate,
    Pick,
    WeightedSum,
)
from regard.losses import ScoreFunction, StepwiseScoreFunction
from regard.recording import record
from regard.running import load

__all__ = [
    "Attended",
    "Attention",
    "AttentionRecurrence",
    "Blend",
    "GatedRecurrence",
    "Hops",
    "Look",
    "Memory",
    "Modulate",
    "MultiHead",
    "Pick",
    "Pooling",
    "ScoreFunction",
    "StepwiseScoreFunction",
    "Watch",
    "WeightedSum",
    "load",
    "masks",
    "normalisers",
    "record",
    "scores",
    "windows",
]
