"""Knobs: found in all parts of a recipe, turned by name, never silently wrong."""

from dataclasses import dataclass

import pytest

from regard.recipes import RECIPES, knobs_of, turn, values_of
from regard.recipes.knobs import COUNT, SHARE, knob


@dataclass(frozen=True)
class Part:
    width: int = knob(3, "how wide", COUNT)
    share: float = knob(0.5, "how much", SHARE)


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
    assert values_of(turn(WHOLE, {"share": 0}))["share"] == 0.0
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


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"width": 0}, "'width' must be 1 or more and finite, but was given 0"),
        ({"share": 1}, "'share' must be 0 or more and below 1, but was given 1.0"),
        ({"share": float("nan")}, "'share' must be 0 or more and below 1, but was given nan"),
        ({"files": [3]}, r"'files' is of type tuple, but was given \[3\]"),
    ],
)
def test_a_value_outside_its_limits_is_refused_with_the_limits(values, message):
    with pytest.raises(ValueError, match=message):
        turn(WHOLE, values)


def test_every_number_of_every_recipe_stands_within_its_own_limits():
    for recipe in RECIPES.values():
        assert turn(recipe, values_of(recipe)) == recipe


@pytest.mark.parametrize(
    ("knob", "value", "limits"),
    [
        ("state_size", -3, "1 or more"),
        ("pairs", 0, "1 or more"),
        ("batch", 0, "1 or more"),
        ("dropout", 1.5, "0 or more and below 1"),
    ],
)
def test_a_translator_refuses_numbers_that_make_no_sense(knob, value, limits):
    with pytest.raises(ValueError, match=f"'{knob}' must be {limits}"):
        turn(RECIPES["rnnsearch-directions"], {knob: value})
