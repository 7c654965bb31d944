"""Several seeds: of each the number that its model was picked by, and their mean."""

import json
from argparse import Namespace
from pathlib import Path

import pytest

from regard.command import crowd
from regard.command.training import new_folder


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
    assert crowd.train_seeds(given, 0, tmp_path / "run") == 0
    assert f"over 2 seeds: {told}" in capsys.readouterr().out


def test_runs_of_several_seeds_take_the_first_free_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = Namespace(recipe="ntm-copy", to=None)
    assert new_folder(given) == Path("runs/ntm-copy")
    Path("runs/ntm-copy-seed-3").mkdir(parents=True)
    assert new_folder(given) == Path("runs/ntm-copy-2")
    Path("runs/ntm-copy-2-seed-0").mkdir()
    assert new_folder(given) == Path("runs/ntm-copy-3")
