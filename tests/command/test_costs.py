"""Curves of runs: the validation number over the examples seen."""

import json

import pytest

from regard import ledger
from regard.command import main
from regard.command.costs import least, validations
from regard.recipes import RECIPES, values_of


@pytest.fixture
def run(tmp_path):
    def make(name, recipe="ntm-copy", judged=(("bits", 3.0), ("bits", 1.0))):
        folder = tmp_path / name
        folder.mkdir()
        knobs = {"recipe": recipe, **values_of(RECIPES[recipe]), "batch": 10}
        (folder / "knobs.json").write_text(json.dumps(knobs))
        lines = [{"step": 1, "loss": 2.0}]
        lines += [
            {"step": 100 * place, "validation": {metric: value, "wrong bits": 9.0}}
            for place, (metric, value) in enumerate(judged, 1)
        ]
        (folder / "metrics.jsonl").write_text("\n".join(map(json.dumps, lines)))
        return str(folder)

    return make


def test_a_curve_is_the_first_number_by_thousands_of_examples(run):
    assert validations(run("a")) == ("ntm-copy", "bits", {1.0: 3.0, 2.0: 1.0})


def test_runs_are_drawn_together_and_numbered_where_they_are_of_one_recipe(run, tmp_path, capsys):
    path = tmp_path / "costs.svg"
    runs = [run("a"), run("b"), run("c", "lstm-copy")]
    assert main(["show", *runs, "--costs", "--to", str(path)]) == 0
    assert capsys.readouterr().out.strip() == str(path)
    assert path.stat().st_size > 1_000


def test_without_a_name_the_picture_is_a_png(run, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["show", run("a"), "--costs"]) == 0
    assert capsys.readouterr().out.strip() == "regard.png"
    assert (tmp_path / "regard.png").is_file()


def test_the_best_guesses_are_drawn_where_they_are_known(run, tmp_path):
    """Of the 32 batches of 16 that runs of N-grams are judged by: some 133 bits each."""
    path = tmp_path / "costs.svg"
    ngrams = [run(name, "ntm-ngrams", (("bits", 180.0), ("bits", 140.0))) for name in "ab"]
    level, name = least(ngrams)
    assert 133.0 - 4 * 36 / 512**0.5 < level < 133.0 + 4 * 36 / 512**0.5
    assert name == "the best guesses"
    assert main(["show", *ngrams, "--costs", "--to", str(path)]) == 0
    assert name in path.read_text(encoding="utf-8")
    assert least([run("c")]) is None


@pytest.mark.parametrize(
    ("judged", "message"),
    [((), "has not been judged yet"), ((("BLEU", 1.0),), "different numbers, bits, BLEU")],
)
def test_what_cannot_be_drawn_is_said(run, capsys, judged, message, tmp_path):
    path = tmp_path / "costs.png"
    assert main(["show", run("a"), run("b", judged=judged), "--costs", "--to", str(path)]) == 1
    assert message in capsys.readouterr().err
    assert not path.exists()


def test_the_name_of_a_recipe_stands_for_the_curve_that_is_kept_of_it(run, tmp_path, monkeypatch):
    monkeypatch.setattr(ledger, "PACKAGED", tmp_path / "nowhere")
    monkeypatch.setattr(ledger, "IN_REPOSITORY", tmp_path / "results")
    (tmp_path / "results" / "curves").mkdir(parents=True)
    kept = {
        "metric": "bits",
        "command": "regard train lstm-copy --steps 9 --seed 0",
        "curve": [[8, 90.5], [16, 40]],
    }
    path = tmp_path / "results" / "curves" / "lstm-copy.json"
    path.write_text(json.dumps(kept))
    name = "lstm-copy --steps 9"
    assert validations("lstm-copy") == (name, "bits", {8: 90.5, 16: 40})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lstm-copy").mkdir()  # is no run
    assert validations("lstm-copy")[0] == name
    to = tmp_path / "costs.svg"
    assert main(["show", run("a"), "lstm-copy", "--costs", "--to", str(to)]) == 0
    assert "lstm-copy" in to.read_text(encoding="utf-8")


KEPT = sorted((ledger.IN_REPOSITORY / "curves").glob("*.json"))


def test_some_curves_are_kept():
    assert {path.stem for path in KEPT} >= {"ntm-copy", "ntm-recall", "lstm-recall"}


@pytest.mark.parametrize("path", KEPT)
def test_curves_that_are_kept_are_of_a_recipe_and_a_command(path):
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert path.stem in RECIPES
    assert kept["command"].startswith(f"regard train {path.stem} ")
    assert 5 <= len(kept["curve"]) <= 100
    assert kept["curve"] == sorted(kept["curve"])


def test_weights_of_the_package_have_no_curve(capsys, tmp_path):
    to = str(tmp_path / "costs.png")
    assert main(["show", "rnnsearch-directions", "--costs", "--to", to]) == 1
    assert "no curve was kept" in capsys.readouterr().err
