"""The fused Turing machine equals its equations, in values, gradients and awkward cases."""

import math

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard.kernels.tape import operators, passes, plain
from regard.models.controllers import FeedForward, Recurrent
from regard.models.ntm import NTM

BATCH, TIME, GIVEN, OUTPUT, SLOTS, WORD, SIZE = 2, 5, 3, 4, 11, 7, 13
CONTROLLERS = [FeedForward, Recurrent]
every_controller = pytest.mark.parametrize("kind", CONTROLLERS)
every_dtype = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
CLOSE = {torch.float32: {"rtol": 2e-4, "atol": 2e-5}, torch.float64: {"rtol": 1e-9, "atol": 1e-11}}


def machine(kind=Recurrent, heads=1, reach=1, dtype=torch.float32, scale=0.5, **sizes):
    torch.manual_seed(0)
    sizes = {"slots": SLOTS, "word": WORD, "size": SIZE} | sizes
    made = NTM(
        kind(GIVEN + heads * sizes["word"], sizes["size"]),
        output_size=OUTPUT,
        slots=sizes["slots"],
        word_size=sizes["word"],
        heads=heads,
        reach=reach,
    ).to(dtype)
    for parameter in made.parameters():  # everything differs, everything matters
        nn.init.normal_(parameter, std=scale)
    return made


def drawn(batch=BATCH, time=TIME, dtype=torch.float32):
    torch.manual_seed(1)
    return torch.randn(batch, time, GIVEN, dtype=dtype, requires_grad=True)


@pytest.fixture
def runs(monkeypatch):
    """How often the kernel ran."""
    counted = []
    run = passes.run
    monkeypatch.setattr(operators, "run", lambda *each: (counted.append(1), run(*each))[1])
    return counted


def learn(model, inputs):
    """Outputs, and gradients of the inputs and all parameters, of a sum with mixed signs."""
    outputs = model(inputs)
    slope = torch.linspace(-1, 2, outputs.numel(), dtype=outputs.dtype).view(outputs.shape)
    return outputs, torch.autograd.grad(outputs, [inputs, *model.parameters()], slope)


def by_equations(monkeypatch, work, *arguments):
    with monkeypatch.context() as patch:
        patch.setenv("REGARD_KERNELS", "off")
        return work(*arguments)


def same(ours, theirs, dtype):
    assert_close(ours[0], theirs[0], **CLOSE[dtype])
    for mine, other in zip(ours[1], theirs[1], strict=True):
        largest = other.abs().max().clamp_min(1)  # rounding is relative to what was added up
        assert_close(mine / largest, other / largest, **CLOSE[dtype])


@every_controller
@every_dtype
@pytest.mark.parametrize("heads", [1, 2, 3])
@pytest.mark.parametrize("reach", [0, 1, 2])
def test_outputs_and_gradients_are_those_of_the_equations(
    kind, heads, reach, dtype, runs, monkeypatch
):
    model, inputs = machine(kind, heads, reach, dtype), drawn(dtype=dtype)
    ours = learn(model, inputs)
    assert len(runs) == 1
    theirs = by_equations(monkeypatch, learn, model, inputs)
    assert len(runs) == 1
    assert ours[0].is_contiguous()
    same(ours, theirs, dtype)


@every_controller
@pytest.mark.parametrize(("batch", "time"), [(1, 1), (1, 7), (3, 1), (1, 40)])
def test_one_example_and_one_step_are_enough(kind, batch, time, runs, monkeypatch):
    dtype = torch.float64
    model, inputs = machine(kind, 2, dtype=dtype, scale=0.2), drawn(batch, time, dtype)
    same(learn(model, inputs), by_equations(monkeypatch, learn, model, inputs), dtype)
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("slots", "word", "reach"), [(1, 1, 0), (3, 2, 1), (5, 3, 2), (129, 21, 1)]
)
def test_tapes_of_any_size_are_those_of_the_equations(slots, word, reach, runs, monkeypatch):
    dtype = torch.float64
    model, inputs = machine(reach=reach, slots=slots, word=word, dtype=dtype), drawn(dtype=dtype)
    same(learn(model, inputs), by_equations(monkeypatch, learn, model, inputs), dtype)
    assert len(runs) == 1


@every_controller
def test_gradients_pass_gradcheck(kind, runs):
    model = machine(kind, 2, dtype=torch.float64, slots=5, word=2, size=3)
    inputs = drawn(1, 3, torch.float64)
    names, values = zip(*model.named_parameters(), strict=True)

    def run(inputs, *parameters):
        return torch.func.functional_call(model, dict(zip(names, parameters, strict=True)), inputs)

    # The tape starts at 1e-6, where the cosine bends sharply: steps must be smaller still.
    assert torch.autograd.gradcheck(run, (inputs, *values), eps=1e-7, atol=1e-5, rtol=1e-4)
    assert len(runs) > 1


@every_controller
@pytest.mark.parametrize("grad", ["no grad", "inference", "frozen"])
def test_without_gradients_outputs_are_the_same(kind, grad, runs):
    model, inputs = machine(kind, 2), drawn().detach()
    expected = model(inputs).detach()
    if grad == "frozen":
        found = model.requires_grad_(False)(inputs)
    else:
        with torch.no_grad() if grad == "no grad" else torch.inference_mode():
            found = model(inputs)
    assert_close(found, expected)
    assert len(runs) == 2


def test_without_gradients_only_one_step_is_held():
    model, inputs = machine(), drawn(time=50).detach()
    given, _, address, _, *start = told(model, inputs)
    made = passes.begin(given, address, *start, keep=False)
    assert {len(each) for each in made[1:]} == {1, 2}
    assert len(made.features) == 51


def loud(model, strength, power):
    """Heads that say the same whatever the controller puts out: so strong, so sharp."""
    for heads in (model.readers, model.writers.going):
        with torch.no_grad():
            heads.to_address.weight.zero_()
            row = heads.to_address.bias.view(heads.heads, -1)
            row.zero_()
            row[:, WORD], row[:, WORD + 1], row[:, -1] = strength, 0.0, power
            row[:, WORD + 2] = 200.0  # a whole step back, so that all other slots hold nothing


@every_dtype
@pytest.mark.parametrize("strength", [-200.0, 1.0, 1e4, 1e10])
@pytest.mark.parametrize("power", [-200.0, 50.0, 1e4, 1e10])
@pytest.mark.parametrize("key", [0.0, 1e3])
def test_extremes_stay_finite_and_are_those_of_the_equations(
    strength, power, key, dtype, runs, monkeypatch
):
    model, inputs = machine(heads=2, dtype=dtype, scale=0.1), drawn(dtype=dtype)
    loud(model, strength, power)
    with torch.no_grad():
        model.writers.going.to_address.bias.view(2, -1)[:, :WORD] = key
        model.writers.to_change.bias.view(2, 2, WORD)[:, 0] = 300.0  # everything is erased
        model.writers.to_change.bias.view(2, 2, WORD)[:, 1] = 0.0  # and nothing added
        model.writers.to_change.weight.zero_()
    ours = learn(model, inputs)
    assert all(each.isfinite().all() for each in (ours[0], *ours[1]))
    assert len(runs) == 1
    theirs = by_equations(monkeypatch, learn, model, inputs)
    assert all(each.isfinite().all() for each in (theirs[0], *theirs[1]))
    assert_close(ours[0], theirs[0], **CLOSE[dtype])


@pytest.mark.parametrize("broken", [float("nan"), float("inf")])
def test_a_broken_example_does_not_touch_the_others_and_stays_visible(broken, runs):
    model, inputs = machine(), drawn().detach()
    expected = model(inputs)
    inputs[1, 2, 0] = broken
    found = model(inputs)
    assert_close(found[0], expected[0], rtol=0, atol=0)
    assert_close(found[1, :2], expected[1, :2], rtol=0, atol=0)
    if math.isnan(broken):
        assert found[1, 2:].isnan().all()
    assert len(runs) == 2


@every_controller
def test_second_derivatives_are_those_of_the_equations(kind, runs, monkeypatch):
    dtype = torch.float64
    model, inputs = machine(kind, 2, dtype=dtype), drawn(dtype=dtype)

    def bend(model, inputs):
        tensors = [inputs, *model.parameters()]
        slopes = torch.autograd.grad(model(inputs).square().sum(), tensors, create_graph=True)
        return slopes[0], torch.autograd.grad(sum(each.square().sum() for each in slopes), tensors)

    ours = bend(model, inputs)
    assert len(runs) == 1
    same(ours, by_equations(monkeypatch, bend, model, inputs), dtype)


def test_many_gradients_at_once_are_each_of_them(runs):
    model, inputs = machine(dtype=torch.float64), drawn(dtype=torch.float64)
    outputs = model(inputs)
    slopes = torch.randn(3, *outputs.shape, dtype=torch.float64)
    together = torch.autograd.grad(
        outputs, inputs, slopes, is_grads_batched=True, retain_graph=True
    )[0]
    for slope, found in zip(slopes, together, strict=True):
        assert_close(found, torch.autograd.grad(outputs, inputs, slope, retain_graph=True)[0])
    assert len(runs) == 1


def told(model, inputs):
    """What the operator takes."""
    state = model.begin(len(inputs))
    driving = model.controller.driving(inputs, state.controller)
    tellers = model.writers.going.to_address, model.writers.to_change, model.readers.to_address
    first = torch.cat([driving.hidden, state.words.flatten(1)], dim=1)
    weight, bias = (
        torch.cat([getattr(each, name) for each in tellers]) for name in ("weight", "bias")
    )
    places = torch.stack([state.writing, state.reading], dim=1)
    sums = driving.given, driving.feedback, weight, bias
    return *sums, first, driving.cell, state.tape.mT, places


def test_the_operator_is_the_plain_equation_beside_it_and_passes_the_checks_of_torch():
    dtype = torch.float64
    arguments = told(machine(heads=2, dtype=dtype), drawn(dtype=dtype))
    assert_close(operators.MACHINE(*arguments, True)[0], plain.features(*arguments))
    bare = [each.detach() for each in arguments]
    for keep in (True, False):
        torch.library.opcheck(
            operators.MACHINE, (*bare, keep), test_utils=("test_schema", "test_faketensor")
        )
