"""Knobs as options of the command line, there and back."""

from argparse import SUPPRESS, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from regard.recipes import Knob, Recipe, turn, values_of
from regard.recipes.knobs import unknown

PREFIX = "knob_"  # keeps a knob apart from the command's own options of the same name


def add_knob(group: Any, knob: Knob) -> None:
    """An option for a knob, of the type of its value."""
    flag, value = f"--{knob.name.replace('_', '-')}", knob.value
    if isinstance(value, tuple):
        group.add_argument(
            flag,
            dest=PREFIX + knob.name,
            nargs="+",
            type=absolute if knob.is_path else str,
            metavar="FILE",
            default=SUPPRESS,
            help=knob.about,
        )
        return
    kind = type(value)
    group.add_argument(
        flag,
        dest=PREFIX + knob.name,
        type=absolute if knob.is_path else kind,
        metavar="PATH" if knob.is_path else kind.__name__.upper(),
        default=SUPPRESS,
        help=knob.about if knob.is_path else f"{knob.about} (default: {value})",
    )


def absolute(path: str) -> str:
    """A path as a run keeps it, so that it goes on from any folder."""
    return str(Path(path).absolute())


def set_for_once(recipe: Recipe, words: Sequence[str]) -> Recipe:
    """The recipe with the knobs turned that ``--set KNOB=VALUE`` names."""
    known = values_of(recipe)
    values = {}
    for word in words:
        name, sign, text = word.partition("=")
        name = name.replace("-", "_")
        if not sign:
            raise ValueError(f"--set wants KNOB=VALUE, but was given {word!r}")
        if name not in known:
            raise ValueError(unknown(name, known))
        try:
            kind = type(known[name])
            values[name] = tuple(text.split(",")) if kind is tuple else kind(text)
        except ValueError as problem:
            wanted = "a whole number" if kind is int else "a number"
            raise ValueError(f"--set {word}: {name} is {wanted}, and {text!r} is none") from problem
    return turn(recipe, values)


def loaded(recipe: Recipe, folder: Path, words: Sequence[str]) -> Any:
    """The trained model of a run, with the knobs turned that ``--set`` names."""
    from regard.parameters import MisfitError

    changed = set_for_once(recipe, words)
    try:
        return changed.load(folder)
    except MisfitError as problem:
        if changed == recipe:
            raise
        raise ValueError(
            f"--set {' '.join(words)}: the weights in {folder} do not fit a model of other sizes; "
            "turn knobs of how it is used, such as beams, or train anew"
        ) from problem


def turned(given: Namespace) -> dict[str, Any]:
    """The knobs that were given on the command line."""
    return {
        name.removeprefix(PREFIX): tuple(value) if isinstance(value, list) else value
        for name, value in vars(given).items()
        if name.startswith(PREFIX)
    }
