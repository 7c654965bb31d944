"""Matrices laid out for loops give what the plain product gives, and stand back where they must."""

import pytest
import torch
from torch.func import vmap
from torch.nn.functional import linear
from torch.testing import assert_close

from regard.kernels import packed as module
from regard.kernels.packed import LARGE, MANY, packable, packed
from regard.kernels.packed import linear as packed_linear

WEIGHT = torch.randn(LARGE // 512 + 1, 512, generator=torch.Generator().manual_seed(0))
BIAS = torch.randn(len(WEIGHT), generator=torch.Generator().manual_seed(1))
GIVEN = {
    "one row": torch.randn(512),
    "rows": torch.randn(7, 512),
    "rows of examples": torch.randn(3, 2, 512),
    "no rows": torch.randn(0, 512),
    "every other number": torch.randn(5, 1024)[:, ::2],
    "turned": torch.randn(512, 5).mT,
    "the same row again": torch.randn(3, 1, 512).expand(3, 4, 512),
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
@pytest.mark.parametrize("bias", [BIAS, None], ids=["bias", "no bias"])
@torch.no_grad()
def test_a_packed_matrix_multiplies_as_the_plain_one(given, bias):
    made = packed(WEIGHT, bias)(given)
    assert made.layout is torch.strided
    assert_close(made, linear(given, WEIGHT, bias), atol=2e-4, rtol=1e-4)


@torch.no_grad()
def test_small_matrices_and_other_numbers_are_multiplied_plainly():
    assert packable(WEIGHT)
    assert not packable(WEIGHT[:100])
    assert not packable(WEIGHT.double())
    given = torch.randn(3, 512, dtype=torch.double)
    assert torch.equal(packed(WEIGHT.double())(given), linear(given, WEIGHT.double()))


def test_where_a_gradient_may_be_wanted_nothing_is_packed():
    weight, given = WEIGHT.clone().requires_grad_(), torch.randn(3, 512)
    packed(weight)(given).sum().backward()
    assert_close(weight.grad, given.sum(dim=0).expand_as(weight))


def _packed_inside(rows):
    return packed(WEIGHT)(rows)


@torch.no_grad()
def test_inside_vmap_the_plain_product_runs():
    given = torch.randn(5, 2, 512)
    found = vmap(_packed_inside)(given)
    assert_close(found, linear(given, WEIGHT))


@torch.no_grad()
def test_without_onednn_the_plain_product_runs(monkeypatch):
    monkeypatch.setattr(module, "THERE", False)
    given = torch.randn(3, 512)
    assert torch.equal(packed(WEIGHT, BIAS)(given), linear(given, WEIGHT, BIAS))


@torch.no_grad()
def test_under_autocast_the_plain_product_runs_in_its_precision():
    with torch.autocast("cpu", torch.bfloat16):
        assert not packable(WEIGHT)
        assert packed(WEIGHT, BIAS)(torch.randn(3, 512)).dtype is torch.bfloat16


@pytest.fixture
def laid_out(monkeypatch):
    """How many matrices were laid out."""
    counted, lay_out = [], module.lay_out
    monkeypatch.setattr(module, "lay_out", lambda *given: counted.append(given) or lay_out(*given))
    return counted


def _slopes(function, given, bias, **options):
    leaves = [given, WEIGHT.clone().requires_grad_()]
    leaves += [] if bias is None else [bias.clone().requires_grad_()]
    made = function(*leaves)
    return made, leaves, torch.autograd.grad(made.square().sum() / 100, leaves, **options)


@pytest.mark.parametrize("bias", [BIAS, None], ids=["bias", "no bias"])
@pytest.mark.parametrize("shape", [(MANY,), (2, MANY // 2)], ids=["rows", "rows of examples"])
def test_a_wide_product_and_its_gradients_are_the_plain_ones(laid_out, bias, shape):
    given = torch.randn(*shape, 512).requires_grad_()
    found, expected = (_slopes(each, given, bias) for each in (packed_linear, linear))
    assert len(laid_out) == 2  # there and back
    assert_close(found[0], expected[0], atol=1e-3, rtol=1e-4)
    for one, other in zip(found[2], expected[2], strict=True):
        assert_close(one, other, atol=1e-2, rtol=1e-3)


def test_what_wants_no_gradient_gets_none(laid_out):
    weight = WEIGHT.clone().requires_grad_()
    packed_linear(torch.randn(MANY, 512), weight).sum().backward()
    assert weight.grad is not None
    assert len(laid_out) == 1  # there alone


def test_second_derivatives_of_a_wide_product_are_the_plain_ones(laid_out):
    given = torch.randn(MANY, 512).requires_grad_()
    twice = []
    for function in (packed_linear, linear):
        _, leaves, slopes = _slopes(function, given, BIAS, create_graph=True)
        total = sum(each.square().sum() for each in slopes) / 1e4
        twice.append(torch.autograd.grad(total, leaves))
    assert laid_out
    for one, other in zip(*twice, strict=True):
        assert_close(one, other, atol=1e-1, rtol=1e-2)


def test_few_rows_and_small_matrices_are_multiplied_plainly(laid_out):
    few, many = torch.randn(MANY - 1, 512), torch.randn(MANY, 512)
    assert torch.equal(packed_linear(few, WEIGHT, BIAS), linear(few, WEIGHT, BIAS))
    assert torch.equal(packed_linear(many, WEIGHT[:100]), linear(many, WEIGHT[:100]))
    assert torch.equal(
        packed_linear(many.double(), WEIGHT.double()), linear(many.double(), WEIGHT.double())
    )
    assert not laid_out


def test_inside_vmap_a_wide_product_is_the_plain_one(laid_out):
    given = torch.randn(2, MANY, 512)
    found = vmap(lambda rows: packed_linear(rows, WEIGHT, BIAS))(given)
    assert_close(found, linear(given, WEIGHT, BIAS), atol=1e-3, rtol=1e-4)
    assert not laid_out
