"""What ``regard evaluate`` prints: each number, then how they were counted, each way once."""

from types import SimpleNamespace

import pytest

from regard.command import main, using
from regard.recipes.measured import Measured

FOUND = [
    Measured("test", "BLEU", 36.5, "BLEU", "higher", note="13a"),
    Measured("by length", "BLEU", 31.0, "BLEU", "higher", "1-4 words", note="13a", paper=30.0),
    Measured("test", "exact", 99.4, "%", "higher"),
    Measured("test", "BLEU-1", 67.0, "BLEU", "higher", note="lower case"),
    Measured("test", "BLEU-2", 45.0, "BLEU", "higher", note="lower case"),
    Measured("test", "error", 3.0, "%", "lower", note="mean over 2 tasks; 5 restarts"),
    Measured("test", "error", 2.0, "%", "lower", "task 1", note="5 restarts"),
    Measured("test", "error", 4.0, "%", "lower", "task 3", note="made-up stories; 5 restarts"),
]


@pytest.fixture
def printed(monkeypatch, tmp_path, capsys):
    recipe = SimpleNamespace(evaluate=lambda folder: FOUND)
    monkeypatch.setattr(using, "find", lambda name: tmp_path)
    monkeypatch.setattr(using, "opened", lambda folder: recipe)
    monkeypatch.setattr(using, "set_for_once", lambda recipe, _: recipe)
    assert main(["evaluate", "some-run"]) == 0
    return capsys.readouterr().out.splitlines()


def test_numbers_have_their_unit_once_and_the_papers_beside_them(printed):
    assert printed[:3] == [
        "test: BLEU 36.50",
        "by length, 1-4 words: BLEU 31.00 (paper: 30)",
        "test: exact 99.40 %",
    ]


def test_how_numbers_were_counted_is_said_once_behind_them(printed):
    assert printed[8:10] == ["  BLEU: 13a", "  BLEU-1, BLEU-2: lower case"]


def test_what_is_true_of_one_task_alone_is_said_with_its_name(printed):
    assert printed[10:] == [
        "  error: mean over 2 tasks",
        "  error: 5 restarts",
        "  error, task 3: made-up stories",
    ]
