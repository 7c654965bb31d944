"""regard: every attention mechanism as score, normalise, blend, with weights that can be seen."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from regard.surface import (
        Attended,
        Attention,
        AttentionRecurrence,
        Blend,
        GatedRecurrence,
        Hops,
        Look,
        Memory,
        Modulate,
        MultiHead,
        Pick,
        Pooling,
        ScoreFunction,
        StepwiseScoreFunction,
        Watch,
        WeightedSum,
        load,
        masks,
        normalisers,
        record,
        scores,
        windows,
    )

__version__ = "0.1.0"

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


def __getattr__(name: str) -> Any:
    """A public name, when it is first asked for: torch takes a second to import, help need not."""
    if name not in __all__:
        raise AttributeError(f"module 'regard' has no attribute {name!r}, only {sorted(__all__)}")
    from regard import surface

    return getattr(surface, name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
