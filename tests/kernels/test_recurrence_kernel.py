"""The fused recurrence equals its equations, and stands back where more than speed would change."""

import subprocess
import sys

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard.kernels import recurrence
from regard.kernels.recurrence import operators, passes, plain

BATCH, QUERY, TIME, SIZE = 2, 3, 5, 7
CLOSE = {torch.float32: {"rtol": 2e-4, "atol": 2e-5}, torch.float64: {"rtol": 1e-9, "atol": 1e-11}}
every_width = pytest.mark.parametrize("maps", [2, 3])


@pytest.fixture
def runs(monkeypatch):
    """How often the kernel ran."""
    counted = []
    run = passes.run
    monkeypatch.setattr(operators, "run", lambda *each: (counted.append(1), run(*each))[1])
    return counted


def drawn(maps=3, dtype=torch.float64, batch=(BATCH,), queries=QUERY, time=TIME, size=SIZE):
    torch.manual_seed(0)
    tensors = (
        torch.randn(*batch, time, maps * size, dtype=dtype),
        torch.rand(*batch, queries, time, dtype=dtype),
        torch.randn(maps * size, size, dtype=dtype),
    )
    return tuple(each.requires_grad_() for each in tensors)


def learn(states, tensors):
    """States, and gradients of a sum with mixed signs."""
    made = states(*tensors)
    slope = torch.linspace(-1, 2, made.numel(), dtype=made.dtype).view(made.shape)
    return made, torch.autograd.grad(made, tensors, slope)


def same(ours, theirs, dtype):
    assert_close(ours[0], theirs[0], **CLOSE[dtype])
    for mine, other in zip(ours[1], theirs[1], strict=True):
        assert_close(mine, other, **CLOSE[dtype])


@every_width
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("queries", [1, 3])
@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_states_and_gradients_are_those_of_the_equations(maps, dtype, queries, batch, runs):
    tensors = drawn(maps, dtype, batch, queries)
    ours = learn(recurrence.states, tensors)
    assert len(runs) == 1
    assert ours[0].shape == (*batch, queries, TIME, SIZE)
    same(ours, learn(plain.states, tensors), dtype)


@pytest.mark.parametrize(("time", "size"), [(1, 1), (1, 7), (40, 2), (3, 131)])
def test_any_size_is_that_of_the_equations(time, size, runs):
    tensors = drawn(time=time, size=size)
    same(learn(recurrence.states, tensors), learn(plain.states, tensors), torch.float64)
    assert len(runs) == 1


def test_heads_may_share_what_is_given(runs):
    given, weights, feedback = drawn(batch=(BATCH, 1))
    weights = torch.rand(BATCH, 3, QUERY, TIME, dtype=torch.float64, requires_grad=True)
    tensors = given, weights, feedback
    same(learn(recurrence.states, tensors), learn(plain.states, tensors), torch.float64)
    assert len(runs) == 1


def test_with_weights_of_one_it_is_the_gated_unit_of_torch(runs):
    unit, inputs = nn.GRU(3, SIZE, batch_first=True).double(), torch.randn(BATCH, TIME, 3).double()
    order = torch.tensor([1, 0, 2])  # torch has r, z, n, and its z is the share of the old state
    sign = torch.tensor([-1.0, 1.0, 1.0]).double().view(3, 1, 1)

    def turned(weight):
        return (weight.view(3, SIZE, -1)[order] * sign).flatten(0, 1)

    nn.init.zeros_(unit.bias_hh_l0)
    given = inputs @ turned(unit.weight_ih_l0).T + turned(unit.bias_ih_l0).squeeze(-1)
    ones = torch.ones(BATCH, 1, TIME, dtype=torch.float64)
    found = recurrence.states(given, ones, turned(unit.weight_hh_l0))
    assert_close(found.squeeze(1), unit(inputs)[0])
    assert len(runs) == 1


@every_width
@pytest.mark.parametrize("states", [recurrence.states, plain.states])
def test_steps_without_weight_leave_the_state_and_pass_no_gradient(maps, states):
    given, weights, feedback = drawn(maps)
    weights = weights.detach().clone()
    weights[..., 1:3] = 0
    loud = given.detach().clone()
    loud[:, 1:3] = 1e9
    loud.requires_grad_()
    found, kept = states(loud, weights, feedback), [0, 3, 4]
    assert_close(found[..., 1, :], found[..., 0, :], rtol=0, atol=0)
    assert_close(found[..., kept, :], states(given[:, kept], weights[..., kept], feedback))
    (slope,) = torch.autograd.grad(found.square().sum(), loud)
    assert not slope[:, 1:3].any()
    assert slope.isfinite().all()


def test_a_broken_example_does_not_touch_the_others_and_stays_visible(runs):
    given, weights, feedback = (each.detach() for each in drawn())
    expected = recurrence.states(given, weights, feedback)
    given[1, 2, 0] = float("nan")
    found = recurrence.states(given, weights, feedback)
    assert_close(found[0], expected[0], rtol=0, atol=0)
    assert_close(found[1, :, :2], expected[1, :, :2], rtol=0, atol=0)
    assert found[1, :, 3:].isnan().all()
    assert len(runs) == 2


@every_width
def test_gradients_pass_gradcheck_twice(maps, runs):
    tensors = drawn(maps, time=3, size=2)
    assert torch.autograd.gradcheck(recurrence.states, tensors)
    assert torch.autograd.gradgradcheck(recurrence.states, tensors)
    assert len(runs) > 1


def test_many_gradients_at_once_are_each_of_them(runs):
    tensors = drawn()
    made = recurrence.states(*tensors)
    slopes = torch.randn(3, *made.shape, dtype=torch.float64)
    together = torch.autograd.grad(made, tensors, slopes, is_grads_batched=True, retain_graph=True)
    for index, slope in enumerate(slopes):
        alone = torch.autograd.grad(made, tensors, slope, retain_graph=True)
        for found, expected in zip(together, alone, strict=True):
            assert_close(found[index], expected)
    assert len(runs) == 1


def test_without_gradients_states_are_the_same_and_little_is_held(runs):
    tensors = drawn()
    expected = recurrence.states(*tensors)
    with torch.no_grad():
        assert_close(recurrence.states(*tensors), expected.detach())
    with torch.inference_mode():
        assert_close(recurrence.states(*tensors), expected.detach())
    assert len(runs) == 3
    made = passes.begin(torch.zeros(50, 2, 21), torch.zeros(50, 2), torch.zeros(21, 7), keep=False)
    assert [len(each) for each in made] == [51, 1, 1]


def test_what_the_kernel_does_not_know_takes_the_equations(runs, monkeypatch):
    tensors = drawn(dtype=torch.float32)
    half = [each.detach().bfloat16() for each in tensors]
    assert recurrence.states(*half).dtype == torch.bfloat16
    with torch.autocast("cpu", dtype=torch.bfloat16):
        recurrence.states(*tensors)
    given, weights, feedback = (each.detach() for each in tensors)
    mapped = torch.func.vmap(recurrence.states, (0, 0, None))(given, weights, feedback)
    slope = torch.func.grad(lambda each: recurrence.states(each, weights, feedback).sum())(given)
    assert recurrence.states(given[:, :0], weights[..., :0], feedback).shape == (2, 3, 0, 7)
    with monkeypatch.context() as patch:
        patch.setenv("REGARD_KERNELS", "off")
        recurrence.states(*tensors)
    assert runs == []
    assert_close(mapped, recurrence.states(given, weights, feedback))
    made = recurrence.states(*tensors)
    assert_close(slope, torch.autograd.grad(made.sum(), tensors[0])[0], rtol=1e-4, atol=1e-6)


def test_importing_the_blends_imports_no_numba():
    code = "import sys, regard.blends; print('numba' in sys.modules)"
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert printed.stdout.strip() == "False"
