"""The fused Turing machine stands back for the equations wherever more than speed would change."""

import subprocess
import sys
from functools import partial

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard import record
from regard.kernels.tape import operators, passes
from regard.models.controllers import FeedForward, Recurrent
from regard.models.ntm import NTM

BATCH, TIME, GIVEN, OUTPUT, SLOTS, WORD, SIZE = 2, 5, 3, 4, 11, 7, 13


def machine(kind=Recurrent, heads=1, dtype=torch.float32):
    torch.manual_seed(0)
    controller = kind(GIVEN + heads * WORD, SIZE)
    made = NTM(controller, output_size=OUTPUT, slots=SLOTS, word_size=WORD, heads=heads)
    return made.to(dtype)


def drawn(dtype=torch.float32):
    torch.manual_seed(1)
    return torch.randn(BATCH, TIME, GIVEN, dtype=dtype)


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


class Echo(FeedForward):
    """Somebody's own controller."""


class Marked(torch.Tensor):
    """Somebody's own kind of tensor."""


class Mirror(nn.Linear):
    """Somebody's own layer."""


def with_own_controller():
    return machine(Echo)


def with_own_layer():
    model = machine()
    model.readers.to_address = Mirror(SIZE, model.readers.to_address.out_features)
    return model


def with_a_hook(name, register="register_forward_hook"):
    model = machine()
    getattr(model.get_submodule(name), register)(lambda *_: None)
    return model


def with_a_patched_forward():
    model = machine()
    model.readers.forward = model.readers.forward
    return model


def with_a_first_tape_of_another_kind():
    model = machine()
    usual = model.begin

    def begin(batch):
        first = usual(batch)
        tape = first.tape.as_subclass(Marked)
        return first._replace(tape=tape)

    model.begin = begin
    return model


def with_a_parametrised_weight():
    model = machine()
    nn.utils.parametrizations.weight_norm(model.readers.to_address)
    return model


def without_a_bias():
    model = machine()
    model.controller.cell = nn.LSTMCell(GIVEN + WORD, SIZE, bias=False)
    return model


STRANGE = {
    "a controller of one's own": with_own_controller,
    "a layer of one's own": with_own_layer,
    "a hook on the heads": partial(with_a_hook, "writers.going"),
    "a hook on what they are told": partial(with_a_hook, "readers.to_address"),
    "a hook before the controller": partial(
        with_a_hook, "controller.cell", "register_forward_pre_hook"
    ),
    "a hook on the way back": partial(with_a_hook, "readers", "register_full_backward_hook"),
    "a patched forward": with_a_patched_forward,
    "a first tape of another kind": with_a_first_tape_of_another_kind,
    "a parametrised weight": with_a_parametrised_weight,
    "no bias": without_a_bias,
}


@pytest.mark.parametrize("strange", STRANGE)
def test_what_the_kernel_does_not_know_takes_the_equations(strange, runs):
    model, inputs = STRANGE[strange](), drawn()
    outputs = model(inputs)
    assert runs == []
    state, found = model.begin(BATCH), []
    for given in inputs.unbind(1):
        state, output = model.step(state, given)
        found.append(output)
    assert_close(outputs, torch.stack(found, dim=1))


def test_a_hook_on_every_module_takes_the_equations(runs):
    model, inputs = machine(), drawn()
    handle = nn.modules.module.register_module_forward_hook(lambda *_: None)
    try:
        model(inputs)
    finally:
        handle.remove()
    assert runs == []
    model(inputs)
    assert len(runs) == 1


def test_a_hook_on_the_machine_itself_is_no_obstacle(runs):
    model, seen = machine(), []
    model.register_forward_hook(lambda *each: seen.append(each[-1].shape))
    model(drawn())
    assert len(runs) == len(seen) == 1


def test_recording_shows_the_weights_of_the_equations(runs, monkeypatch):
    model, inputs = machine(heads=2), drawn()

    def watch(model, inputs):
        with record(model) as maps:
            outputs = model(inputs)
        return outputs, maps

    ours, maps = watch(model, inputs)
    theirs, expected = by_equations(monkeypatch, watch, model, inputs)
    assert list(maps) == list(expected) == ["writers.going.watch", "readers.watch"]
    for name in maps:
        assert maps[name].weights.shape == (BATCH, 2, TIME, SLOTS)
        assert_close(maps[name].weights, expected[name].weights)
    assert_close(ours, theirs)
    assert_close(model(inputs), theirs)
    assert len(runs) == 1  # the last, unwatched


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_takes_the_equations(dtype, runs):
    assert machine(dtype=dtype)(drawn(dtype=dtype)).dtype == dtype
    with torch.autocast("cpu", dtype=torch.bfloat16):
        machine()(drawn())
    assert runs == []


@pytest.mark.parametrize("kernels", ["on", "off"])
def test_a_width_that_does_not_fit_is_refused_with_the_one_that_does(kernels, monkeypatch):
    monkeypatch.setenv("REGARD_KERNELS", kernels)
    for width in (GIVEN - 1, GIVEN + 1):
        message = (
            f"the controller takes {GIVEN + WORD} numbers, but inputs of {width} and the {WORD} "
            rf"that are read make {width + WORD}; Recurrent\({width + WORD}, {SIZE}\) takes them"
        )
        with pytest.raises(ValueError, match=message):
            machine()(torch.randn(BATCH, TIME, width))


def test_mapped_and_differentiated_functions_take_the_equations(runs):
    model, inputs = machine(FeedForward), drawn()  # torch cannot map its LSTM cell
    mapped = torch.func.vmap(model)(torch.stack([inputs, 2 * inputs]))
    slope = torch.func.grad(lambda each: model(each).sum())(inputs)
    assert runs == []
    assert_close(mapped[1], model(2 * inputs))
    inputs.requires_grad_()
    expected = torch.autograd.grad(model(inputs).sum(), inputs)[0]
    assert_close(slope, expected, rtol=1e-4, atol=1e-6)


def test_importing_the_machine_imports_no_numba():
    code = "import sys, regard.models.ntm; print('numba' in sys.modules)"
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert printed.stdout.strip() == "False"
