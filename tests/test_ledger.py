"""The ledger: rows come from evaluated runs, and say how they came about."""

import json
import re
import sys
from pathlib import Path

import pytest

from regard import ledger
from regard.command import main
from regard.command.parsing import parse
from regard.recipes import RECIPES, Measured, values_of

ROOT = Path(__file__).parents[1]
ROWS = ledger.rows()
KEYS = {
    *("recipe", "system", "data", "split", "scope", "metric", "unit", "better", "paper", "ours"),
    *("selected_by", "command", "minutes", "commit", "note"),
}


def run(folder, seed, validation, values, **knobs):
    """A run folder that was evaluated, made by hand."""
    folder.mkdir()
    name = "rnnsearch-directions"
    kept = {"recipe": name, **values_of(RECIPES[name]), "seed": seed, **knobs}
    (folder / "knobs.json").write_text(json.dumps(kept), encoding="utf-8")
    lines = [
        {"step": 1, "validation": {"exact": validation - 1}, "seconds": 60.0},
        {"step": 2, "validation": {"exact": validation}, "seconds": 120.0},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "metrics.jsonl").write_text(text, encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"some weights")
    measured = [Measured("test", "exact", value, "%", "higher") for value in values]
    ledger.keep_evaluation(folder, measured)
    return folder


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.setattr(ledger, "IN_REPOSITORY", tmp_path / "results")
    monkeypatch.setattr(ledger, "PACKAGED", tmp_path / "nowhere")
    return tmp_path


def test_a_row_has_the_value_of_the_run_with_the_best_validation_and_the_mean_of_all(elsewhere):
    runs = [run(elsewhere / "a", 0, 97.0, [96.0]), run(elsewhere / "b", 1, 99.0, [95.0])]
    ledger.enter(runs, note="a remark")
    (row,) = ledger.rows()
    assert row.ours["value"] == 95.0  # though the other did better in the test
    assert row.ours["mean"] == 95.5
    assert row.ours["best"] == 96.0
    assert row.ours["std"] == pytest.approx(0.7071, abs=1e-4)
    assert row.ours["seeds"] == [0, 1]
    assert row.minutes == 2.0
    assert row.note == "a remark"
    assert row.command == "regard train rnnsearch-directions --seed 1"


def test_entering_again_replaces_the_rows_of_that_recipe(elsewhere):
    ledger.enter([run(elsewhere / "a", 0, 97.0, [96.0])])
    ledger.enter([run(elsewhere / "b", 0, 97.0, [90.0])])
    assert [row.ours["value"] for row in ledger.rows()] == [90.0]


def test_another_seed_joins_those_that_were_entered_before(elsewhere):
    ledger.enter([run(elsewhere / "a", 0, 97.0, [96.0])])
    ledger.enter([run(elsewhere / "b", 2, 99.0, [93.0])])
    ledger.enter([run(elsewhere / "c", 1, 90.0, [90.0])])
    (row,) = ledger.rows()
    assert row.ours["seeds"] == [0, 1, 2]
    assert row.ours["values"] == [96.0, 90.0, 93.0]
    assert row.ours["value"] == 93.0
    assert row.ours["mean"] == 93.0
    assert row.command == "regard train rnnsearch-directions --seed 2"


def test_weights_that_are_measured_again_keep_their_place_among_the_runs(elsewhere):
    ledger.enter([run(elsewhere / "a", 0, 97.0, [96.0]), run(elsewhere / "b", 1, 99.0, [95.0])])
    ledger.enter_again(
        "rnnsearch-directions", 1, [Measured("test", "exact", 91.0, "%", "higher")], "again"
    )
    (row,) = ledger.rows()
    assert row.ours["values"] == [96.0, 91.0]
    assert row.ours["value"] == 91.0  # seed 1 still has the best validation
    assert row.minutes == 2.0
    assert row.note == "again"


def test_the_commit_of_a_run_stays_where_its_weights_are_measured_again(elsewhere, monkeypatch):
    monkeypatch.setattr(ledger, "commit_of_code", lambda: "aaaa")
    ledger.enter([run(elsewhere / "a", 0, 97.0, [96.0])])
    found = [Measured("test", "exact", 91.0, "%", "higher")]
    for commit in ("bbbb", "cccc"):
        monkeypatch.setattr(ledger, "commit_of_code", lambda commit=commit: commit)
        ledger.enter_again("rnnsearch-directions", 0, found, "")
    (row,) = ledger.rows()
    assert row.commit == "aaaa, measured again at cccc"


def test_a_row_names_the_commits_of_all_its_runs(elsewhere, monkeypatch):
    for seed, commit in enumerate(("aaaa", "bbbb, changed since", "aaaa")):
        monkeypatch.setattr(ledger, "commit_of_code", lambda commit=commit: commit)
        ledger.enter([run(elsewhere / str(seed), seed, 97.0 + seed, [96.0])])
    (row,) = ledger.rows()
    assert row.commit == "aaaa; bbbb, changed since"


@pytest.mark.parametrize(
    ("commits", "wanted"),
    [
        (["aaaa"], "aaaa, measured at cccc"),
        (["aaaa", "bbbb"], "aaaa, then bbbb, measured at cccc"),
        (["aaaa", "cccc"], "aaaa, then cccc"),
        (None, "cccc"),  # a run of before commits were kept
    ],
)
def test_the_commit_is_that_of_the_training(elsewhere, monkeypatch, commits, wanted):
    monkeypatch.setattr(ledger, "commit_of_code", lambda: "cccc")
    folder = run(elsewhere / "a", 0, 97.0, [96.0])
    kept = {} if commits is None else {"commits": commits}
    (folder / "environment.json").write_text(json.dumps(kept), encoding="utf-8")
    ledger.enter([folder])
    (row,) = ledger.rows()
    assert row.commit == wanted


@pytest.mark.parametrize("name", sorted({row.recipe for row in ROWS}))
def test_the_command_of_a_row_turns_the_knobs_of_its_run(name):
    path = ROOT / "results" / "runs" / f"{name}.json"
    if not path.is_file():
        pytest.skip("runs of this row were not kept")
    commands = {
        ledger.command_of(name, kept["knobs"])
        for kept in json.loads(path.read_text(encoding="utf-8"))
    }
    assert {row.command for row in ROWS if row.recipe == name} <= commands


def test_only_what_is_in_the_ledger_can_be_measured_again(elsewhere):
    ledger.enter([run(elsewhere / "a", 0, 97.0, [96.0])])
    with pytest.raises(ValueError, match="no run of rnnsearch-directions with seed 3"):
        ledger.enter_again("rnnsearch-directions", 3, [], "")


def test_runs_with_other_knobs_take_the_place_of_those_before(elsewhere):
    ledger.enter([run(elsewhere / "a", 0, 97.0, [96.0])])
    ledger.enter([run(elsewhere / "b", 1, 90.0, [80.0], batch=7)])
    (row,) = ledger.rows()
    assert row.ours["seeds"] == [1]
    assert row.ours["value"] == 80.0


def test_seeds_that_were_measured_by_other_numbers_are_not_mixed(elsewhere):
    ledger.enter([run(elsewhere / "a", 0, 97.0, [96.0])])
    with pytest.raises(ValueError, match="not measured by the same numbers"):
        ledger.enter([run(elsewhere / "b", 1, 90.0, [80.0, 81.0])])


def test_runs_that_differ_in_more_than_the_seed_are_no_one_entry(elsewhere):
    runs = [run(elsewhere / "a", 0, 97.0, [96.0]), run(elsewhere / "b", 1, 99.0, [95.0], batch=7)]
    with pytest.raises(ValueError, match="differ in nothing but the seed"):
        ledger.enter(runs)


def test_a_run_that_was_not_evaluated_is_refused(elsewhere):
    folder = run(elsewhere / "a", 0, 97.0, [96.0])
    (folder / "evaluation.json").unlink()
    with pytest.raises(ValueError, match="regard evaluate"):
        ledger.enter([folder])


def test_a_run_whose_weights_changed_after_its_evaluation_is_refused(elsewhere):
    folder = run(elsewhere / "a", 0, 97.0, [96.0])
    (folder / "model.safetensors").write_bytes(b"other weights")
    with pytest.raises(ValueError, match="trained on after it was evaluated"):
        ledger.enter([folder])


def test_knobs_that_are_not_at_their_default_are_in_the_command(elsewhere):
    ledger.enter([run(elsewhere / "a", 3, 97.0, [96.0], batch=7)])
    (row,) = ledger.rows()
    assert row.command == "regard train rnnsearch-directions --batch 7 --seed 3"


def test_every_row_is_complete_and_its_command_is_understood():
    assert ROWS
    for row in ROWS:
        assert set(row.to_json()) == KEYS
        assert row.better in ("higher", "lower")
        assert {"value", "mean", "std", "best", "seeds"} <= set(row.ours)
        given = parse(row.command.split()[1:])
        assert given.recipe == row.recipe


def test_results_are_printed_for_people_and_for_programs(capsys):
    assert main(["results"]) == 0
    said = capsys.readouterr().out
    assert len(re.findall(r"^\S+: \d+ seeds?, .* minutes, selected by ", said, re.M)) == len(
        {row.recipe for row in ROWS}
    )
    assert said.count("  again: regard train ") == len({row.recipe for row in ROWS})
    assert "luong-multi30k: 3 seeds" in said
    assert re.search(r"multi30k en-de, test 2016: BLEU [\d.]+ \(mean", said)  # not "BLEU 36 BLEU"
    assert "exact 99.4 %" in said
    assert main(["results", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(ROWS)


def test_the_page_of_results_is_that_of_the_ledger(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    sys.modules.pop("results", None)
    import results

    assert (ROOT / "RESULTS.md").read_text(encoding="utf-8") == results.page(ROWS)
    assert re.search(r"^# Results", results.page([]))


def test_the_page_says_which_task_learned_from_generated_stories():
    page = (ROOT / "RESULTS.md").read_text(encoding="utf-8")
    note = "trained on 10,000 generated stories"
    learned = {row.recipe for row in ROWS if note in row.note}
    assert len(learned) >= 2
    assert page.count(f"- error, task 3: {note}") == len(learned)
