"""The fused Turing machine may start from any tape, any places of heads, any state."""

import pytest
import torch
from torch.testing import assert_close

from regard.kernels.tape import operators, passes
from regard.memory import prepare
from regard.models.controllers import FeedForward, Recurrent
from regard.models.ntm import NTM

BATCH, TIME, GIVEN, OUTPUT, SLOTS, WORD, SIZE, HEADS = 2, 5, 3, 4, 11, 7, 13, 2
every_controller = pytest.mark.parametrize("kind", [FeedForward, Recurrent])


@pytest.fixture
def runs(monkeypatch):
    """How often the kernel ran."""
    counted = []
    run = passes.run
    monkeypatch.setattr(operators, "run", lambda *each: (counted.append(1), run(*each))[1])
    return counted


def machine(kind):
    torch.manual_seed(0)
    controller = kind(GIVEN + HEADS * WORD, SIZE)
    made = NTM(controller, output_size=OUTPUT, slots=SLOTS, word_size=WORD, heads=HEADS)
    for parameter in made.parameters():  # everything differs, everything matters
        torch.nn.init.normal_(parameter, std=0.5)
    return made.double()


def drawn():
    torch.manual_seed(1)
    return torch.randn(BATCH, TIME, GIVEN, dtype=torch.float64)


def elsewhere(model, learned):
    """The machine, which now starts from these tensors, other ones for each example."""
    usual = model.begin
    tape, reading, writing, words, *controller = learned

    def begin(batch):
        weights = reading.softmax(dim=-1), writing.softmax(dim=-1)
        return type(usual(batch))(tuple(controller), tape, *weights, words, prepare(tape))

    model.begin = begin
    return model


def beginnings(kind):
    torch.manual_seed(2)
    places = [(BATCH, HEADS, SLOTS)] * 2
    states = [(BATCH, SIZE)] * 2 if kind is Recurrent else []
    shapes = (BATCH, SLOTS, WORD), *places, (BATCH, HEADS, WORD), *states
    return [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]


def learn(model, inputs, learned):
    outputs = model(inputs)
    return outputs, torch.autograd.grad(outputs.square().sum(), learned)


@every_controller
def test_a_learned_tape_has_the_slopes_of_the_equations(kind, runs, monkeypatch):
    torch.manual_seed(0)
    sizes = {"output_size": OUTPUT, "slots": SLOTS, "word_size": WORD, "heads": HEADS}
    model = NTM(kind(GIVEN + HEADS * WORD, SIZE), **sizes, learned_tape=True).double()
    torch.nn.init.normal_(model.first_tape)
    found, slopes = learn(model, drawn(), [model.first_tape])
    assert len(runs) == 1
    monkeypatch.setattr(model, "_fused", lambda *_: None)
    wanted, same = learn(model, drawn(), [model.first_tape])
    assert len(runs) == 1
    assert_close(found, wanted)
    assert_close(slopes, same)


@every_controller
def test_outputs_and_the_slopes_of_a_start_are_those_of_the_equations(kind, runs, monkeypatch):
    learned = beginnings(kind)
    model, inputs = elsewhere(machine(kind), learned), drawn()
    found, slopes = learn(model, inputs, learned)
    assert len(runs) == 1
    monkeypatch.setenv("REGARD_KERNELS", "off")
    expected, wanted = learn(model, inputs, learned)
    assert len(runs) == 1
    assert_close(found, expected, rtol=1e-9, atol=1e-11)
    for one, other in zip(slopes, wanted, strict=True):
        assert one.abs().max() > 0
        assert_close(one, other, rtol=1e-8, atol=1e-10)


def test_another_start_gives_other_outputs(runs):
    model, inputs = machine(Recurrent), drawn()
    usual = model(inputs)
    assert (elsewhere(model, beginnings(Recurrent))(inputs) - usual).abs().max() > 0.1
    assert len(runs) == 2


@every_controller
def test_second_derivatives_of_a_start_are_those_of_the_equations(kind, runs, monkeypatch):
    learned = beginnings(kind)
    model, inputs = elsewhere(machine(kind), learned), drawn()

    def bend():
        total = model(inputs).square().sum()
        slopes = torch.autograd.grad(total, learned, create_graph=True)
        return torch.autograd.grad(sum(each.square().sum() for each in slopes), learned)

    ours = bend()
    assert len(runs) == 1
    monkeypatch.setenv("REGARD_KERNELS", "off")
    for one, other in zip(ours, bend(), strict=True):
        largest = other.abs().max().clamp_min(1)
        assert_close(one / largest, other / largest, rtol=1e-7, atol=1e-9)


def test_a_start_in_another_precision_takes_the_equations(runs):
    model = machine(Recurrent)
    usual = model.begin
    model.begin = lambda batch: usual(batch)._replace(writing=usual(batch).writing.float())
    assert model(drawn()).isfinite().all()
    assert runs == []
