"""The fused pondering equals its equations, forward and backward."""

import pytest
import torch
from torch.testing import assert_close

from regard.kernels.pondering import Limits, Unit, operators, passes, plain, ponder

BATCH, TIME, SIZE = 5, 3, 7
CLOSE = {torch.float32: {"rtol": 2e-4, "atol": 2e-5}, torch.float64: {"rtol": 1e-9, "atol": 1e-11}}
CELLS = {"lstm": (4, SIZE), "tanh": (1, 0)}  # blocks of sums, width of the memory


@pytest.fixture
def runs(monkeypatch):
    """How often the kernel ran."""
    counted = []
    run = passes.run
    monkeypatch.setattr(operators, "run", lambda *each: (counted.append(1), run(*each))[1])
    return counted


def drawn(cell="lstm", dtype=torch.float64, batch=BATCH, time=TIME, size=SIZE, bias=-1.0):
    torch.manual_seed(0)
    blocks, memory = CELLS[cell]
    shapes = (time, batch, blocks * size), (blocks * size, size), (batch, size)
    raised, lowered = (torch.randn(shapes[0], dtype=dtype) for _ in range(2))
    feedback, hidden = (torch.randn(shape, dtype=dtype) for shape in shapes[1:])
    feedback = feedback / size**0.5  # else thirty steps make chaos of the last place
    first = torch.randn(batch, size if memory else 0, dtype=dtype)
    halting = 3 * torch.randn(size, dtype=dtype)
    tensors = raised, lowered, feedback, hidden, first, halting, torch.full((1,), bias, dtype=dtype)
    return [each.requires_grad_() for each in tensors]


def by_kernel(most, slack=0.01):
    return lambda *tensors: ponder(Unit(*tensors[:5]), *tensors[5:], Limits(most, slack))[:2]


def by_equations(most, slack=0.01):
    return lambda *tensors: plain.ponder(*tensors, most, slack)[:2]


def learn(way, tensors):
    """Outputs and remainders, and gradients of a sum with mixed signs."""
    made = way(*tensors)
    slopes = [
        torch.linspace(-1, 2, each.numel(), dtype=each.dtype).view(each.shape) for each in made
    ]
    return *made, *torch.autograd.grad(made, tensors, slopes, materialize_grads=True)


def same(ours, theirs, dtype=torch.float64):
    for mine, other in zip(ours, theirs, strict=True):
        assert_close(mine, other, **CLOSE[dtype])


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("most", [1, 2, 30])  # the last is more than there is room for at first
@pytest.mark.parametrize("bias", [-4.0, -1.0, 2.0])
def test_outputs_and_gradients_are_those_of_the_equations(cell, dtype, most, bias, runs):
    tensors = drawn(cell, dtype, bias=bias)
    same(learn(by_kernel(most), tensors), learn(by_equations(most), tensors), dtype)
    assert len(runs) == 1


def test_examples_that_take_more_steps_than_there_is_room_for_find_it(runs):
    tensors = drawn("tanh", time=2, bias=-90.0)
    most = 5 * passes.USUAL
    steps = ponder(Unit(*tensors[:5]), *tensors[5:], Limits(most, 0.01))[2]
    assert (steps > passes.USUAL).any()
    same(learn(by_kernel(most), tensors), learn(by_equations(most), tensors))
    assert len(runs) == 2


@pytest.mark.parametrize(("batch", "time", "size"), [(1, 1, 1), (2, 9, 3), (3, 1, 131)])
def test_any_size_is_that_of_the_equations(batch, time, size, runs):
    tensors = drawn(batch=batch, time=time, size=size)
    same(learn(by_kernel(6), tensors), learn(by_equations(6), tensors))
    assert len(runs) == 1


def test_examples_of_a_batch_take_different_numbers_of_steps():
    tensors = drawn()
    steps = ponder(Unit(*tensors[:5]), *tensors[5:], Limits(9, 0.01))[2]
    assert len(steps.unique()) > 2
    assert torch.equal(steps, plain.ponder(*tensors, 9, 0.01)[2])


@pytest.mark.parametrize("cell", CELLS)
def test_gradients_pass_gradcheck_twice(cell, runs):
    tensors = drawn(cell, batch=2, time=2, size=2)
    wanted = [each for each in tensors if each.numel()]

    def way(*given):
        found = iter(given)
        return by_kernel(3)(*(next(found) if each.numel() else each for each in tensors))

    assert torch.autograd.gradcheck(way, wanted)
    assert torch.autograd.gradgradcheck(way, wanted)
    assert len(runs) > 1


def test_many_gradients_at_once_are_each_of_them(runs):
    tensors = drawn()
    made, _ = by_kernel(5)(*tensors)
    slopes = torch.randn(3, *made.shape, dtype=torch.float64)
    together = torch.autograd.grad(made, tensors, slopes, is_grads_batched=True, retain_graph=True)
    for index, slope in enumerate(slopes):
        alone = torch.autograd.grad(made, tensors, slope, retain_graph=True)
        for found, expected in zip(together, alone, strict=True):
            assert_close(found[index], expected)
    assert len(runs) == 1


def test_a_broken_example_does_not_touch_the_others_and_stays_visible(runs):
    tensors = [each.detach() for each in drawn()]
    expected, _ = by_kernel(5)(*tensors)
    tensors[0][1, 2, 0] = float("nan")
    found, _ = by_kernel(5)(*tensors)
    others = [0, 1, 3, 4]
    assert_close(found[:, others], expected[:, others])
    assert found[1, 2].isnan().any()
    assert found[2:, 2].isnan().all()
    assert len(runs) == 2
