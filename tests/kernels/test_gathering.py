"""Many looks at the same keys: gradients that are gathered are those of looks by themselves."""

import gc

import pytest
import torch
from torch import nn
from torch.testing import assert_close
from torch.utils.weak import TensorWeakRef

from regard.kernels import additive
from regard.kernels.additive import gathering, passes, plain, tiles

BATCH, KEYS, HIDDEN, VALUE, LOOKS = 2, 11, 13, 5, 3


class Loop:
    """A small loop of looks, each asking by what the last one saw."""

    def __init__(self, dtype=torch.float64, masked=True):
        draw = torch.Generator().manual_seed(0)

        def make(*shape):
            return torch.randn(*shape, generator=draw, dtype=dtype).requires_grad_()

        self.first, self.back = make(BATCH, 1, HIDDEN), make(VALUE, HIDDEN)
        self.key, self.value = make(BATCH, KEYS, HIDDEN), make(BATCH, KEYS, VALUE)
        self.vector = nn.Parameter(make(HIDDEN).detach())
        self.mask = torch.arange(KEYS) < torch.tensor([[[KEYS]], [[7]]]) if masked else None
        self.leaves = [self.first, self.back, self.key, self.value, self.vector]

    def looks(self, attend):
        key, value = self.key * 0.1, self.value * 1.0  # not leaves, as in a decoder
        query, seen = self.first, []
        for _ in range(LOOKS):
            context = attend(query, key, self.vector, value, self.mask)
            query = query + context @ self.back
            seen.append(context)
        return seen

    def gathered(self):
        return self.looks(lambda *inputs: additive.attend(*inputs).context)

    def plainly(self):
        return self.looks(plain.context)


def summed(contexts):
    return sum((number + 1) * each.square().sum() for number, each in enumerate(contexts))


def gradients(loop, contexts, **options):
    return torch.autograd.grad(summed(contexts), loop.leaves, **options)


@pytest.fixture(autouse=True)
def nothing_is_few(monkeypatch):
    """So that small looks, too, are worked out by the kernel."""
    monkeypatch.setattr(additive, "FEW", 0)


@pytest.fixture
def tied(monkeypatch):
    """How many looks went the way of gathering."""
    counted, apply = [], gathering._Look.apply
    monkeypatch.setattr(
        gathering._Look, "apply", lambda *inputs: counted.append(1) or apply(*inputs)
    )
    return counted


@pytest.mark.parametrize("masked", [True, False])
def test_gradients_of_a_loop_of_looks_are_the_plain_ones(tied, masked):
    loop = Loop(masked=masked)
    found, expected = loop.gathered(), loop.plainly()
    for one, other in zip(found, expected, strict=True):
        assert_close(one, other)
    for one, other in zip(gradients(loop, found), gradients(loop, expected), strict=True):
        assert_close(one, other)
    assert len(tied) == LOOKS - 1  # the first look may be the only one


def test_single_precision_too():
    loop = Loop(dtype=torch.float32)
    found, expected = gradients(loop, loop.gathered()), gradients(loop, loop.plainly())
    for one, other in zip(found, expected, strict=True):
        assert_close(one, other, rtol=1e-3, atol=1e-4)


def test_a_row_that_sees_nothing_has_no_gradient():
    loop = Loop()
    loop.mask = loop.mask & torch.tensor([[[True]], [[False]]])
    found = gradients(loop, loop.gathered())
    assert all(each.isfinite().all() for each in found)
    assert not found[2][1].any()
    assert not found[3][1].any()


def test_a_pass_that_stops_before_the_keys_leaves_nothing_to_the_next():
    loop = Loop()
    found, expected = loop.gathered(), loop.plainly()
    torch.autograd.grad(summed(found), [loop.first], retain_graph=True)
    for one, other in zip(gradients(loop, found), gradients(loop, expected), strict=True):
        assert_close(one, other)


def test_two_passes_through_one_graph_give_the_same():
    loop = Loop()
    contexts = loop.gathered()
    first = gradients(loop, contexts, retain_graph=True)
    for one, other in zip(first, gradients(loop, contexts), strict=True):
        assert_close(one, other)


def test_looks_may_go_back_one_by_one():
    loop = Loop()
    key, value = loop.key.mul(1.0), loop.value.mul(1.0)
    total = torch.zeros_like(key)
    for _ in range(LOOKS):
        seen = additive.attend(loop.first, key, loop.vector, value, None).context
        total += torch.autograd.grad(seen.square().sum(), key)[0]
    alone = plain.context(loop.first, key, loop.vector, value, None)
    assert_close(total, LOOKS * torch.autograd.grad(alone.square().sum(), key)[0])


def test_second_derivatives_are_the_plain_ones(tied):
    loop = Loop()
    found, expected = (
        torch.autograd.grad(
            sum(each.square().sum() for each in gradients(loop, contexts, create_graph=True)),
            loop.leaves,
        )
        for contexts in (loop.gathered(), loop.plainly())
    )
    for one, other in zip(found, expected, strict=True):
        assert_close(one, other)
    assert tied


def test_other_values_and_changed_keys_are_other_looks(tied):
    loop = Loop()
    key, value = loop.key * 1.0, loop.value * 1.0
    additive.attend(loop.first, key, loop.vector, value, None)
    additive.attend(loop.first, key, loop.vector, value + 1, None)
    additive.attend(loop.first, key, loop.vector, value, None)
    key.detach().add_(1)
    seen = additive.attend(loop.first, key, loop.vector, value, None)
    assert_close(seen.context, plain.context(loop.first, key, loop.vector, value, None))
    assert not tied


def test_all_later_looks_share_one_tie(monkeypatch):
    ties, apply = [], gathering._Gathering.apply
    monkeypatch.setattr(
        gathering._Gathering, "apply", lambda *inputs: ties.append(1) or apply(*inputs)
    )
    contexts = Loop().gathered()
    assert len(contexts) == LOOKS
    assert len(ties) == 1


def test_a_changed_value_is_noticed_on_the_way_back():
    loop = Loop()
    value = loop.value * 1.0
    key = loop.key * 1.0
    for _ in range(2):
        seen = additive.attend(loop.first, key, loop.vector, value, None)
    value.detach().add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        seen.context.sum().backward()


def test_keys_die_with_their_looks(tied):
    loop = Loop()
    key, query = loop.key * 1.0, loop.first
    for _ in range(3):
        seen = additive.attend(query, key, loop.vector, key, None)
        query = query + seen.context
    gone = TensorWeakRef(key)
    torch.autograd.grad(query.sum(), loop.first, retain_graph=True)  # leaves something lying
    del key, seen, query
    gc.collect()
    assert tied
    assert gone() is None


def test_without_gradients_nothing_is_gathered(tied):
    loop = Loop()
    with torch.no_grad():
        loop.gathered()
    assert not tied


@pytest.mark.parametrize("engine", ["compiled", "chunked"])
@pytest.mark.parametrize("queries", [1, 3])
def test_the_gradient_of_queries_alone_is_that_of_all(engine, queries, monkeypatch):
    monkeypatch.setattr(tiles, "available", lambda: engine == "compiled")
    query, key = torch.randn(BATCH, queries, HIDDEN), torch.randn(BATCH, KEYS, HIDDEN)
    slope, vector = torch.randn(BATCH, queries, KEYS), torch.randn(HIDDEN)
    alone = passes.query_gradient(slope, query, key, vector, None)
    assert_close(alone, passes.score_gradients(slope, query, key, vector, None)[0],
                 rtol=1e-4, atol=1e-4)  # fmt: skip
