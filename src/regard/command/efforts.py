"""``regard show --ponder`` and ``--difficulty``: how long networks think, and what it brings."""

from argparse import Namespace
from typing import TYPE_CHECKING, NamedTuple

from regard.command.legends import apart
from regard.command.measures import numbers_of
from regard.running import find, knobs_in

if TYPE_CHECKING:
    from collections.abc import Callable

PONDER, WRONG = "ponder", "wrong sequences"  # as the recipes measure them
STEPS, ERRORS = "steps on an input", "wrong sequences (%)"


class Effort(NamedTuple):
    """A run that was measured: its name, and its numbers by what they are of."""

    name: str
    unit: str  # of the difficulty
    steps: dict[str, float]  # by scope
    errors: dict[str, float]

    def curve(self, pick: "Callable[[Effort], dict[str, float]]") -> dict[float, float]:
        """A number by difficulty."""
        found = ((scope.split()[0], value) for scope, value in pick(self).items() if scope != "all")
        return {float(place): value for place, value in found}


def ponder(given: Namespace) -> int:
    """Draw how often runs are wrong against how long they think, a dot for each.

    As in figure 5 of Adaptive Computation Time, Graves 2016, and those of its other tasks.
    """
    from regard.viewing import draw_dots, save
    from regard.viewing.figures import empty_figure

    dots: dict[str, list[tuple[float, float]]] = {}
    for run in (given.run, *given.inputs):
        one = effort(run)
        dots.setdefault(one.name, []).append((one.steps["all"], one.errors["all"]))
    figure = empty_figure((6.5, 3.6))
    draw_dots(figure.add_subplot(), dots, across=STEPS, up=ERRORS)
    print(save(figure, given.to))
    return 0


def hard(given: Namespace) -> int:
    """Draw how long runs think, and how often they are wrong, against how hard an input is.

    Figures 6, 10, 14 and 19 of Adaptive Computation Time, Graves 2016.
    """
    from regard.viewing import draw_curves, save
    from regard.viewing.figures import empty_figure

    runs = [given.run, *given.inputs]
    found = [effort(run) for run in runs]
    names = apart(runs, [one.name for one in found])
    units = dict.fromkeys(one.unit for one in found)
    if len(units) > 1:
        raise ValueError(
            f"these runs are tested by different difficulties, {', '.join(units)}; draw each by "
            "itself"
        )
    unit = next(iter(units))
    if not unit:
        raise ValueError(f"{given.run} was measured at no difficulty by itself")
    figure = empty_figure((8.5, 3.4))
    figure.set_layout_engine("constrained")
    picks = ((lambda one: one.steps, STEPS), (lambda one: one.errors, ERRORS))
    places = figure.subplots(1, 2)
    for axes, (pick, up) in zip(places, picks, strict=True):
        curves = {name: one.curve(pick) for name, one in zip(names, found, strict=True)}
        draw_curves(axes, curves, across=f"difficulty ({unit})", up=up)
    places[1].get_legend().remove()  # that of the first is for both
    print(save(figure, given.to))
    return 0


def effort(run: str) -> Effort:
    """What was measured of a run that ponders, by ``regard evaluate`` or for the ledger."""
    recipe, knobs = knobs_in(find(run))
    found = numbers_of(run)
    steps, errors = (
        {each.scope: each.value for each in found if each.metric == wanted}
        for wanted in (PONDER, WRONG)
    )
    if "all" not in steps or "all" not in errors:
        raise ValueError(
            f"{run} is of the recipe {recipe}, which does not ponder: there is no {PONDER!r} and "
            f"no {WRONG!r} among its numbers"
        )
    units = [scope.split()[-1] for scope in steps if scope != "all"]
    penalty = knobs.get("time_penalty")
    name = recipe if penalty is None else f"{recipe}, tau {penalty:g}"
    return Effort(name, units[0] if units else "", steps, errors)
