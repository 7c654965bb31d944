"""The run folder: what is refused, what is kept, what is cut off."""

import json
import sys

import pytest
from trainee import Repeating, curve, run

from regard.training import RunFolder
from regard.training.environment import without_folders
from regard.training.journal import MetricsFile, cut

KNOBS = {"recipe": "repeating", "steps": 20, "sizes": (3, 5), "name": "서울"}


def test_a_new_folder_has_knobs_environment_and_an_empty_curve(tmp_path):
    folder = RunFolder.create(tmp_path / "runs" / "first", KNOBS)
    names = sorted(path.name for path in folder.path.iterdir())
    assert names == ["environment.json", "knobs.json", "metrics.jsonl"]
    assert folder.knobs == KNOBS | {"sizes": [3, 5]}
    assert "서울" in (folder.path / "knobs.json").read_text(encoding="utf-8")
    assert folder.metrics.read_text() == ""


def test_the_same_knobs_go_on_and_other_knobs_are_refused_by_name(tmp_path):
    RunFolder.create(tmp_path, KNOBS)
    assert RunFolder.create(tmp_path, KNOBS).knobs == RunFolder.open(tmp_path).knobs
    before = (tmp_path / "knobs.json").read_bytes()
    with pytest.raises(
        ValueError, match=r"run of other knobs \(seed=None, now 1, steps=20, now 30\)"
    ):
        RunFolder.create(tmp_path, {**KNOBS, "steps": 30, "seed": 1})
    assert (tmp_path / "knobs.json").read_bytes() == before


def test_a_folder_with_something_else_in_it_is_refused_and_left_alone(tmp_path):
    (tmp_path / "letter.txt").write_text("dear diary")
    with pytest.raises(ValueError, match=r"is not empty and not a run: there is no knobs.json"):
        RunFolder.create(tmp_path, KNOBS)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    with pytest.raises(ValueError, match=r"letter.txt' is a file, and a run needs a folder"):
        RunFolder.create(tmp_path / "letter.txt", KNOBS)


def test_a_folder_whose_making_was_cut_short_can_be_made_again(tmp_path):
    (tmp_path / ".knobs.json.unfinished").write_text('{"rec')
    assert RunFolder.create(tmp_path, KNOBS).knobs["steps"] == 20
    (tmp_path / "environment.json").unlink()
    assert RunFolder.create(tmp_path, KNOBS).environment["versions"]


def test_opening_what_is_no_run_folder_says_what_is_missing(tmp_path):
    with pytest.raises(ValueError, match=r"there is no folder '.*nowhere'"):
        RunFolder.open(tmp_path / "nowhere")
    (tmp_path / "environment.json").write_text("{}")
    with pytest.raises(ValueError, match=r"there is no knobs.json and no metrics.jsonl in it"):
        RunFolder.open(tmp_path)


def test_a_model_that_was_not_written_yet_says_when_it_will_be(tmp_path):
    with pytest.raises(
        ValueError, match=r"no file .*model.safetensors'; it is written at the first"
    ):
        RunFolder.create(tmp_path, KNOBS).load_model(Repeating().model)


def test_knobs_that_are_no_json_are_named(tmp_path):
    folder = RunFolder.create(tmp_path, KNOBS)
    (tmp_path / "knobs.json").write_text('{"recipe": "rep')
    with pytest.raises(ValueError, match=r"knobs.json' is not the JSON that training wrote"):
        _ = folder.knobs


def test_the_environment_names_versions_and_no_path(tmp_path, monkeypatch):
    monkeypatch.setattr(
        sys, "argv", ["/home/ada/bin/regard", "train", "--train=/home/ada/pairs.tsv"]
    )
    folder = RunFolder.create(tmp_path, KNOBS)
    there = folder.environment
    assert there["command"] == ["regard", "train", "--train=pairs.tsv"]
    assert there["threads"] == 1
    assert there["versions"].keys() >= {"python", "torch", "numpy", "safetensors"}
    assert "/" not in json.dumps(there)


def test_a_run_that_goes_on_as_it_was_begun_has_no_change_to_tell(tmp_path, monkeypatch, capfd):
    def trouble(call):
        if call == 3:
            raise RuntimeError("the power went")

    with monkeypatch.context() as before:  # threads are chosen after the folder was made
        before.setattr("torch.get_num_threads", lambda: 64)
        RunFolder.create(tmp_path, {"recipe": "repeating"})
    with pytest.raises(RuntimeError, match="the power went"):
        run(tmp_path, Repeating(trouble=trouble))
    assert RunFolder.open(tmp_path).environment["threads"] == 1
    run(tmp_path)
    said = capfd.readouterr().err
    assert "going on after step 0" in said
    assert "begun with" not in said


def test_a_run_that_goes_on_elsewhere_says_what_changed(tmp_path, monkeypatch, capfd):
    def trouble(call):
        if call == 3:
            raise RuntimeError("the power went")

    with pytest.raises(RuntimeError, match="the power went"):
        run(tmp_path, Repeating(trouble=trouble))
    monkeypatch.setattr("torch.get_num_threads", lambda: 64)
    run(tmp_path)
    said = capfd.readouterr().err
    assert "going on after step 0\nbegun with threads 1, now 64: the last bits" in said
    assert said.count("begun with") == 1


@pytest.mark.parametrize(
    ("word", "cut"),
    [
        ("C:\\Users\\ada\\run", "run"),
        ("--train", "--train"),
        ("--to=../runs/first", "--to=first"),
        ("0.5", "0.5"),
        ("/home/Ada Lovelace/x.tsv", "x.tsv"),
    ],
)
def test_paths_in_a_command_are_cut_to_their_last_name(word, cut):
    assert without_folders(word) == cut


LINES = [
    '{"step": 1, "loss": 2.0}\n',
    '{"step": 2, "loss": 1.0}\n',
    '{"step": 2, "validation": {}}\n',
]


@pytest.mark.parametrize(
    "tail", ['{"step": 2}', "", '{"step": 3, "lo', '{"step": 3}\n', '{"step": 3}\n{"st', "\0\0"]
)
def test_lines_after_the_checkpoint_and_broken_ends_are_cut_off(tmp_path, tail):
    path = tmp_path / "metrics.jsonl"
    path.write_text("".join(LINES) + tail)
    cut(path, 2)
    assert path.read_text() == "".join(LINES)
    cut(path, 1)
    assert path.read_text() == LINES[0]


def test_a_broken_line_among_good_ones_is_named_and_kept(tmp_path):
    path = tmp_path / "metrics.jsonl"
    path.write_text(LINES[0] + "scribble\n" + LINES[1])
    with pytest.raises(ValueError, match=r"line 2 of .* is not what training wrote: b'scribble"):
        cut(path, 2)
    assert "scribble" in path.read_text()


def test_numbers_that_are_not_finite_are_null_so_that_every_line_is_json(tmp_path):
    journal = MetricsFile()
    journal.begin(tmp_path, 0)
    journal.add({"step": 1, "validation": {"perplexity": float("inf"), "bleu": 0.5}})
    journal.close()
    line = (tmp_path / "metrics.jsonl").read_text()
    assert line == '{"step": 1, "validation": {"perplexity": null, "bleu": 0.5}}\n'


def test_the_curve_has_steps_epochs_losses_rates_seconds_and_validations(tmp_path):
    run(tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    training = [line for line in lines if "loss" in line]
    judged = [line for line in lines if "validation" in line]
    assert [line["step"] for line in training] == [3, 6, 9, 12, 15, 18, 20]
    assert [line["step"] for line in judged] == [4, 8, 12, 16, 20]
    assert list(training[0]) == [
        "step", "epoch", "loss", "learning_rate", "gradient_norm", "metrics", "seconds",
    ]  # fmt: skip
    assert training[0]["epoch"] == 0.375
    assert training[0]["learning_rate"] == 0.02 * 3 / 4  # the fourth step is the highest
    assert list(judged[0]["validation"]) == ["loss", "right"]
    assert [line["seconds"] for line in lines] == sorted(line["seconds"] for line in lines)
    assert len(curve(tmp_path)) == 12


def test_a_run_knows_the_commits_of_the_code_that_trained_it(tmp_path, monkeypatch):
    def trouble(call):
        if call == 3:
            raise RuntimeError("the power went")

    def by(commit):
        for place in ("run_folder", "environment"):
            monkeypatch.setattr(f"regard.training.{place}.commit_of_code", lambda: commit)

    by("aaaa")
    for _ in range(2):
        with pytest.raises(RuntimeError, match="the power went"):
            run(tmp_path, Repeating(trouble=trouble))
    assert RunFolder.open(tmp_path).environment["commits"] == ["aaaa"]
    by("bbbb")
    run(tmp_path)
    assert RunFolder.open(tmp_path).environment["commits"] == ["aaaa", "bbbb"]
    by("cccc")
    run(tmp_path)  # it has ended: nothing is trained
    assert RunFolder.open(tmp_path).environment["commits"] == ["aaaa", "bbbb"]
