"""BLEU against the length of sentences, drawn from what was measured."""

import json

import pytest

from regard.command import main
from regard.recipes import RECIPES, values_of


@pytest.fixture
def run(tmp_path):
    def make(name, recipe="seq2seq-directions", scores=(90.0, 40.0), **knobs):
        folder = tmp_path / name
        folder.mkdir()
        values = {"recipe": recipe, **values_of(RECIPES[recipe]), **knobs}
        (folder / "knobs.json").write_text(json.dumps(values))
        measured = [
            {"split": split, "metric": metric, "value": value, "unit": "", "better": "higher",
             "scope": scope, "note": "", "paper": None}
            for scope, value in zip(("1-4 words", "5-8 words"), scores, strict=True)
            for split, metric in (("by length", "BLEU"), ("by length", "exact"), ("test", "BLEU"))
        ]  # fmt: skip
        kept = {"commit": "", "model": "", "measured": measured}
        (folder / "evaluation.json").write_text(json.dumps(kept))
        return str(folder)

    return make


def drawn(monkeypatch):
    seen = []
    monkeypatch.setattr(
        "regard.viewing.draw_by_length", lambda axes, curves, **more: seen.append((curves, more))
    )
    return seen


def test_runs_are_curves_by_length(run, monkeypatch, tmp_path, capsys):
    seen, path = drawn(monkeypatch), str(tmp_path / "lengths.svg")
    runs = [run("a"), run("b", "rnnsearch-directions", (99.0, 98.0))]
    assert main(["show", *runs, "--lengths", "--to", path]) == 0
    assert capsys.readouterr().out.strip() == path
    (curves, more) = seen[0]
    assert curves == {
        "seq2seq-directions": {4.0: 90.0, 8.0: 40.0},
        "rnnsearch-directions": {4.0: 99.0, 8.0: 98.0},
    }
    assert more == {"longest_trained": 24}
    assert main(["show", run("c"), run("d", longest=9), "--lengths", "--to", path]) == 0
    assert seen[1][1] == {"longest_trained": None}  # they differ


def test_weights_that_come_with_the_package_have_their_curve(monkeypatch, tmp_path):
    path = tmp_path / "lengths.png"
    assert main(["show", "rnnsearch-directions", "--lengths", "--to", str(path)]) == 0
    assert path.stat().st_size > 1000


def test_what_was_not_measured_by_length_is_said(run, capsys, tmp_path):
    assert main(["show", "ntm-copy", "--lengths", "--to", str(tmp_path / "a.png")]) == 1
    assert "ntm-copy, which has no BLEU by length" in capsys.readouterr().err
