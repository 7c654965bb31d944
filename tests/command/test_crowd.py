"""Several seeds: of each the number that its model was picked by, and their mean."""

import json
from argparse import Namespace
from pathlib import Path

import pytest

from regard.command import crowd
from regard.command.training import new_folder
from regard.recipes import RECIPES, turn


@pytest.mark.parametrize(
    ("recipe", "told"), [("ntm-copy", "0.03 ± 0.0141"), ("rnnsearch-directions", "75 ± 7.07")]
)
def test_the_best_is_the_lowest_where_lower_is_better(recipe, told, tmp_path, monkeypatch, capsys):
    def trained(given, seed, folder):
        folder.mkdir()
        lines = [
            {"validation": {"number": number}} for number in (0.02 + seed / 50, 80 - 10 * seed)
        ]
        (folder / "metrics.jsonl").write_text("\n".join(map(json.dumps, lines)))
        return 0

    monkeypatch.setattr(crowd, "_train", trained)
    given = Namespace(recipe=recipe, seeds=2, jobs=1)
    assert crowd.train_seeds(given, RECIPES[recipe], tmp_path / "run") == 0
    assert f"best number over 2 seeds: {told}" in capsys.readouterr().out


def test_runs_with_restarts_share_no_seed(tmp_path, monkeypatch):
    begun = []
    monkeypatch.setattr(crowd, "_train", lambda given, seed, folder: begun.append(seed) or 1)
    recipe = turn(RECIPES["memn2n-babi"], {"restarts": 3, "seed": 5})
    given = Namespace(recipe="memn2n-babi", seeds=3, jobs=1)
    assert crowd.train_seeds(given, recipe, tmp_path / "run") == 1
    assert begun == [5, 8, 11]
    taken = [turn(recipe, {"seed": seed}).course.seeds("task 1") for seed in begun]
    assert [seed for seeds in taken for seed in seeds] == list(range(5, 14))


def test_runs_of_several_seeds_take_the_first_free_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = Namespace(recipe="ntm-copy", to=None)
    assert new_folder(given) == Path("runs/ntm-copy")
    Path("runs/ntm-copy-seed-3").mkdir(parents=True)
    assert new_folder(given) == Path("runs/ntm-copy-2")
    Path("runs/ntm-copy-2-seed-0").mkdir()
    assert new_folder(given) == Path("runs/ntm-copy-3")
