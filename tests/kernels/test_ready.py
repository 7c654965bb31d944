"""Exponentials that are kept for many looks never outlive the keys that they were made of."""

import gc

import pytest
import torch
from torch.testing import assert_close

from regard import Attention
from regard.kernels import additive
from regard.kernels.additive import keeping, plain
from regard.scores import Additive

BATCH, KEY, HIDDEN = 2, 11, 13


@pytest.fixture(autouse=True)
def always_fused(monkeypatch):
    monkeypatch.setattr(additive, "FEW", 0)


@pytest.fixture
def drawn():
    torch.manual_seed(0)
    query = torch.randn(BATCH, 1, HIDDEN)
    return query, torch.randn(BATCH, KEY, HIDDEN), torch.randn(HIDDEN), torch.randn(BATCH, KEY, 7)


def test_the_second_look_at_the_same_keys_finds_them_ready(drawn):
    query, key, vector, value = drawn
    additive.attend(query, key, vector, value)
    first = keeping.ready(query, key)
    additive.attend(query + 1, key, vector, value)
    assert first is not None
    assert keeping.ready(query, key) is first
    assert_close(first, (2 * key).exp())


def test_scores_by_themselves_use_what_is_kept_and_stay_right(drawn):
    query, key, vector, _ = drawn
    key = key.requires_grad_() * 1  # not a leaf, as keys that a layer has made
    first = keeping.ready(query, key)
    assert_close(additive.scores(query, key, vector), plain.scores(query, key, vector))
    first.zero_()  # as if they had been other keys: nobody makes them anew
    wrong = additive.scores(query, key, vector)
    assert not torch.allclose(wrong, plain.scores(query, key, vector))


def test_gradients_of_scores_by_kept_exponentials_are_right(drawn):
    query, key, vector, _ = drawn
    found = []
    for score in (additive.scores, plain.scores):
        leaf = key.clone().requires_grad_()
        score(query, leaf * 1, vector).sin().sum().backward()
        found.append(leaf.grad)
    assert_close(*found)


def test_keys_that_were_changed_are_made_ready_anew(drawn):
    query, key, vector, value = drawn
    additive.attend(query, key, vector, value)
    key.mul_(0.5)
    assert_close(
        additive.attend(query, key, vector, value).context,
        plain.context(query, key, vector, value, None),
    )


def test_a_parameter_is_never_kept_since_optimisers_may_change_it_unnoticed(drawn):
    query, key, vector, value = drawn
    parameter = torch.nn.Parameter(key)
    additive.attend(query, parameter, vector, value)
    assert keeping.ready(query, parameter) is None
    parameter.data.mul_(0.5)
    assert_close(
        additive.attend(query, parameter, vector, value).context,
        plain.context(query, parameter, vector, value, None),
    )


def test_what_was_kept_goes_with_the_keys(drawn):
    query, key, vector, value = drawn
    another = key + 1
    additive.attend(query, another, vector, value)
    before = len(keeping._kept)
    assert before > 0
    del another
    gc.collect()
    assert len(keeping._kept) < before


def test_many_queries_keep_nothing_and_large_keys_take_the_way_that_stands_them(drawn):
    query, key, vector, value = drawn
    assert keeping.ready(query.expand(-1, 4, -1), key) is None
    large = 100 * key
    assert keeping.ready(query, large) is None
    assert_close(
        additive.attend(query, large, vector, value).context,
        plain.context(query, large, vector, value, None),
    )


def test_gradients_of_a_loop_of_looks_are_those_of_the_equation(drawn):
    query, key, vector, value = (each.requires_grad_() for each in drawn)
    prepared = key * 1  # as projected keys are: no leaf
    looks = [additive.attend(step * query, prepared, vector, value).context for step in (1, 2, 3)]
    ours = torch.autograd.grad(sum(looks).square().sum(), (query, key, vector, value))
    exact = sum(plain.context(step * query, key, vector, value, None) for step in (1, 2, 3))
    theirs = torch.autograd.grad(exact.square().sum(), (query, key, vector, value))
    for mine, other in zip(ours, theirs, strict=True):
        assert_close(mine, other, rtol=1e-4, atol=1e-5)


def test_weights_that_the_kernel_kept_are_those_that_are_worked_out(drawn):
    query, key, _, value = drawn
    look = Attention(Additive(query_size=HIDDEN, key_size=HIDDEN, hidden_size=5))
    mask = torch.ones(BATCH, 1, KEY, dtype=torch.bool)
    mask[0, 0, 3:] = False
    mask[1] = False  # may see nothing
    seen = look(query, key, value, mask)
    with torch.no_grad():
        kept = seen.weights
    assert seen.source.shown is not None
    assert_close(kept, seen.source.examine().weights)
    assert kept[1].sum() == 0
    assert seen.weights.requires_grad
