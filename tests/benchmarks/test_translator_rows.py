"""The translators' rows of the benchmarks, small: both ways do the same work."""

import importlib
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch.testing import assert_close

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def rows():
    sys.path.append(str(BENCHMARKS))
    yield importlib.import_module("translators")
    sys.path.remove(str(BENCHMARKS))


@pytest.fixture
def sizes(rows):
    return rows.Sizes(vocabulary=101, size=8, readout=8, batch=3, length=5)


UNTRAINED = torch.tensor(101.0).log()  # the loss of a model that knows nothing


def parameters(model):
    return sum(parameter.numel() for parameter in model.parameters())


def test_the_eager_translator_has_our_parameters_and_three_more_biases(rows, sizes):
    ours, eager = rows.rnnsearch(sizes), rows.EagerTranslator(101, 8)
    assert parameters(eager) - parameters(ours) == 3 * 3 * 8


def test_a_step_of_either_translator_starts_at_the_loss_of_chance(rows, sizes):
    for step in rows.against_eager(sizes):
        assert_close(step(), UNTRAINED, atol=0.3, rtol=0)


@pytest.mark.parametrize("readout", [8, 6])
def test_a_step_of_joeynmt_starts_at_the_loss_of_chance(rows, sizes, readout):
    pytest.importorskip("joeynmt")
    for step in rows.against_joey(replace(sizes, readout=readout)):
        assert_close(step(), UNTRAINED, atol=0.3, rtol=0)


def test_the_even_row_has_as_many_parameters_as_joeynmt(rows):
    pytest.importorskip("joeynmt")
    theirs = parameters(rows.JoeyTranslator(8000, 512).model)
    assert abs(parameters(rows.rnnsearch(rows.EVEN)) / theirs - 1) < 0.001


@pytest.mark.parametrize("beams", [1, 5])
def test_both_searches_write_the_same_number_of_words(rows, sizes, beams):
    pytest.importorskip("joeynmt")
    theirs, ours = (search() for search in rows.searching(sizes, beams))
    assert theirs.shape == (3, 5)
    assert [len(written.words) for written in ours] == [5, 5, 5]


def test_both_transformers_have_the_same_weights_and_so_the_same_loss(rows, sizes):
    theirs, ours = rows.against_torch(sizes, heads=2, layers=2, dropout=0.0)
    assert_close(theirs(), ours())


def test_both_transformers_drop_equally_often(rows, sizes):
    drops = []
    for step in rows.against_torch(sizes, heads=2, layers=2, dropout=0.1):
        with torch.profiler.profile() as profile:
            assert step().isfinite()
        counts = {event.key: event.count for event in profile.key_averages()}
        drops.append(counts["aten::bernoulli_"])
    assert drops[0] == drops[1]
