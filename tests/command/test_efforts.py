"""How long runs think: drawn from what was measured of them."""

import json

import pytest

from regard.command import main
from regard.command.efforts import effort
from regard.ledger import Row
from regard.recipes import RECIPES, values_of


def told(steps, errors, scopes=("all", "1 digits", "3 digits")):
    """What ``regard evaluate`` keeps."""
    return [
        {"split": "test", "metric": metric, "value": value, "unit": unit, "better": "lower",
         "scope": scope, "note": "", "paper": None}
        for place, scope in enumerate(scopes)
        for metric, value, unit in (
            ("wrong sequences", errors + place, "%"),
            ("wrong answers", 99.0, "%"),
            ("ponder", steps + place, "steps"),
        )
    ]  # fmt: skip


@pytest.fixture
def run(tmp_path):
    def make(name, recipe="act-addition", measured=None, **knobs):
        folder = tmp_path / name
        folder.mkdir()
        usual = values_of(RECIPES[recipe])
        usual |= {"time_penalty": 0.001} if "time_penalty" in usual else {}
        values = {"recipe": recipe, **usual, **knobs}
        (folder / "knobs.json").write_text(json.dumps(values))
        if measured is not None:
            kept = {"commit": "", "model": "", "measured": measured}
            (folder / "evaluation.json").write_text(json.dumps(kept))
        return str(folder)

    return make


def test_an_effort_holds_steps_and_errors_whole_and_by_difficulty(run):
    found = effort(run("a", measured=told(4.0, 10.0), time_penalty=0.01))
    assert found.name == "act-addition, tau 0.01"
    assert found.unit == "digits"
    assert (found.steps["all"], found.errors["all"]) == (4.0, 10.0)
    assert found.curve(lambda one: one.steps) == {1.0: 5.0, 3.0: 6.0}
    assert found.curve(lambda one: one.errors) == {1.0: 11.0, 3.0: 12.0}


def drawn(monkeypatch, name):
    """What was given to the function that draws."""
    seen = []
    monkeypatch.setattr(f"regard.viewing.{name}", lambda axes, given, **_: seen.append(given))
    return seen


def test_runs_are_dots_by_recipe_and_penalty(run, monkeypatch, tmp_path):
    seen, path = drawn(monkeypatch, "draw_dots"), str(tmp_path / "ponder.svg")
    runs = [
        run("a", measured=told(4.0, 10.0)),
        run("b", measured=told(5.0, 11.0), seed=1),
        run("c", measured=told(2.0, 30.0), time_penalty=0.1),
        run("d", "lstm-addition", measured=told(1.0, 60.0)),
    ]
    assert main(["show", *runs, "--ponder", "--to", path]) == 0
    assert seen == [
        {
            "act-addition, tau 0.001": [(4.0, 10.0), (5.0, 11.0)],
            "act-addition, tau 0.1": [(2.0, 30.0)],
            "lstm-addition": [(1.0, 60.0)],
        }
    ]


@pytest.mark.parametrize("option", ["--ponder", "--difficulty"])
def test_pictures_are_written_and_named(run, option, tmp_path, capsys):
    path = tmp_path / "effort.svg"
    runs = [run(name, measured=told(4.0, 10.0)) for name in "ab"]
    assert main(["show", *runs, option, "--to", str(path)]) == 0
    assert capsys.readouterr().out.strip() == str(path)
    text = path.read_text(encoding="utf-8")
    assert "wrong sequences (%)" in text
    assert "act-addition, tau 0.001" in text


def test_a_trained_recipe_of_the_package_is_drawn_from_the_ledger(monkeypatch, tmp_path):
    folder = tmp_path / "act-parity"
    folder.mkdir()
    values = {"recipe": "act-parity", **values_of(RECIPES["act-parity"])}
    (folder / "knobs.json").write_text(json.dumps(values))
    monkeypatch.setattr("regard.running.SHIPPED", tmp_path)
    monkeypatch.setattr("regard.command.measures.SHIPPED", tmp_path)
    common = dict.fromkeys(
        ("system", "data", "split", "unit", "better", "selected_by", "command", "commit", "note"),
        "",
    )
    kept = [
        Row(recipe=recipe, scope=scope, metric=metric, paper=None, ours={"value": value},
            minutes=1.0, **common)
        for recipe, scope, metric, value in (
            ("act-parity", "all", "ponder", 7.0),
            ("act-parity", "all", "wrong sequences", 3.0),
            ("act-parity", "8 bits", "ponder", 4.0),
            ("act-logic", "all", "ponder", 99.0),
        )
    ]  # fmt: skip
    monkeypatch.setattr("regard.command.measures.rows", lambda: kept)
    found = effort("act-parity")
    assert found.steps == {"all": 7.0, "8 bits": 4.0}
    assert found.errors == {"all": 3.0}


def failed(arguments, capsys):
    assert main(arguments) == 1
    return capsys.readouterr().err


def test_what_cannot_be_drawn_is_said(run, capsys, tmp_path):
    path = tmp_path / "effort.png"
    to = ["--to", str(path)]
    fresh = run("fresh")
    assert f"do it by: regard evaluate {fresh}" in failed(["show", fresh, "--ponder", *to], capsys)
    copy = run("copy", "ntm-copy", measured=told(1.0, 1.0)[1:2])
    message = "the recipe ntm-copy, which does not ponder"
    assert message in failed(["show", copy, "--difficulty", *to], capsys)
    ours = run("ours", measured=told(4.0, 1.0))
    other = run("other", "act-parity", measured=told(4.0, 1.0, ("all", "8 bits")))
    message = "different difficulties, digits, bits"
    assert message in failed(["show", ours, other, "--difficulty", *to], capsys)
    whole = run("whole", measured=told(4.0, 1.0, ("all",)))
    message = "at no difficulty by itself"
    assert message in failed(["show", whole, "--difficulty", *to], capsys)
    assert not path.exists()


def test_one_kind_of_picture_is_drawn_at_a_time(run, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["show", run("a"), "--ponder", "--costs"])
    assert stopped.value.code == 2
    assert "not allowed with" in capsys.readouterr().err
