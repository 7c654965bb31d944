"""What a command is given: sentences, files in any state, standard input."""

import io
import json
import sys

import pytest

from regard.command import main
from regard.command.inputs import read_inputs

SENTENCE = "서울역 근처 스타벅스 로 가자"
MARK = "\ufeff".encode()


def put_in(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="latin-1"))


@pytest.mark.parametrize("command", ["run", "show"])
def test_a_missing_file_is_not_taken_for_a_sentence(command, capsys, tmp_path):
    missing = str(tmp_path / "missing.txt")
    assert main([command, "rnnsearch-directions", missing]) != 0
    assert f"there is no file {missing}" in capsys.readouterr().err


def test_sentences_are_left_alone():
    texts = ["read missing.txt aloud", "시청", "e.g.", "\ufeff", ""]
    assert list(read_inputs(texts)) == texts
    with pytest.raises(ValueError, match=r"there is no file gone\.TSV"):
        list(read_inputs(["gone.TSV"]))


def test_a_byte_order_mark_and_line_ends_of_windows_are_no_letters(tmp_path, monkeypatch):
    content = MARK + f"{SENTENCE}\r\n\r\n{SENTENCE}".encode()
    (tmp_path / "lines.txt").write_bytes(content)
    put_in(monkeypatch, content)
    assert list(read_inputs([str(tmp_path / "lines.txt")])) == [SENTENCE, "", SENTENCE]
    assert list(read_inputs(["-"])) == [SENTENCE, "", SENTENCE]


def test_a_marked_line_is_translated_as_without_the_mark(monkeypatch, capsys):
    put_in(monkeypatch, MARK + f"{SENTENCE}\r\n".encode())
    assert main(["run", "rnnsearch-directions", "-"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "Let's go to Starbucks near Seoul station\n"
    assert not shown.err


def test_a_line_that_is_not_utf_8_is_named_and_those_before_it_are_read(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_bytes(b"good\n" * 49 + "caf\u00e9\n".encode("latin-1") + b"good\n" * 10)
    lines = read_inputs([str(path)])
    assert [next(lines) for _ in range(49)] == ["good"] * 49
    with pytest.raises(ValueError, match=r"lines\.txt, line 50: this is not UTF-8"):
        next(lines)


@pytest.mark.filterwarnings("ignore:no installed font")
def test_show_draws_the_sentences_of_a_file_not_its_name(tmp_path, capsys):
    path, page = tmp_path / "lines.txt", tmp_path / "page.html"
    path.write_text(f"{SENTENCE}\n시청 으로 가자\n", encoding="utf-8")
    assert main(["show", "rnnsearch-directions", str(path), "--to", str(page)]) == 0
    drawn = page.read_text(encoding="utf-8")
    assert "Starbucks" in drawn
    assert "lines.txt" not in drawn
    picture = str(tmp_path / "first.png")
    capsys.readouterr()
    assert main(["show", "rnnsearch-directions", str(path), "--to", picture]) == 0
    assert "the first of 2" in capsys.readouterr().err
    path.write_text("")
    assert main(["show", "rnnsearch-directions", str(path), "--to", picture]) == 1
    assert "nothing to draw" in capsys.readouterr().err


def test_knobs_of_another_size_cannot_be_set_for_once(capsys):
    words = [SENTENCE, "--set", "state_size=16", "--json"]
    assert main(["run", "rnnsearch-directions", *words]) == 1
    message = capsys.readouterr().err
    assert "--set state_size=16: the weights" in message
    assert "mismatch" not in message


def test_a_finished_run_whose_weights_are_cut_short_is_no_success(tmp_path, capsys):
    folder = tmp_path / "run"
    sizes = ["--word-size", "8", "--state-size", "8", "--hidden-size", "8"]
    tiny = ["--pairs", "60", "--longest", "6", "--epochs", "1", *sizes]
    assert main(["train", "rnnsearch-directions", "--to", str(folder), *tiny]) == 0
    assert main(["train", "--resume", str(folder)]) == 0
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    capsys.readouterr()
    assert main(["train", "--resume", str(folder)]) == 1
    assert "model.safetensors' is cut short" in capsys.readouterr().err


def test_inputs_may_stand_behind_options(capsys):
    options = ["--json", SENTENCE, "--set", "beams=1"]
    assert main(["run", "rnnsearch-directions", *options]) == 0
    assert json.loads(capsys.readouterr().out)["input"] == SENTENCE


def test_three_files_are_one_too_many(capsys):
    assert main(["train", "rnnsearch-pairs", "--train", "a", "b", "c"]) == 1
    assert "3 files" in capsys.readouterr().err


def test_a_bad_test_file_is_noticed_before_training(tmp_path, capsys):
    table = tmp_path / "pairs.tsv"
    table.write_text("".join(f"a b{n}\tb{n} a\n" for n in range(30)), encoding="utf-8")
    arguments = ["train", "rnnsearch-pairs", "--train", str(table), "--to", str(tmp_path / "run")]
    assert main([*arguments, "--test", str(tmp_path / "gone.tsv")]) == 1
    assert "there is no file" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_one_pair_many_times_is_said_to_be_one_sentence(tmp_path, capsys):
    table = tmp_path / "pairs.tsv"
    table.write_text("a b\tb a\n" * 30, encoding="utf-8")
    arguments = ["train", "rnnsearch-pairs", "--train", str(table), "--to", str(tmp_path / "run")]
    assert main(arguments) == 1
    assert "1 different source sentences in 30 pairs" in capsys.readouterr().err


def test_a_picture_of_a_translation_comes_with_the_same_remarks(tmp_path, capsys):
    to = str(tmp_path / "picture.html")
    assert main(["show", "rnnsearch-directions", "quux 로 가자", "--to", to]) == 0
    assert "never seen in training, so read as unknown: quux" in capsys.readouterr().err
