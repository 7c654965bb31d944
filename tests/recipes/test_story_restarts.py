"""Some tasks may have more restarts than others."""

from dataclasses import replace

import pytest

from regard.recipes import RECIPES, turn
from regard.recipes.stories.data import ToldStories
from regard.recipes.stories.lessons import Apart, Together
from regard.recipes.stories.teaching import place_of, read_grade
from regard.training import RunFolder

MADE = ToldStories(Apart(), tasks="1,15", told=60, wording="babi")
TINY = {"size": 5, "epochs": 2, "linear_epochs": 0, "batch": 8, "side_by_side": 1}


def trained(folder, data=MADE, **knobs):
    recipe = turn(replace(RECIPES["memn2n-babi"], data=data), {**TINY, **knobs})
    run = RunFolder.create(folder, {})
    recipe.train(run, "cpu", (), "the same again")
    return recipe, run.path


def test_only_hard_tasks_have_all_restarts(tmp_path):
    recipe, run = trained(tmp_path / "run", restarts=3, hard="15", seed=4)
    assert [read_grade(place_of(run, "task 15", seed)) is None for seed in (4, 5, 6)] == [False] * 3
    assert [read_grade(place_of(run, "task 1", seed)) is None for seed in (4, 5)] == [False, True]
    found = {(each.metric, each.scope): each for each in recipe.evaluate(run)}
    assert len(found["error", "task 15"].restarts) == 3
    assert len(found["error", "task 1"].restarts) == 1
    firsts = found["error", "task 15"].restarts[0], found["error", "task 1"].restarts[0]
    assert found["error", "all"].restarts == [pytest.approx(sum(firsts) / 2)]
    assert found["error", "all"].selected_by == (
        "the lowest training error of 3 restarts of tasks 15, and the one restart of each other "
        "task"
    )


def test_hard_tasks_that_a_run_does_not_learn_are_left_out(tmp_path):
    _, run = trained(tmp_path / "run", restarts=2, hard="2,15")
    assert read_grade(place_of(run, "task 15", 1)) is not None


def test_a_network_of_all_tasks_has_no_hard_ones(tmp_path):
    together = ToldStories(Together(), tasks="1,15", told=60, wording="babi")
    message = r"--hard 2,15 names tasks of bAbI, but the lessons of this run are all tasks"
    with pytest.raises(ValueError, match=message):
        trained(tmp_path / "run", together, restarts=2, hard="2,15")
