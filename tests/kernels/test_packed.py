"""Matrices laid out for loops give what the plain product gives, and stand back where they must."""

import pytest
import torch
from torch.func import vmap
from torch.nn.functional import linear
from torch.testing import assert_close

from regard.kernels import packed as module
from regard.kernels.packed import LARGE, packable, packed

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
    assert not packable(WEIGHT)
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
