"""A run goes on with the pairs that it began with, or not at all."""

import pytest

from regard.command import main
from regard.tasks import read_pairs, split_by_source

SMALL = [
    *("--entries", "300", "--epochs", "1"),
    *("--word-size", "8", "--state-size", "8", "--hidden-size", "8"),
]


def refused(run, capsys):
    """What is said where a run cannot go on."""
    assert main(["train", "--resume", str(run)]) == 1
    return capsys.readouterr().err


def test_resuming_with_other_pairs_is_refused_and_changes_nothing(tmp_path, capsys, monkeypatch):
    table = tmp_path / "pairs.tsv"
    table.write_text("".join(f"a b{n}\tb{n} a\n" for n in range(30)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["train", "rnnsearch-pairs", "--train", "pairs.tsv", "--to", "run", *SMALL]) == 0
    before = (tmp_path / "run" / "source_entries.json").read_bytes()
    monkeypatch.chdir(tmp_path / "run")  # from elsewhere, too
    assert main(["train", "--resume", str(tmp_path / "run")]) == 0
    table.write_text("".join(f"c d{n}\td{n} c\n" for n in range(30)), encoding="utf-8")
    message = refused(tmp_path / "run", capsys)
    assert "not those that the run" in message
    assert (tmp_path / "run" / "source_entries.json").read_bytes() == before


@pytest.mark.parametrize("given", [["--valid", "chosen.tsv"], []])
def test_resuming_with_other_validation_pairs_is_refused(tmp_path, capsys, monkeypatch, given):
    pairs = [f"a b{number}\tb{number} a\n" for number in range(30)]
    table, chosen = tmp_path / "pairs.tsv", tmp_path / "chosen.tsv"
    for path in (table, chosen):
        path.write_text("".join(pairs), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    small = [*SMALL, *given, "--to", "run"]
    assert main(["train", "rnnsearch-pairs", "--train", "pairs.tsv", *small]) == 0
    if given:
        chosen.write_text("".join(pairs[:7]), encoding="utf-8")
    else:  # one pair is held out of thirty: other words in its translation alone
        held = split_by_source(read_pairs(table), 1, 0, seed=0).valid[0]
        line = f"{' '.join(held.source)}\t"
        table.write_text("".join(f"{line}z\n" if each.startswith(line) else each for each in pairs))
    message = refused("run", capsys)
    assert "the validation pairs are not those that the run" in message


def test_what_comes_next_is_a_command_that_works(tmp_path, capsys, monkeypatch):
    table = tmp_path / "pairs.tsv"
    table.write_text("".join(f"a b{n}\tb{n} a\n" for n in range(30)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    train = ["train", "rnnsearch-pairs", "--train", "pairs.tsv", *SMALL]
    assert main([*train, "--to", "run"]) == 0
    assert "next: regard evaluate run --test FILE | regard run run" in capsys.readouterr().err
    assert main(["evaluate", "run", "--test", "pairs.tsv"]) == 0
    assert main(["evaluate", "run"]) == 1
    assert "a run that is trained with --test keeps it" in capsys.readouterr().err
    assert main([*train, "--test", "pairs.tsv", "--to", "tested"]) == 0
    assert "next: regard evaluate tested | regard run tested" in capsys.readouterr().err
    assert main(["evaluate", "tested"]) == 0
    assert main(["show", "tested", "--lengths", "--to", "lengths.png"]) == 0
    assert (tmp_path / "lengths.png").is_file()
