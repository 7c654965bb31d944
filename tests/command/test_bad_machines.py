"""Machines and tasks that cannot be, as a person asks for them: one clear line, nothing left."""

import json

import pytest

from regard.command import main

TINY = {
    "ntm": ["--slot-size", "3", "--controller-size", "5"],
    "lstm": ["--size", "5", "--layers", "1"],
    "act": ["--size", "5"],
}
SHORT = ["--steps", "2", "--batch", "2"]


def trained(recipe, folder, *more):
    tiny = TINY[recipe.split("-")[0]]
    return main(["train", recipe, *tiny, *SHORT, *more, "--to", str(folder)])


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    base = tmp_path_factory.mktemp("bad")
    sizes = {
        "ntm-copy": ["--longest", "3", "--slots", "4"],
        "ntm-repeat-copy": ["--longest", "3", "--repeats", "2", "--slots", "4"],
        "ntm-recall": ["--items", "2", "--slots", "6"],
    }
    for recipe, more in sizes.items():
        assert trained(recipe, base / recipe, *more) == 0
    return {recipe: str(base / recipe) for recipe in sizes}


@pytest.mark.parametrize(
    ("recipe", "more", "message"),
    [
        ("ntm-copy", ["--heads", "0"], "the knob 'heads' must be 1 or more"),
        ("ntm-copy", ["--reach", "-1"], "the knob 'reach' must be 0 or more"),
        ("ntm-copy", ["--reach", "64"], "reach=64 and slots=128; a reach of 63 is the largest"),
        ("ntm-copy", ["--slots", "0"], "the knob 'slots' must be 1 or more"),
        ("ntm-copy", ["--longest", "0"], "the knob 'longest' must be 1 or more"),
        ("lstm-copy", ["--longest", "0"], "the knob 'longest' must be 1 or more"),
        ("ntm-recall", ["--items", "1"], "the knob 'items' must be 2 or more"),
        ("ntm-ngrams", ["--length", "0"], "the knob 'length' must be 1 or more"),
        ("ntm-sort", ["--wanted", "21"], "21 vectors are wanted, but only 20 are given"),
        ("act-parity", ["--most", "0"], "the knob 'most' must be 1 or more"),
        ("act-parity", ["--slack", "1"], "the knob 'slack' must be 0 or more and below 1"),
        ("act-sort", ["--longest", "1"], "the knob 'longest' must be 2 or more"),
    ],
)
def test_what_cannot_be_trained_is_said_and_leaves_nothing(recipe, more, message, tmp_path, capsys):
    assert trained(recipe, tmp_path / "run", *more) == 1
    said = capsys.readouterr().err
    assert message in said
    assert "training in" not in said  # for it never began
    assert "Traceback" not in said
    assert not (tmp_path / "run").exists()


@pytest.mark.filterwarnings("always:.*have to be remembered")
def test_a_tape_too_small_is_trained_with_a_warning(tmp_path, capsys):
    assert trained("ntm-copy", tmp_path / "run", "--longest", "6", "--slots", "5") == 0
    message = "6 vectors have to be remembered, but the tape has 5 slots; --slots 6 or more would"
    assert message in capsys.readouterr().err


@pytest.mark.filterwarnings("always:.*have to be remembered")
def test_a_sequence_too_long_for_the_tape_is_answered_and_drawn_with_a_warning(
    runs, tmp_path, capsys
):
    message = "5 vectors have to be remembered, but the tape has 4 slots"
    for recipe, text in (("ntm-copy", "5"), ("ntm-repeat-copy", "5x1")):
        assert main(["run", runs[recipe], text]) == 0
        assert message in capsys.readouterr().err
        to = str(tmp_path / f"{recipe}.svg")
        assert main(["show", runs[recipe], text, "--to", to]) == 0
        assert message in capsys.readouterr().err
    assert main(["run", runs["ntm-recall"], "2"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("recipe", "text", "message"),
    [
        ("ntm-copy", "0", "'0': give the number of vectors to copy as a whole number"),
        ("ntm-copy", "-3", "'-3': give the number of vectors to copy"),
        ("ntm-copy", "²", "'²': give the number of vectors to copy"),
        ("ntm-copy", "", "'': give the number of vectors to copy"),
        ("ntm-repeat-copy", "5", "'5': give the number of vectors, x and how often, such as 5x3"),
        ("ntm-repeat-copy", "0x3", "'0': give the number of vectors as a whole number"),
        ("ntm-repeat-copy", "5x0", "'0': give how often as a whole number"),
        ("ntm-repeat-copy", "50x21", "'21': give how often as a whole number from 1 to 20"),
        ("ntm-recall", "1", "'1': give the number of items as a whole number from 2 to 1000"),
        (
            "ntm-copy",
            "11011",
            "a whole number from 1 to 1000, such as 20; or the vectors themselves",
        ),
        ("ntm-copy", "011011", "up to 1000 with spaces between them, of 8 bits each"),
        ("ntm-copy", "9" * 5000, "a whole number from 1 to 1000"),
    ],
)
def test_what_cannot_be_asked_for_is_said(runs, recipe, text, message, capsys, tmp_path):
    file = tmp_path / "asked.txt"
    file.write_text(text + "\n", encoding="utf-8")
    assert main(["run", runs[recipe], str(file)]) == 1
    assert message in capsys.readouterr().err
    to = tmp_path / "picture.png"
    if text and not text.startswith("-"):
        assert main(["show", runs[recipe], text, "--to", str(to)]) == 1
        assert message in capsys.readouterr().err
        assert not to.exists()


def test_one_that_cannot_be_asked_for_stops_no_other(runs, capsys):
    assert main(["run", runs["ntm-copy"], "3", "abc", "1"]) == 1
    printed = capsys.readouterr()
    first, second, third = printed.out.splitlines()
    assert "wrong of" in first
    assert second == ""
    assert "wrong of" in third
    assert "'abc': give the number" in printed.err


def test_options_that_a_machine_has_no_use_for_are_said_to_be_so(runs, capsys):
    assert main(["run", runs["ntm-copy"], "3", "--sample", "0.5"]) == 1
    assert "--sample draws words, but" in capsys.readouterr().err
    assert main(["evaluate", runs["ntm-copy"], "--test", "x.tsv"]) == 1
    assert "--test is for recipes whose test sets are files of your own" in capsys.readouterr().err


def test_bits_that_begin_with_a_sign_stand_behind_two(capsys):
    assert main(["run", "act-parity", "--", "-+0+"]) == 0
    assert "steps:" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["run", "act-parity", "-+0+"])
    assert "an input that begins with - stands behind --" in capsys.readouterr().err


def test_ngrams_are_evaluated_beside_the_best_guesses(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("regard.recipes.algorithms.recipe.TESTED", 6)
    monkeypatch.setattr("regard.recipes.algorithms.recipe.TOGETHER", 3)
    run = tmp_path / "run"
    assert trained("ntm-ngrams", run, "--length", "30", "--slots", "32") == 0
    capsys.readouterr()
    assert main(["evaluate", str(run), "--json"]) == 0
    found = {row["metric"]: row["value"] for row in json.loads(capsys.readouterr().out)}
    ours, best = found["bits per sequence"], found["bits of the best guess"]
    assert found["bits above the best guess"] == pytest.approx(ours - best, abs=1e-4)
    assert found["bits above the best guess"] > 0
