"""Sparsemax and 1.5-entmax equal their equations, row by row, in values and gradients."""

import math

import entmax
import pytest
import torch
from torch import tensor
from torch.testing import assert_close

from regard.kernels import entmax15, sparsemax, threads

both = pytest.mark.parametrize(
    ("module", "function", "oracle"),
    [
        (sparsemax, sparsemax.sparsemax, entmax.sparsemax),
        (entmax15, entmax15.entmax15, entmax.entmax15),
    ],
    ids=["sparsemax", "entmax15"],
)


@pytest.fixture(params=["compiled", "plain"], autouse=True)
def engine(request, monkeypatch):
    monkeypatch.setenv("REGARD_KERNELS", "on" if request.param == "compiled" else "off")


def draw(*shape, scale=1.0, dtype=torch.float64):
    torch.manual_seed(0)
    return (scale * torch.randn(*shape, dtype=dtype)).requires_grad_()


def slope_of(weights, scores):
    torch.manual_seed(1)
    slope = torch.randn(weights.shape, dtype=weights.dtype)
    return torch.autograd.grad(weights, scores, slope)[0]


def by_bisection(row, power):
    """Weights max(0, x - tau) ** power with tau between the bounds that hold it."""
    low, high = max(row) - 1, max(row)
    for _ in range(200):
        middle = (low + high) / 2
        total = sum(max(0.0, x - middle) ** power for x in row)
        low, high = (middle, high) if total > 1 else (low, middle)
    return [max(0.0, x - low) ** power for x in row]


def test_sparsemax_of_a_row_worked_by_hand():
    # support {0.5, 0.0}: tau = (0.5 + 0.0 - 1) / 2 = -0.25, so p = z + 0.25 there, 0 elsewhere
    assert_close(sparsemax.sparsemax(tensor([-2.0, 0.0, 0.5])), tensor([0.0, 0.25, 0.75]))


def test_entmax15_of_a_row_worked_by_hand():
    # x = z / 2 = (-2, 0.2, 0): with tau = -0.6, 0.8^2 + 0.6^2 = 1, and -2 is below tau
    assert_close(entmax15.entmax15(tensor([-4.0, 0.4, 0.0])), tensor([0.0, 0.64, 0.36]))


def test_rows_equal_a_bisection():
    scores = draw(13, 7, scale=1.5).detach()
    for row, thin, smooth in zip(
        scores, sparsemax.sparsemax(scores), entmax15.entmax15(scores), strict=True
    ):
        assert_close(thin, tensor(by_bisection(row.tolist(), 1), dtype=torch.float64))
        halves = (row / 2).tolist()
        assert_close(smooth, tensor(by_bisection(halves, 2), dtype=torch.float64))


@both
@pytest.mark.parametrize("keys", [1, 2, 7, 31, 131, 1009])
@pytest.mark.parametrize("scale", [0.0, 0.01, 1.0, 10.0, 1e6])
def test_weights_and_gradients_equal_the_oracle(module, function, oracle, keys, scale):
    scores = draw(3, 5, keys, scale=scale)
    ours, theirs = function(scores), oracle(scores, -1)
    assert_close(ours, theirs)
    assert_close(slope_of(ours, scores), slope_of(theirs, scores))


@both
def test_the_plain_equation_equals_the_oracle_through_autograd(module, function, oracle):
    scores, mask = draw(11, 13), torch.rand(11, 13) > 0.4
    mask[2] = False
    ours, theirs = module.plain(scores, mask), function(scores, mask)
    assert_close(ours, theirs)
    assert_close(slope_of(ours, scores), slope_of(theirs, scores))
    assert_close(module.plain(scores), oracle(scores, -1))


@both
@pytest.mark.parametrize("shape", [(2, 3, 5, 7), (3, 1, 7), (5, 7), (7,), (2, 1, 1, 7), (5, 1)])
def test_forbidden_keys_get_nothing_and_give_nothing(module, function, oracle, shape):
    scores = draw(2, 3, 5, 7, scale=2.0)
    torch.manual_seed(2)
    mask = torch.rand(shape) > 0.5
    weights = function(scores, mask)
    full = mask.expand(scores.shape)
    alone = oracle(scores.masked_fill(~full, -1e9), -1) * full.any(-1, keepdim=True)
    assert_close(weights, alone * full)
    assert (weights[~full] == 0).all()
    assert (slope_of(weights, scores)[~full] == 0).all()
    assert_close(function(scores.masked_fill(~full, 1e4), mask), weights)
    assert_close(weights.sum(-1), full.any(-1).double())


@both
def test_empty_rows_are_zero_and_so_are_their_gradients(module, function, oracle):
    scores, mask = draw(3, 5), torch.ones(3, 5, dtype=torch.bool)
    mask[1] = False
    weights = function(scores, mask)
    assert torch.equal(weights[1], torch.zeros(5, dtype=torch.float64))
    assert torch.equal(slope_of(weights, scores)[1], torch.zeros(5, dtype=torch.float64))
    assert function(draw(3, 0)).shape == (3, 0)
    assert function(draw(0, 3)).shape == (0, 3)
    assert torch.autograd.grad(function(empty := draw(3, 0)).sum(), empty)[0].shape == (3, 0)


@both
def test_minus_infinity_is_forbidden_and_the_strange_stay_in_their_rows(module, function, oracle):
    scores = draw(5, 7).detach()
    scores[1, 2], scores[2, 3], scores[3, 4], scores[4] = math.nan, math.inf, -math.inf, -math.inf
    weights = function(scores.requires_grad_())
    assert weights[1:3].isnan().all()
    assert_close(weights[0], oracle(scores[0], -1))
    allowed = torch.arange(7) != 4
    assert_close(weights[3, allowed], oracle(scores[3, allowed], -1))
    assert weights[3, 4] == 0
    assert torch.equal(weights[4], torch.zeros(7, dtype=torch.float64))
    slope = slope_of(weights, scores)
    assert slope[1:3].isnan().all()
    assert slope[[0, 3, 4]].isfinite().all()


@both
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_every_dtype_is_as_close_to_double_as_it_can_be(module, function, oracle, dtype):
    scores = draw(11, 37, dtype=dtype)
    weights = function(scores)
    assert weights.dtype == dtype
    exact = scores.detach().double().requires_grad_()
    theirs = oracle(exact, -1)
    eps = torch.finfo(dtype).eps
    assert_close(weights.double(), theirs, rtol=eps, atol=2 * eps)
    slope = torch.randn(11, 37).to(dtype)
    ours = torch.autograd.grad(weights, scores, slope)[0]
    assert ours.dtype == dtype
    wanted = torch.autograd.grad(theirs, exact, slope.double())[0]
    assert_close(ours.double(), wanted, rtol=0, atol=8 * eps)


@both
def test_large_scores_lose_nothing(module, function, oracle):
    scores = draw(7, 11, dtype=torch.float32).detach().round(decimals=2)
    shifted = scores + 2.0**20
    assert_close(function(shifted), function(shifted - 2.0**20))
    assert function(tensor([3e38, -3e38, 0.0])).tolist() == [1.0, 0.0, 0.0]


@both
def test_derivatives_pass_gradcheck_twice(module, function, oracle):
    scores, mask = draw(5, 7), torch.rand(5, 7) > 0.4
    mask[2] = False
    assert torch.autograd.gradcheck(function, (scores, mask))
    assert torch.autograd.gradgradcheck(function, (scores, mask))


@both
def test_operators_pass_the_checks_of_torch(module, function, oracle):
    for mask in (None, torch.rand(3, 1, 7) > 0.4):
        torch.library.opcheck(module.WEIGHTS, (draw(3, 5, 7), mask))


@both
def test_vmap_equals_a_loop(module, function, oracle):
    scores, mask = draw(3, 5, 7).detach(), torch.rand(5, 7) > 0.4
    mapped = torch.func.vmap(lambda z: function(z, mask), in_dims=1, out_dims=1)(
        scores.movedim(0, 1)
    )
    assert_close(mapped.movedim(1, 0), function(scores, mask))


@both
def test_scores_need_not_be_contiguous(module, function, oracle):
    scores = draw(7, 5, 3)
    turned = scores.permute(2, 1, 0)
    weights = function(turned)
    assert_close(weights, oracle(turned, -1))
    assert_close(slope_of(weights, scores), slope_of(oracle(turned, -1), scores))


@both
def test_results_do_not_depend_on_the_number_of_threads(module, function, oracle, monkeypatch):
    monkeypatch.setattr(threads, "WORTHWHILE", 0)
    scores = draw(101, 31, 131, dtype=torch.float32).detach()
    before, results = torch.get_num_threads(), []
    try:
        for count in (1, 2, 3):
            torch.set_num_threads(count)
            results.append(function(scores))
    finally:
        torch.set_num_threads(before)
    assert torch.equal(results[0], results[1])
    assert torch.equal(results[0], results[2])
