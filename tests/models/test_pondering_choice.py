"""Networks ponder by one kernel, which stands back wherever more than speed would change."""

import warnings
from functools import partial

import pytest
import torch
from torch import nn
from torch.testing import assert_close
from torch.utils.checkpoint import checkpoint

from regard import record
from regard.halting import FixedSteps, HaltingUnit
from regard.kernels.pondering import operators, passes
from regard.models import AdaptiveComputation, Elman, Gated, LongShort

BATCH, TIME, GIVEN, OUTPUT, SIZE = 5, 3, 4, 2, 7
HALTINGS = {
    "a unit": lambda: HaltingUnit(SIZE, most=9, bias=-1.0),
    "one that stops at once": lambda: HaltingUnit(SIZE, bias=9.0),
    "one that never stops": lambda: HaltingUnit(SIZE, most=4, bias=-99.0),
    "one step": lambda: FixedSteps(1),
    "three steps": lambda: FixedSteps(3),
}
every_cell = pytest.mark.parametrize("kind", [LongShort, Elman])
every_halting = pytest.mark.parametrize("halting", HALTINGS)


@pytest.fixture
def runs(monkeypatch):
    """How often the kernel ran."""
    counted = []
    run = passes.run
    monkeypatch.setattr(operators, "run", lambda *each: (counted.append(1), run(*each))[1])
    return counted


def same(ours, theirs, **near):
    for mine, other in zip(ours, theirs, strict=True):
        assert_close(mine, other, **near)


def model(kind, halting="a unit", dtype=torch.float32):
    torch.manual_seed(0)
    made = HALTINGS[halting]()
    if halting == "a unit":
        nn.init.normal_(made.to_probability.weight, std=3.0)
    return AdaptiveComputation(kind(GIVEN + 1, SIZE), made, output_size=OUTPUT).to(dtype)


def inputs(dtype=torch.float32):
    torch.manual_seed(1)
    return 2 * torch.randn(BATCH, TIME, GIVEN, dtype=dtype)


def taught(network, given):
    """What it says, how long it thought, and the gradients of both."""
    said = network(given)
    loss = said.outputs.sin().sum() + (said.ponder * torch.arange(1.0, TIME + 1)).sum()
    network.zero_grad()
    loss.backward()
    slopes = [each.grad.clone() for each in network.parameters()]
    return said.outputs, said.ponder, said.steps, *slopes


@every_cell
@every_halting
def test_a_network_learns_the_same_with_the_kernel_and_without(kind, halting, runs, monkeypatch):
    network, given = model(kind, halting, torch.float64), inputs(torch.float64)
    ours = taught(network, given)
    assert len(runs) == 1
    monkeypatch.setenv("REGARD_KERNELS", "off")
    same(ours, taught(network, given))
    assert len(runs) == 1


def test_whoever_records_sees_the_steps_of_the_same_answer(runs):
    network, given = model(LongShort), inputs()
    said = network(given)
    assert len(runs) == 1
    with record(network) as maps:
        again = network(given)
    assert len(runs) == 1
    assert_close(again.outputs, said.outputs)
    assert torch.equal((maps["watch"].weights > 0).sum(dim=-1).T.flatten().sort().values,
                       said.steps.flatten().sort().values)  # fmt: skip


class Own(LongShort):
    """Somebody's own cell."""

    def forward(self, prepared, state):
        hidden, memory = super().forward(prepared, state)
        return -hidden, memory


def hooked(kind=LongShort):
    network = model(kind)
    network.halting.register_forward_hook(lambda *_: None)
    return network


def parametrised():
    network = model(LongShort)
    nn.utils.parametrizations.weight_norm(network.cell.cell, "weight_hh")
    return network


def with_step_of_its_own():
    class Other(AdaptiveComputation):
        def step(self, state, first, again):
            return super().step(state, again, first)

    torch.manual_seed(0)
    return Other(LongShort(GIVEN + 1, SIZE), HaltingUnit(SIZE, most=5), output_size=OUTPUT)


def patched():
    network = model(LongShort)
    network.cell.read = lambda state: -state[0]
    return network


OTHERS = (
    hooked,
    parametrised,
    patched,
    with_step_of_its_own,
    partial(model, Own),
    partial(model, Gated),
)


@pytest.mark.parametrize("made", OTHERS)
def test_what_the_kernel_does_not_know_goes_step_by_step(made, runs, monkeypatch):
    network, given = made(), inputs()
    said = network(given)
    assert runs == []
    monkeypatch.setenv("REGARD_KERNELS", "off")
    assert_close(network(given).outputs, said.outputs)


def test_other_precisions_and_transforms_go_step_by_step(runs):
    network, given = model(LongShort), inputs()
    expected = network(given).outputs
    assert len(runs) == 1
    with torch.autocast("cpu", dtype=torch.bfloat16):
        network(given)
    slope = torch.func.grad(lambda each: network(each).outputs.sum())(given)
    assert len(runs) == 1
    given.requires_grad_()
    network(given).outputs.sum().backward()
    assert_close(slope, given.grad, rtol=1e-4, atol=1e-5)
    with torch.inference_mode():
        assert_close(network(given).outputs, expected.detach())


def test_a_halting_unit_for_another_cell_is_an_error_and_no_guess(runs):
    network = model(LongShort)
    network.halting = HaltingUnit(SIZE - 4)
    with pytest.raises(RuntimeError, match="shape"):
        network(inputs())
    assert runs == []


@every_cell
def test_large_cells_are_multiplied_in_blocks_and_learn_the_same(kind, runs, monkeypatch):
    torch.manual_seed(0)
    size = 600 if kind is Elman else 300  # beyond what kernels.packed lays out
    network = AdaptiveComputation(kind(GIVEN + 1, size), HaltingUnit(size, most=4), output_size=2)
    ours = taught(network, inputs())
    assert len(runs) == 1
    monkeypatch.setenv("REGARD_KERNELS", "off")
    same(ours, taught(network, inputs()), rtol=2e-4, atol=2e-5)


def test_a_checkpoint_passes_through_the_kernel(runs):
    network, given = model(LongShort), inputs().requires_grad_()
    made = checkpoint(lambda each: network(each).outputs, given, use_reentrant=False)
    (slope,) = torch.autograd.grad(made.sum(), given)
    assert len(runs) == 2
    (expected,) = torch.autograd.grad(network(given).outputs.sum(), given)
    assert_close(slope, expected)


def test_steps_may_be_changed_before_the_way_back(runs):
    network, given = model(LongShort), inputs()
    said = network(given)
    said.steps.clamp_(max=2)
    said.outputs.sum().backward()
    assert network.cell.first.grad.any()
    assert len(runs) == 1


def test_no_more_is_kept_for_the_way_back_than_happened(runs):
    kept = []
    network, given = model(LongShort, "one that stops at once"), inputs()
    with torch.autograd.graph.saved_tensors_hooks(
        lambda each: (kept.append(each.numel()), each)[1], lambda each: each
    ):
        network(given)
    gates = BATCH * TIME * 2 * 4 * SIZE  # two steps on each input
    assert len(runs) == 1
    assert max(kept) <= gates


def test_a_broken_example_takes_its_fixed_steps(runs):
    network, given = model(LongShort, "three steps"), inputs()
    given[1, 0, 0] = float("nan")
    assert (network(given).steps == 3).all()
    assert len(runs) == 1


def test_other_default_devices_and_traces_do_not_matter(runs):
    network, given = model(LongShort), inputs()
    expected = network(given).outputs
    with torch.device("meta"):
        assert_close(network(given).outputs, expected)
    assert len(runs) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a trace keeps the steps of its example
        traced = torch.jit.trace(network, given, check_trace=False)
    assert_close(traced(given)[0], expected)
    assert len(runs) == 2
