"""regard: every attention mechanism as score, normalise, blend, with weights that can be seen."""

from regard import masks, normalisers, scores, windows
from regard.attention import Attended, Attention, Hops, Look, Memory, MultiHead, Pooling, Watch
from regard.blends import Blend, Modulate, WeightedSum
from regard.losses import ScoreFunction
from regard.recording import record
from regard.running import load

__version__ = "0.1.0"

__all__ = [
    "Attended",
    "Attention",
    "Blend",
    "Hops",
    "Look",
    "Memory",
    "Modulate",
    "MultiHead",
    "Pooling",
    "ScoreFunction",
    "Watch",
    "WeightedSum",
    "load",
    "masks",
    "normalisers",
    "record",
    "scores",
    "windows",
]
