"""Knobs: found in all parts of a recipe, turned by name, never silently wrong."""

from dataclasses import dataclass

import pytest

from regard.recipes import RECIPES, knobs_of, turn, values_of
from regard.recipes.knobs import knob


@dataclass(frozen=True)
class Part:
    width: int = knob(3, "how wide")
    share: float = knob(0.5, "how much")


@dataclass(frozen=True)
class Whole:
    name: str
    part: Part
    files: tuple[str, ...] = knob((), "which files")


WHOLE = Whole("a name", Part())


def test_the_knobs_of_parts_are_knobs_of_the_whole_and_other_fields_are_not():
    assert values_of(WHOLE) == {"width": 3, "share": 0.5, "files": ()}
    assert knobs_of(WHOLE)["width"].about == "how wide"


def test_turning_a_knob_leaves_the_others_and_the_recipe_itself_as_they_were():
    turned = turn(WHOLE, {"width": 7, "files": ["a", "b"]})
    assert values_of(turned) == {"width": 7, "share": 0.5, "files": ("a", "b")}
    assert values_of(WHOLE)["width"] == 3
    assert turned.name == "a name"


def test_an_unknown_knob_is_an_error_that_names_the_nearest():
    with pytest.raises(ValueError, match="no knob 'widht'; did you mean 'width'"):
        turn(WHOLE, {"widht": 7})


def test_a_value_of_another_type_is_refused_but_a_whole_number_may_be_a_share():
    assert values_of(turn(WHOLE, {"share": 1}))["share"] == 1.0
    with pytest.raises(ValueError, match="'width' is of type int, but was given 'wide'"):
        turn(WHOLE, {"width": "wide"})
    with pytest.raises(ValueError, match="'width' is of type int, but was given True"):
        turn(WHOLE, {"width": True})


def test_two_parts_may_not_share_the_name_of_a_knob():
    @dataclass(frozen=True)
    class Clash:
        first: Part
        second: Part

    with pytest.raises(ValueError, match="two parts of Clash have a knob 'width'"):
        knobs_of(Clash(Part(), Part()))


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_has_knobs_with_help_a_seed_and_a_summary(name):
    knobs = knobs_of(RECIPES[name])
    assert "seed" in knobs
    assert all(each.about for each in knobs.values())
    assert RECIPES[name].summary
    assert all(isinstance(each.value, int | float | str | tuple) for each in knobs.values())
