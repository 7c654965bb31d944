"""The command as a person runs it: train, run, evaluate, show, list; and every way to go wrong."""

import io
import json
import os
import subprocess
import sys

import pytest

from regard.command import crowd, main

TINY = [
    *("--pairs", "60", "--longest", "6", "--epochs", "1", "--batch", "16"),
    *("--word-size", "8", "--state-size", "8", "--hidden-size", "8"),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("command") / "run"
    assert main(["train", "rnnsearch-directions", "--to", str(folder), *TINY]) == 0
    return folder


def failed(arguments, capsys):
    """The message of a command that could not do what was asked."""
    assert main([str(word) for word in arguments]) == 1
    error = capsys.readouterr().err
    assert "Traceback" not in error
    return error


def misunderstood(arguments, capsys):
    """The message of a command that was not understood."""
    with pytest.raises(SystemExit) as stopped:
        main([str(word) for word in arguments])
    assert stopped.value.code == 2
    return capsys.readouterr().err


def test_help_does_not_import_torch():
    code = (
        "import sys, regard.command\n"
        "try: regard.command.main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if name in ('torch', 'numpy', 'matplotlib')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "regard train" in done.stdout


def test_list_names_every_recipe_and_its_json_can_be_read(capsys):
    assert main(["list"]) == 0
    said = capsys.readouterr().out
    assert "rnnsearch-directions" in said
    assert main(["list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {"recipe", "summary", "trained", "result"} <= set(rows[0])
    several = [row["result"]["ours"] for row in rows if row["result"]]
    several = [ours for ours in several if ours["std"] is not None]
    assert said.count("; all ") == len(several) > 1  # the best of several is not all there is
    for ours in several:
        assert f"; all {len(ours['values'])} runs: {ours['mean']:.3g} ± {ours['std']:.2g})" in said


def test_run_gives_a_line_for_each_sentence_and_for_each_line_of_a_file(run, capsys, tmp_path):
    file = tmp_path / "lines.txt"
    file.write_text("시청 으로 가자\n\n서울역 으로 가자\n", encoding="utf-8")
    assert main(["run", str(run), "시청 으로 가자", str(file)]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert len(lines) == 5  # one, three of the file, and nothing after the last line
    assert lines[2] == ""
    assert lines[0] == lines[1]


def test_run_reads_standard_input(run, capsys, monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO("시청 으로 가자\n\n".encode()), encoding="latin-1")
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main(["run", str(run), "-", "--json"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["input"] for answer in answers] == ["시청 으로 가자", ""]
    assert len(answers[0]["weights"]) == len(answers[0]["target"])


def test_greedy_and_drawn_translations_can_be_asked_for(run, capsys):
    assert main(["run", str(run), "시청 으로 가자", "--set", "beams=1"]) == 0
    assert main(["run", str(run), "시청 으로 가자", "--sample", "1.0", "--seed", "3"]) == 0
    first = capsys.readouterr().out.splitlines()[-1]
    assert main(["run", str(run), "시청 으로 가자", "--sample", "1.0", "--seed", "3"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == first


def test_evaluate_keeps_its_numbers_in_the_run_folder(run, capsys):
    assert main(["evaluate", str(run), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    kept = json.loads((run / "evaluation.json").read_text(encoding="utf-8"))
    assert printed == kept["measured"]
    assert {"BLEU", "exact", "alignment error rate"} == {row["metric"] for row in printed}


@pytest.mark.filterwarnings("ignore:no installed font")
@pytest.mark.parametrize("name", ["page.html", "picture.png", "picture.svg", "picture.pdf"])
def test_show_writes_a_page_or_a_picture_and_names_it(run, capsys, tmp_path, name):
    path = tmp_path / name
    assert main(["show", str(run), "시청 으로 가자", "--to", str(path)]) == 0
    assert capsys.readouterr().out.strip() == str(path)
    assert path.stat().st_size > 1000


def test_a_stopped_run_goes_on_with_resume(tmp_path, capsys):
    folder = tmp_path / "run"
    assert main(["train", "rnnsearch-directions", "--to", str(folder), *TINY]) == 0
    before = (folder / "model.safetensors").read_bytes()
    assert main(["train", "--resume", str(folder)]) == 0
    assert "the end of the schedule" in capsys.readouterr().out
    assert (folder / "model.safetensors").read_bytes() == before


def test_several_seeds_are_trained_side_by_side(tmp_path, capsys):
    folder = tmp_path / "run"
    arguments = ["train", "seq2seq-directions", "--to", str(folder), *TINY]
    assert main([*arguments, "--seeds", "2", "--jobs", "2"]) == 0
    assert "over 2 seeds" in capsys.readouterr().out
    first, second = (tmp_path / f"run-seed-{seed}" / "model.safetensors" for seed in (0, 1))
    assert first.read_bytes() != second.read_bytes()


def test_two_processes_train_one_run(tmp_path):
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2"]
    command += ["--rdzv-backend", "c10d", "--rdzv-endpoint", "127.0.0.1:0"]
    command += ["--local-addr", "127.0.0.1", "-m", "regard", "train", "rnnsearch-directions"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"}
    done = subprocess.run(
        [*command, "--to", str(folder), *TINY],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (folder / "model.safetensors").is_file()
    assert done.stdout.count("the end of the schedule") == 1


@pytest.mark.parametrize("before", [True, False])
def test_resume_may_stand_before_and_after_the_recipe_of_the_run(run, capsys, before):
    own, resume = "rnnsearch-directions", ["--resume", str(run)]
    arguments = [*resume, own] if before else [own, *resume]
    assert main(["train", *arguments]) == 0
    assert "ended by" in capsys.readouterr().out
    message = failed(["train", *arguments, "--epochs", 3, "--to", "x"], capsys)
    assert "leave out --epochs, --to" in message
    message = misunderstood(["train", *resume, "--epochs", 3, "--average=20"], capsys)
    assert "leave out --epochs, --average" in message  # 3 is not taken for a recipe
    other = ["seq2seq-directions" if word == own else word for word in arguments]
    assert "is a run of rnnsearch-directions" in failed(["train", *other], capsys)


def test_what_nobody_foresaw_is_a_message_too(tmp_path, capsys, monkeypatch):
    def surprise(*_):
        raise RuntimeError("nobody foresaw this")

    monkeypatch.setattr("regard.recipes.translation.recipe.Translation.train", surprise)
    arguments = ["train", "rnnsearch-directions", "--to", tmp_path / "run"]
    assert "REGARD_TRACEBACK=1" in failed([*arguments, "--pairs", "50", "--longest", "5"], capsys)
    assert not (tmp_path / "run").exists()


def test_a_killed_seed_is_no_success(monkeypatch, tmp_path):
    monkeypatch.setattr(crowd, "_train", lambda given, seed, folder: -9 if seed else 0)
    arguments = ["train", "seq2seq-directions", "--to", str(tmp_path / "run"), "--seeds", "2"]
    assert main(arguments) == 9


def test_own_pairs_are_trained_on_and_tested(tmp_path, capsys):
    table = tmp_path / "pairs.tsv"
    table.write_text("".join(f"a b{n}\tb{n} a\n" for n in range(30)), encoding="utf-8")
    folder = tmp_path / "run"
    small = ["--entries", "300", "--epochs", "1", *TINY[-6:]]
    arguments = ["train", "rnnsearch-pairs", "--train", str(table), "--to", str(folder)]
    assert main([*arguments, *small]) == 0
    assert f"training in {folder}" in capsys.readouterr().err
    assert "give one by --test FILE" in failed(["evaluate", folder], capsys)
    assert main(["evaluate", str(folder), "--test", str(table)]) == 0
    assert "BLEU" in capsys.readouterr().out


def test_an_unknown_option_is_answered_with_the_nearest(capsys):
    message = misunderstood(["train", "rnnsearch-directions", "--epoch", "3"], capsys)
    assert "did you mean --epochs?" in message


def test_an_unknown_or_ill_written_knob_for_once_is_named(run, capsys):
    message = failed(["run", run, "시청 으로 가자", "--set", "beam=1"], capsys)
    assert "no knob 'beam'; did you mean 'beams'" in message
    assert "KNOB=VALUE" in failed(["run", run, "시청", "--set", "beams"], capsys)
    assert "beams=many" in failed(["run", run, "시청", "--set", "beams=many"], capsys)


def test_what_is_not_a_number_or_not_a_recipe_is_not_understood(capsys):
    message = misunderstood(["train", "rnnsearch-directions", "--epochs", "many"], capsys)
    assert "'many'" in message
    message = misunderstood(["train", "rnnsearch-direction"], capsys)
    assert "no RECIPE 'rnnsearch-direction'; did you mean rnnsearch-directions?" in message
    assert "captions" not in message  # the names of all others
    assert " more\n" in misunderstood(["train", "30"], capsys)
    assert "which recipe" in misunderstood(["train"], capsys)


def test_a_knob_that_is_no_option_of_use_is_turned_for_once(run, capsys):
    message = misunderstood(["run", run, "a sentence", "--beams", 3], capsys)
    assert "no option '--beams'; a knob is turned for once by --set beams=VALUE" in message
    assert main(["run", str(run), "a sentence", "--set", "beams=3"]) == 0
    message = failed(["run", run, "a sentence", "--set", "beams=few"], capsys)
    assert "--set beams=few: beams is a whole number, and 'few' is none" in message


def test_a_run_folder_that_is_none_is_named(tmp_path, capsys):
    message = failed(["run", tmp_path, "a sentence"], capsys)
    assert "is not a run folder" in message
    assert "knobs.json" in message
    assert "there is no run" in failed(["evaluate", tmp_path / "nowhere"], capsys)
    assert "is not a run folder" in failed(["train", "--resume", tmp_path], capsys)
    (tmp_path / "knobs.json").write_text("[]")
    assert "knobs.json is not the JSON that training wrote" in failed(["run", tmp_path], capsys)


def test_a_run_that_is_not_there_is_told_from_what_is_near(tmp_path, capsys):
    message = failed(["run", "rnnsearch-directons", "a sentence"], capsys)
    assert "there is no run 'rnnsearch-directons'; did you mean 'rnnsearch-directions'?" in message
    seed = tmp_path / "mine-seed-0"
    seed.mkdir()
    message = failed(["run", tmp_path / "mine", "a sentence"], capsys)
    assert f"there is no run '{tmp_path / 'mine'}', but there is {seed}; give" in message


@pytest.mark.parametrize("seeds", ["0", "-1", "two"])
def test_a_number_of_seeds_that_is_none_is_named(seeds, capsys):
    message = misunderstood(["train", "rnnsearch-directions", f"--seeds={seeds}"], capsys)
    assert f"--seeds: must be a whole number from 1 on, but it is '{seeds}'" in message


def test_a_model_that_was_cut_short_is_named(run, tmp_path, capsys):
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in run.iterdir():
        if path.is_file():
            (copy / path.name).write_bytes(path.read_bytes())
    whole = (copy / "model.safetensors").read_bytes()
    (copy / "model.safetensors").write_bytes(whole[: len(whole) // 2])
    message = failed(["run", copy, "시청 으로 가자"], capsys)
    assert "model.safetensors" in message
    assert "cut short" in message


BAD_FILES = {
    "missing": (None, "there is no file"),
    "one column": (b"a b\tc d\njust one\n", "line 2: one column instead of two"),
    "empty": (b"", "empty"),
    "not text": (b"a\tb\n\xff\xfe\tc\n", "line 2"),
    "empty side": (b"a\tb\n\tc\n", "line 2: the source sentence is empty"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_bad_training_files_are_named_with_the_line(kind, tmp_path, capsys):
    content, expected = BAD_FILES[kind]
    path = tmp_path / "pairs.tsv"
    if content is not None:
        path.write_bytes(content)
    folder = tmp_path / "run"
    message = failed(["train", "rnnsearch-pairs", "--train", path, "--to", folder], capsys)
    assert "pairs.tsv" in message
    assert expected in message.lower()
    assert not folder.exists()  # nothing was begun


def test_files_of_different_lengths_are_named(tmp_path, capsys):
    source, target = tmp_path / "source.txt", tmp_path / "target.txt"
    source.write_text("a\nb\n", encoding="utf-8")
    target.write_text("a\n", encoding="utf-8")
    arguments = ["train", "rnnsearch-pairs", "--train", source, target, "--to", tmp_path / "run"]
    message = failed(arguments, capsys)
    assert "source.txt" in message
    assert "2" in message
    assert "1" in message


def test_a_wrong_device_is_named(tmp_path, capsys):
    arguments = ["train", "rnnsearch-directions", "--device", "abacus", "--to", tmp_path / "run"]
    assert "--device 'abacus'" in failed(arguments, capsys)


def test_a_picture_of_an_unknown_kind_is_refused_before_any_work(run, capsys, tmp_path):
    message = failed(["show", run, "--to", tmp_path / "picture.bmp"], capsys)
    assert ".html, .htm, .png, .svg, .pdf" in message
