"""Using a trained run from Python."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def load(run: str | Path) -> Callable[..., Any]:
    """The trained model of a run folder, ready to be called: ``load("runs/my-run")("a sentence")``.

    Reads ``knobs.json`` and the weights beside it; never a pickle.
    """
    from regard.recipes import RECIPES

    folder = Path(run)
    knobs = folder / "knobs.json"
    if not knobs.is_file():
        raise ValueError(
            f"{str(run)!r} is not a run folder: there is no file {knobs}; a run folder is what "
            "training writes, with knobs.json and model.safetensors in it"
        )
    recipe = json.loads(knobs.read_text(encoding="utf-8")).get("recipe")
    if recipe not in RECIPES:
        raise ValueError(
            f"{knobs} names the recipe {recipe!r}, which this version of regard does not have; "
            f"it has {sorted(RECIPES) or 'none yet'}"
        )
    return RECIPES[recipe].load(folder)
