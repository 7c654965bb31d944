"""What papers have of the tests of machines, beside what was measured."""

import pytest

from regard.recipes import RECIPES, Measured, turn
from regard.recipes.endless import Endless
from regard.recipes.measured import Published, beside

MACHINES = [name for name, recipe in RECIPES.items() if isinstance(recipe, Endless)]
KNOWN = {("test", "bits"): Published(2.5, "read off a curve")}


def one(**changes):
    given = {"split": "test", "metric": "bits", "value": 3.0, "unit": "bits", "better": "lower"}
    return Measured(**{**given, **changes})


def test_the_papers_number_and_how_it_was_come_by_stand_beside_ours():
    (found,) = beside([one(note="mean over 5")], KNOWN)
    assert (found.value, found.paper) == (3.0, 2.5)
    assert found.note == "mean over 5; read off a curve"


@pytest.mark.parametrize("changes", [{"split": "other"}, {"metric": "steps"}, {"scope": "3 bits"}])
def test_another_test_metric_or_part_of_a_test_has_no_number_of_the_papers(changes):
    assert beside([one(**changes)], KNOWN) == [one(**changes)]


@pytest.mark.parametrize("name", MACHINES)
def test_what_is_published_is_of_a_test_that_the_recipe_has(name):
    recipe = RECIPES[name]
    assert recipe.published
    if hasattr(recipe.data, "tests"):
        metrics = {*recipe.data.metrics, *(["bits above the best guess"] * ("ngrams" in name))}
        tests = {(test, each) for test in recipe.data.tests() for each in metrics}
    else:
        tests = {(recipe.data.test, "wrong sequences")}
    assert recipe.published.keys() <= tests


@pytest.mark.parametrize(
    ("name", "smaller"),
    [
        ("act-parity", {"numbers": 16}),
        ("act-logic", {"gates": 3}),
        ("act-addition", {"digits": 3}),
        ("act-sort", {"longest": 7}),
    ],
)
def test_a_smaller_task_is_not_compared_with_the_papers(name, smaller):
    recipe = turn(RECIPES[name], smaller)
    measured = one(split=recipe.data.test, metric="wrong sequences")
    assert beside([measured], recipe.published) == [measured]


def test_copying_is_known_by_how_far_beyond_its_training_it_is_right():
    practice = RECIPES["ntm-copy"].data
    assert next(iter(practice.tests())) == "length 120"
    assert practice.metrics[0] == "wrong bits"
