"""Recipes: one file, one experiment that anyone can repeat."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol


class Recipe(Protocol):
    """What a recipe can do."""

    @staticmethod
    def load(folder: Path) -> Callable[..., Any]:
        """The trained model of a run folder of this recipe, ready to be called."""


RECIPES: dict[str, type[Recipe]] = {}
