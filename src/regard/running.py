"""Trained runs: finding them, opening them, using them from Python."""

import json
from collections.abc import Mapping
from difflib import get_close_matches
from glob import escape
from pathlib import Path
from typing import Any

from regard.recipes import RECIPES, Recipe, Runner, turn

SHIPPED = Path(__file__).parent / "weights"  # small trained runs that come with the package


def load(run: str | Path) -> Runner:
    """The trained model of a run, ready to be called: ``load("runs/my-run")("a sentence")``.

    ``run`` is a run folder, or the name of a recipe whose weights come with the package. Reads
    ``knobs.json`` and the weights beside it; never a pickle.
    """
    folder = find(run)
    return opened(folder).load(folder)


def find(run: str | Path) -> Path:
    """The folder of a run, given by its path or by the name of a shipped recipe."""
    folder = Path(run)
    if (folder / "knobs.json").is_file():
        return folder
    if str(run) in shipped():
        return SHIPPED / str(run)
    if str(run) in RECIPES:
        raise ValueError(
            f"the recipe {str(run)!r} has no weights in the package; train it first by: "
            f"regard train {run}"
        )
    if not folder.exists():
        raise ValueError(
            f"there is no run {str(run)!r}{_meant(folder)}; give the folder that regard train "
            f"wrote, or one of the recipes that come trained: {', '.join(shipped()) or 'none'}"
        )
    raise ValueError(
        f"{str(run)!r} is not a run folder: there is no file {folder / 'knobs.json'}; a run "
        "folder is what regard train writes, with knobs.json and model.safetensors in it"
    )


def _meant(folder: Path) -> str:
    """What is there instead: runs of several seeds, or a name that is near."""
    seeds = sorted(str(each) for each in folder.parent.glob(f"{escape(folder.name)}-seed-*"))
    if seeds:
        return f", but there is {', '.join(seeds)}"
    near = get_close_matches(str(folder), [*shipped(), *RECIPES], n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def opened(folder: Path) -> Recipe:
    """The recipe of a run folder, its knobs turned as they were for the run."""
    name, values = knobs_in(folder)
    return turn(RECIPES[name], values)


def knobs_in(folder: Path) -> tuple[str, Mapping[str, Any]]:
    """The name of the recipe of a run folder, and the knobs."""
    path = folder / "knobs.json"
    try:
        knobs = json.loads(path.read_text(encoding="utf-8"))
        name = knobs.pop("recipe", None)
    except (ValueError, AttributeError, TypeError) as problem:
        raise ValueError(f"{path} is not the JSON that training wrote: {problem}") from problem
    if not isinstance(name, str) or name not in RECIPES:
        raise ValueError(
            f"{path} names the recipe {name!r}, which this version of regard does not have; "
            f"it has {', '.join(RECIPES)}"
        )
    return name, knobs


def shipped() -> list[str]:
    """The recipes whose weights come with the package."""
    return sorted(path.parent.name for path in SHIPPED.glob("*/knobs.json"))
