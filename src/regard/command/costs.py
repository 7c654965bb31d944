"""``regard show --costs``: how well runs did as they were trained."""

import json
from argparse import Namespace
from pathlib import Path

from regard import ledger
from regard.command.legends import apart
from regard.recipes import RECIPES
from regard.running import find, knobs_in, opened

UNITS = {"bits": "bits per sequence", "wrong sequences": "wrong sequences (%)"}


def costs(given: Namespace) -> int:
    """Draw the validation number of one run or several against the examples that they had seen.

    Figures 3, 7, 10, 13 and 18 of Neural Turing Machines, Graves, Wayne, Danihelka 2014.
    """
    from regard.viewing import draw_curves, save
    from regard.viewing.figures import empty_figure

    runs = [given.run, *given.inputs]
    found = [validations(name) for name in runs]
    recipes, judged_by, curves = zip(*found, strict=True)
    metrics = dict.fromkeys(judged_by)
    if len(metrics) > 1:
        raise ValueError(
            f"these runs were judged by different numbers, {', '.join(metrics)}; draw each by "
            "itself"
        )
    figure = empty_figure((6.5, 3.6))
    metric = next(iter(metrics))
    draw_curves(
        figure.add_subplot(),
        dict(zip(apart(runs, recipes), curves, strict=True)),
        across="examples seen (thousands)",
        up=UNITS.get(metric, metric),
        level=least(runs),
    )
    print(save(figure, given.to))
    return 0


def validations(run: str) -> tuple[str, str, dict[float, float]]:
    """The recipe of a run, what it was judged by, and that number by thousands of examples.

    Of some recipes a curve of ours is kept, which their names stand for; it is called by the knobs
    that its run had.
    """
    if (kept := _kept(run)) is not None:
        entry = json.loads(kept.read_text(encoding="utf-8"))
        curve = {float(seen): float(value) for seen, value in entry["curve"]}
        named = entry["command"].removeprefix("regard train ").partition(" --seed")[0]
        return named, entry["metric"], curve
    folder = find(run)
    recipe, knobs = knobs_in(folder)
    path = folder / "metrics.jsonl"
    if not path.is_file():
        raise ValueError(
            f"there is no {path}: of these weights, which come with the package, no curve was kept"
        )
    metric, curve = "", {}
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if judged := entry.get("validation"):
            metric = next(iter(judged))
            curve[entry["step"] * knobs["batch"] / 1_000] = judged[metric]
    if not curve:
        raise ValueError(f"{Path(run)} has not been judged yet: there is no curve to draw")
    return recipe, metric, curve


def least(runs: list[str]) -> tuple[float, str] | None:
    """What nobody can do better than, where all runs were judged by the same and that is known."""
    recipes = [RECIPES[run] if _kept(run) is not None else opened(find(run)) for run in runs]
    known = {getattr(recipe, "least", lambda: None)() for recipe in recipes}
    only = known.pop() if len(known) == 1 else None
    return None if only is None else (only, "the best guesses")


def _kept(run: str) -> Path | None:
    """The curve that is kept of a recipe, unless a run folder has that name."""
    path = ledger.folder() / "curves" / f"{run}.json"
    is_run = (Path(run) / "knobs.json").is_file()
    return path if run in RECIPES and not is_run and path.is_file() else None
