"""``regard show --costs``: how well runs did as they were trained."""

import json
from argparse import Namespace
from pathlib import Path

from regard.running import find, knobs_in


def costs(given: Namespace) -> int:
    """Draw the validation number of one run or several against the examples that they had seen."""
    from regard.viewing import draw_curves, save
    from regard.viewing.figures import empty_figure

    found = [validations(name) for name in (given.run, *given.inputs)]
    metrics = dict.fromkeys(metric for _, metric, _ in found)
    if len(metrics) > 1:
        raise ValueError(
            f"these runs were judged by different numbers, {', '.join(metrics)}; draw each by "
            "itself"
        )
    figure = empty_figure((6.5, 3.6))
    curves = _named([(recipe, curve) for recipe, _, curve in found])
    draw_curves(
        figure.add_subplot(), curves, across="examples seen (thousands)", up=next(iter(metrics))
    )
    print(save(figure, given.to))
    return 0


def validations(run: str) -> tuple[str, str, dict[float, float]]:
    """The recipe of a run, what it was judged by, and that number by thousands of examples."""
    folder = find(run)
    recipe, knobs = knobs_in(folder)
    path = folder / "metrics.jsonl"
    if not path.is_file():
        raise ValueError(f"there is no {path}: weights that come with the package have no curve")
    metric, curve = "", {}
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if judged := entry.get("validation"):
            metric = next(iter(judged))
            curve[entry["step"] * knobs["batch"] / 1_000] = judged[metric]
    if not curve:
        raise ValueError(f"{Path(run)} has not been judged yet: there is no curve to draw")
    return recipe, metric, curve


def _named(found: list[tuple[str, dict[float, float]]]) -> dict[str, dict[float, float]]:
    """Each curve by its recipe, numbered where a recipe was run several times."""
    recipes = [recipe for recipe, _ in found]
    curves = {}
    for place, (recipe, curve) in enumerate(found):
        again = recipes[: place + 1].count(recipe)
        name = f"{recipe} ({again})" if recipes.count(recipe) > 1 else recipe
        curves[name] = curve
    return curves
