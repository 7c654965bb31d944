"""Knobs: the fields of a recipe and of its parts that a person may turn.

A recipe is a frozen dataclass made of frozen dataclasses. Every field made by ``knob`` is an option
of the command line; parts are looked through, so that an option has one short name.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import Field, field, fields, is_dataclass, replace
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeVar

Made = TypeVar("Made")
HELP, LIMITS, PATH = "about", "limits", "path"


class Limits(NamedTuple):
    """Between which numbers a knob may stand; the lower one it may reach."""

    least: int | float = -math.inf
    below: int | float = math.inf

    def check(self, name: str, value: int | float) -> None:
        """Raise where the value is outside; NaN is outside of everything."""
        if self.least <= value < self.below:
            return
        least = "" if self.least == -math.inf else f" {self.least:g} or more"
        below = " finite" if self.below == math.inf else f" below {self.below:g}"
        wanted = " and".join(part for part in (least, below) if part)
        raise ValueError(f"the knob {name!r} must be{wanted}, but was given {value!r}")


class Knob(NamedTuple):
    """One option: its name, its value as the recipe has it, and what it does."""

    name: str
    value: Any
    about: str
    limits: Limits
    is_path: bool  # of a file or folder, or several


ANY_NUMBER = Limits()


def knob(default: Any, about: str, limits: Limits = ANY_NUMBER) -> Any:
    """A field that a person may turn, with its default, a line of help and its limits."""
    return field(default=default, metadata={HELP: about, LIMITS: limits, PATH: False})


def path_knob(default: Any, about: str) -> Any:
    """A field with a path, or with several: a run keeps them so that it goes on from any folder."""
    return field(default=default, metadata={HELP: about, LIMITS: ANY_NUMBER, PATH: True})


COUNT = Limits(1)  # at least one
SHARE = Limits(0, 1)  # of something, never all of it
POSITIVE = Limits(1e-12)
NOT_NEGATIVE = Limits(0)


def knobs_of(recipe: Any) -> dict[str, Knob]:
    """All knobs of a recipe and its parts, by name."""
    found: dict[str, Knob] = {}
    for part, each in _walk(recipe):
        if each.name in found:
            raise ValueError(f"two parts of {type(recipe).__name__} have a knob {each.name!r}")
        about, limits, is_path = (each.metadata[key] for key in (HELP, LIMITS, PATH))
        found[each.name] = Knob(each.name, getattr(part, each.name), about, limits, is_path)
    return found


def values_of(recipe: Any) -> dict[str, Any]:
    """The value of every knob, as plain data."""
    return {name: each.value for name, each in knobs_of(recipe).items()}


def turn(recipe: Made, values: Mapping[str, Any]) -> Made:
    """The recipe with some knobs turned; an unknown one is an error that names the nearest."""
    known = knobs_of(recipe)
    for name in values:
        if name not in known:
            raise ValueError(unknown(name, known))
    return _turned(recipe, {name: _like(known[name], values[name]) for name in values})


def unknown(name: str, known: Mapping[str, Any]) -> str:
    """What to say of a knob that is not there."""
    near = get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"there is no knob {name!r}{hint or ';'} the knobs are {', '.join(sorted(known))}"


def _walk(part: Any) -> Iterator[tuple[Any, Field[Any]]]:
    for each in fields(part):
        value = getattr(part, each.name)
        if HELP in each.metadata:
            yield part, each
        elif is_dataclass(value):
            yield from _walk(value)


def _turned(part: Any, values: Mapping[str, Any]) -> Any:
    changed = {}
    for each in fields(part):
        value = getattr(part, each.name)
        if HELP in each.metadata and each.name in values:
            changed[each.name] = values[each.name]
        elif HELP not in each.metadata and is_dataclass(value):
            changed[each.name] = _turned(value, values)
    return replace(part, **changed)


def _like(knob: Knob, value: Any) -> Any:
    """The value in the type of the default: JSON has no tuples, and 1 may stand for 1.0."""
    wanted = type(knob.value)
    if wanted is tuple and isinstance(value, list) and all(type(each) is str for each in value):
        return tuple(value)
    if wanted is float and type(value) is int:
        value = float(value)
    if type(value) is not wanted:
        raise ValueError(
            f"the knob {knob.name!r} is of type {wanted.__name__}, but was given {value!r}"
        )
    if wanted in (int, float):
        knob.limits.check(knob.name, value)
    return value
