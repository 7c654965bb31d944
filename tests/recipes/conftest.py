"""Runs that several files of tests look at, trained once."""

from dataclasses import replace

import pytest

from regard.recipes import RECIPES, turn, values_of
from regard.training import RunFolder

TINY = {
    "tasks": "1,15", "told": 320, "wording": "babi", "size": 11, "epochs": 30, "linear_epochs": 5,
    "halve_every": 10, "restarts": 2, "side_by_side": 1, "seed": 3,
}  # fmt: skip


@pytest.fixture(scope="session")
def tiny():
    """Knobs of story recipes that train in seconds."""
    return TINY


def train(folder, name, knobs, **parts):
    recipe = turn(replace(RECIPES[name], **parts), knobs)
    run = RunFolder.create(folder, {"recipe": name, **values_of(recipe)})
    recipe.train(run, "cpu", (), "the same again")
    return folder


@pytest.fixture(scope="session")
def trained():
    """What trains a recipe in a folder."""
    return train


@pytest.fixture(scope="session")
def joint(tmp_path_factory):
    """A memory network that knows two tasks."""
    return train(tmp_path_factory.mktemp("joint") / "run", "memn2n-stories", TINY)
