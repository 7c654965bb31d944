"""The fused Turing machine under every use of autograd, on odd layouts and at the widest reach."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close
from torch.utils.checkpoint import checkpoint

from regard import record
from regard.kernels.tape import operators, passes
from regard.models.controllers import FeedForward, Recurrent
from regard.models.ntm import NTM

BATCH, TIME, GIVEN, OUTPUT, SLOTS, WORD, SIZE = 2, 5, 3, 4, 11, 7, 13
every_controller = pytest.mark.parametrize("kind", [FeedForward, Recurrent])


def machine(kind=Recurrent, heads=2, reach=1, slots=SLOTS):
    torch.manual_seed(0)
    controller = kind(GIVEN + heads * WORD, SIZE)
    made = NTM(
        controller, output_size=OUTPUT, slots=slots, word_size=WORD, heads=heads, reach=reach
    ).double()
    for parameter in made.parameters():  # everything differs, everything matters
        nn.init.normal_(parameter, std=0.5)
    return made


def drawn(batch=BATCH):
    torch.manual_seed(1)
    return torch.randn(batch, TIME, GIVEN, dtype=torch.float64)


@pytest.fixture
def runs(monkeypatch):
    """How often the kernel ran."""
    counted = []
    run = passes.run
    monkeypatch.setattr(operators, "run", lambda *each: (counted.append(1), run(*each))[1])
    return counted


def by_equations(monkeypatch, work, *arguments):
    with monkeypatch.context() as patch:
        patch.setenv("REGARD_KERNELS", "off")
        return work(*arguments)


def learn(model, inputs):
    inputs = inputs.detach().requires_grad_()
    model.zero_grad()
    model(inputs).square().sum().backward()
    return [inputs.grad, *(parameter.grad.clone() for parameter in model.parameters())]


@every_controller
def test_whatever_alone_wants_a_gradient_gets_the_one_it_would_get_among_all(kind, runs):
    model, inputs = machine(kind), drawn()
    to_inputs, *expected = learn(model, inputs)
    model.zero_grad()
    for one, wanted in zip(model.parameters(), expected, strict=True):
        for parameter in model.parameters():
            parameter.requires_grad_(parameter is one)
        model(inputs).square().sum().backward()
        assert_close(one.grad, wanted)
        one.grad = None
    model.requires_grad_(False)
    inputs.requires_grad_()
    model(inputs).square().sum().backward()
    assert_close(inputs.grad, to_inputs)
    assert all(parameter.grad is None for parameter in model.parameters())
    assert len(runs) == 2 + len(expected)


def test_the_way_back_may_be_gone_twice_where_it_is_kept(runs):
    model = machine()
    total = model(drawn()).square().sum()
    total.backward(retain_graph=True)
    once = [parameter.grad.clone() for parameter in model.parameters()]
    total.backward()
    for parameter, first in zip(model.parameters(), once, strict=True):
        assert_close(parameter.grad, 2 * first)
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        total.backward()
    assert len(runs) == 1


def test_a_gradient_through_a_checkpoint_is_the_same(runs):
    model, inputs = machine(), drawn().requires_grad_()
    expected = learn(model, inputs)
    model.zero_grad()
    checkpoint(model, inputs, use_reentrant=False).square().sum().backward()
    found = [inputs.grad, *(parameter.grad for parameter in model.parameters())]
    for one, other in zip(found, expected, strict=True):
        assert_close(one, other)
    assert len(runs) == 3  # once, and twice for the checkpoint


LAYOUTS = {
    "turned": lambda: drawn().transpose(0, 1).contiguous().transpose(0, 1),
    "every other number": lambda: drawn().repeat_interleave(2, dim=2)[..., ::2],
    "one row for all": lambda: drawn()[:1, :1].expand(BATCH, TIME, GIVEN),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_it_does_not_matter_how_inputs_lie_in_memory(layout, runs, monkeypatch):
    model, inputs = machine(), LAYOUTS[layout]()
    assert not inputs.is_contiguous()
    assert_close(model(inputs), by_equations(monkeypatch, model, inputs))
    assert len(runs) == 1


SLOPES = {
    "the last step": lambda outputs: outputs[:, -1].sum(),
    "one example": lambda outputs: outputs[1].square().sum(),
    "turned": lambda outputs: outputs.transpose(0, 2)[::3].sum(),
    "nothing": lambda outputs: 0 * outputs.sum(),
}


@pytest.mark.parametrize("slope", SLOPES)
def test_it_does_not_matter_what_part_of_the_outputs_is_judged(slope, runs, monkeypatch):
    model, inputs = machine(), drawn().requires_grad_()

    def judge():
        return torch.autograd.grad(SLOPES[slope](model(inputs)), inputs)[0]

    ours = judge()
    assert_close(ours, by_equations(monkeypatch, judge))
    assert len(runs) == 1


@every_controller
@pytest.mark.parametrize(("slots", "reach"), [(1, 0), (3, 1), (5, 2), (11, 5)])
@pytest.mark.parametrize("heads", [1, 5])
def test_heads_may_reach_the_whole_tape(kind, slots, reach, heads, runs, monkeypatch):
    model, inputs = machine(kind, heads, reach, slots), drawn()
    ours = learn(model, inputs)
    for one, other in zip(ours, by_equations(monkeypatch, learn, model, inputs), strict=True):
        assert_close(one, other, rtol=1e-9, atol=1e-10)
    assert len(runs) == 1


@every_controller
def test_a_batch_of_nothing_gives_nothing(kind):
    assert machine(kind)(drawn(batch=0)).shape == (0, TIME, OUTPUT)


@every_controller
@pytest.mark.parametrize("heads", [1, 3])
def test_a_recording_is_that_of_the_machine_whose_kernel_runs(kind, heads, runs, monkeypatch):
    """The outputs while it is recorded are those of the kernel: the maps belong to them."""
    model, inputs = machine(kind, heads, reach=2), drawn()
    with torch.no_grad():
        fused = model(inputs)
        with record(model) as maps:
            recorded = model(inputs)
    assert len(runs) == 1
    assert_close(fused, recorded)
    monkeypatch.setenv("REGARD_KERNELS", "off")
    with torch.no_grad(), record(model) as plain:
        model(inputs)
    for name in ("writers.going.watch", "readers.watch"):
        assert maps[name].weights.shape == (BATCH, heads, TIME, SLOTS)
        assert_close(maps[name].weights, plain[name].weights)
