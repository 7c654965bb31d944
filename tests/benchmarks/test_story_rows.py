"""Rows of memory networks compare like with like."""

import importlib
from pathlib import Path

import pytest
import torch

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def stories(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("stories")


def test_both_draw_from_the_same_examples(stories, monkeypatch):
    story, question = torch.randint(1, 9, (2_000, 4, 5)), torch.randint(1, 9, (2_000, 5))
    given = story, question, torch.randint(1, 9, (2_000,))
    drawn = {}
    monkeypatch.setattr(stories, "ready", lambda tasks: (given, 9))
    monkeypatch.setattr(
        stories, "learn_eagerly", lambda _, examples, rate: drawn.update(peer=examples)
    )
    monkeypatch.setattr(stories, "learn", lambda _, examples, *rest: drawn.update(ours=examples))
    for work in stories.steps((1,), 7):
        work()
    ours = drawn["ours"]
    assert len(ours.answer) == stories.BATCH * stories.STEPS
    unpacked = ours.sentences[ours.story], ours.sentences[ours.question], ours.answer
    for mine, peers in zip(unpacked, drawn["peer"], strict=True):
        assert torch.equal(mine, peers)
