"""Adaptive computation: any cell steps as often as it wants, each example by itself."""

import pytest
import torch
from torch import nn
from torch.nn.functional import pad
from torch.testing import assert_close

from regard import record
from regard.halting import FixedSteps, HaltingUnit, halt, steps_taken
from regard.models import (
    NTM,
    AdaptiveComputation,
    Elman,
    FeedForward,
    Gated,
    LongShort,
    Machine,
    Recurrent,
)

BATCH, TIME, GIVEN, OUTPUT, SIZE = 5, 3, 4, 2, 7


def tape(controller):
    machine = NTM(
        controller(GIVEN + 1 + 2 * 3, 11), output_size=SIZE, slots=13, word_size=3, heads=2
    )
    return Machine(machine)


CELLS = {
    "rnn": lambda: Elman(GIVEN + 1, SIZE),
    "gru": lambda: Gated(GIVEN + 1, SIZE),
    "lstm": lambda: LongShort(GIVEN + 1, SIZE),
    "ntm": lambda: tape(Recurrent),
    "ntm without recurrence": lambda: tape(FeedForward),
}
WHOLE = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}
every_cell = pytest.mark.parametrize("kind", CELLS)


def model(kind, halting=None, bias=-1.0, **limits):
    """With a halting unit that sees a lot, so that examples differ in how long they take."""
    torch.manual_seed(0)
    cell = CELLS[kind]()
    if halting is None:
        halting = HaltingUnit(SIZE, bias=bias, **limits)
        nn.init.normal_(halting.to_probability.weight, std=3.0)
    return AdaptiveComputation(cell, halting, output_size=OUTPUT)


@pytest.fixture
def inputs():
    torch.manual_seed(1)
    return 2 * torch.randn(BATCH, TIME, GIVEN)


def by_hand(network, sequence):
    """One example, as the equations say: loops, sums, no batch."""
    state, outputs, ponder, counts = network.cell.begin(1), [], [], []
    for given in sequence:
        states, probabilities = [], []
        while len(states) < network.halting.most and sum(probabilities) < 1 - network.halting.slack:
            flag = torch.tensor([1.0 if not states else 0.0])
            prepared = network.cell.prepare(torch.cat([given, flag]).unsqueeze(0))
            state = network.cell(prepared, state)
            states.append(state)
            logit = network.halting.to_probability(network.cell.read(state))
            probabilities.append(logit.sigmoid().item())
        remainder = 1 - sum(probabilities[:-1])
        weights = [*probabilities[:-1], remainder]
        state = summed(weights, states)
        said = [network.to_output(network.cell.read(each)) for each in states]
        outputs.append(sum(weight * each for weight, each in zip(weights, said, strict=True)))
        ponder.append(len(states) + remainder)
        counts.append(len(states))
    return torch.cat(outputs), torch.tensor(ponder), counts


def summed(weights, states):
    if isinstance(states[0], torch.Tensor):
        return sum(weight * each for weight, each in zip(weights, states, strict=True))
    parts = [summed(weights, part) for part in zip(*states, strict=True)]
    return type(states[0])(*parts) if hasattr(states[0], "_fields") else tuple(parts)


@every_cell
def test_a_batch_is_what_the_equations_say_of_each_example(kind, inputs):
    network = model(kind)
    made = network(inputs)
    for example, sequence in enumerate(inputs):
        outputs, ponder, counts = by_hand(network, sequence)
        assert_close(made.outputs[example], outputs, atol=1e-5, rtol=1e-4)
        assert_close(made.ponder[example], ponder, atol=1e-5, rtol=1e-4)
        assert made.steps[example].tolist() == counts
    assert made.steps.unique().numel() > 1  # they do differ


@every_cell
def test_examples_do_not_touch(kind, inputs):
    network = model(kind)
    together = network(inputs)
    for example in range(BATCH):
        alone = network(inputs[example : example + 1])
        assert_close(together.outputs[example], alone.outputs[0])
        assert_close(together.ponder[example], alone.ponder[0])


@every_cell
def test_a_halted_example_has_no_gradient_from_the_steps_of_others(kind, inputs):
    """Its own gradient is the same beside an example that goes on for long."""
    network = model(kind)
    steps = network(inputs).steps.sum(dim=1)
    soonest = int(steps.argmin())
    assert steps[soonest] < steps.max()

    def slope(given, row):
        given = given.clone().requires_grad_()
        made = network(given)
        (made.outputs[row].sum() + made.ponder[row].sum()).backward()
        return given.grad[row]

    assert_close(slope(inputs, soonest), slope(inputs[soonest : soonest + 1], 0))


@every_cell
def test_no_input_takes_more_steps_than_it_may(kind, inputs):
    made = model(kind, bias=-50.0, most=4)(inputs)
    assert made.steps.tolist() == [[4] * TIME] * BATCH
    assert_close(made.ponder, torch.full((BATCH, TIME), 5.0))  # nothing was spent before the last


@every_cell
def test_a_sure_network_takes_one_step(kind, inputs):
    made = model(kind, bias=50.0)(inputs)
    assert made.steps.tolist() == [[1] * TIME] * BATCH
    assert_close(made.ponder, torch.full((BATCH, TIME), 2.0))


@every_cell
def test_every_parameter_learns(kind, inputs):
    network = model(kind)
    made = network(inputs)
    (made.outputs.square().sum() + made.ponder.sum()).backward()
    without = [
        name
        for name, each in network.named_parameters()
        if each.grad is None or not each.grad.isfinite().all() or not each.grad.any()
    ]
    assert without == []


@pytest.mark.parametrize("kind", WHOLE)
def test_without_halting_it_is_the_plain_network(kind, inputs):
    """One step to an input, and the flag is always up."""
    network = model(kind, FixedSteps(1))
    plain = WHOLE[kind](GIVEN + 1, SIZE, batch_first=True)
    with torch.no_grad():
        for name, value in network.cell.cell.named_parameters():
            getattr(plain, f"{name}_l0").copy_(value)
    expected = network.to_output(plain(pad(inputs, (0, 1), value=1.0))[0])
    made = network(inputs)
    assert_close(made.outputs, expected)
    assert made.steps.tolist() == [[1] * TIME] * BATCH


@pytest.mark.parametrize("kind", WHOLE)
def test_fixed_steps_are_the_plain_network_on_repeated_inputs(kind, inputs):
    network = model(kind, FixedSteps(3))
    again = pad(inputs, (0, 1)).repeat_interleave(3, dim=1)
    again[:, ::3, -1] = 1  # only the first of the three has the flag
    plain = WHOLE[kind](GIVEN + 1, SIZE, batch_first=True)
    with torch.no_grad():
        for name, value in network.cell.cell.named_parameters():
            getattr(plain, f"{name}_l0").copy_(value)
    assert_close(network(inputs).outputs, network.to_output(plain(again)[0][:, 2::3]))


def test_recording_shows_the_weights_the_steps_and_the_remainder(inputs):
    network = model("lstm")
    with record(network) as maps:
        made = network(inputs)
    looks = maps["watch"]
    assert looks.kind == "halting"
    assert looks.axes == ("batch", "step", "ponder")
    assert looks.weights.shape == (BATCH, TIME, int(made.steps.max()))
    assert_close(looks.weights.sum(dim=-1), torch.ones(BATCH, TIME))
    assert_close(looks.weights.count_nonzero(dim=-1), made.steps)
    last = looks.weights.gather(-1, (made.steps - 1).unsqueeze(-1)).squeeze(-1)
    assert_close(last, made.ponder - made.steps)  # R


def test_the_loop_halts_where_the_equation_does(inputs):
    network = model("rnn")
    first = network.cell.prepare(pad(inputs[:, 0], (0, 1), value=1.0))
    again = network.cell.prepare(pad(inputs[:, 0], (0, 1)))
    state, halted = network.step(network.cell.begin(BATCH), first, again)
    states, probabilities = [network.cell(first, network.cell.begin(BATCH))], []
    for _ in range(halted.weights.shape[1] + 2):  # beyond the end
        probabilities.append(network.halting(states[-1], 1))
        states.append(network.cell(again, states[-1]))
    whole = torch.stack(probabilities, dim=1)
    expected = halt(whole, steps_taken(whole))
    assert_close(pad(halted.weights, (0, 2)), expected.weights)
    assert_close(state, torch.einsum("bn,nbs->bs", expected.weights, torch.stack(states[:-1])))


def test_a_sequence_without_steps_is_refused(inputs):
    with pytest.raises(ValueError, match="one step or more"):
        model("rnn")(inputs[:, :0])


@every_cell
def test_it_comes_back_from_a_folder(kind, inputs, tmp_path):
    network = model(kind).eval()
    network.save_pretrained(tmp_path)
    parts = {"cell": CELLS[kind](), "halting": HaltingUnit(SIZE)}
    again = AdaptiveComputation.from_pretrained(tmp_path, **parts)
    assert_close(again(inputs).outputs, network(inputs).outputs)


def test_a_machine_looks_for_content_on_the_tape_that_the_blend_left(inputs):
    network = model("ntm", most=4)
    raised, lowered = (network.cell.prepare(pad(inputs[:, 0], (0, 1), value=v)) for v in (1.0, 0.0))
    state, halted = network.step(network.cell.begin(BATCH), raised, lowered)
    assert int(halted.steps.max()) > 1
    seen = []
    hook = network.cell.machine.writers.register_forward_pre_hook(
        lambda _, given: seen.append(given[1])
    )
    network.cell(raised, state)
    hook.remove()
    assert_close(seen[0], state.tape / state.tape.norm(dim=-1, keepdim=True))


@every_cell
def test_it_works_in_half_precision_by_autocast(kind, inputs):
    network = model(kind, most=5)
    whole = network(inputs)
    with torch.autocast("cpu", torch.bfloat16):
        half = network(inputs)
    half.outputs.float().sum().backward()
    assert half.outputs.shape == whole.outputs.shape
    assert all(each.grad is None or each.grad.isfinite().all() for each in network.parameters())


def test_a_machine_with_another_tape_is_not_taken_for_the_one_that_was_saved(tmp_path):
    small, large = (
        Machine(NTM(Recurrent(9, 6), output_size=SIZE, slots=slots, word_size=4))
        for slots in (6, 60)
    )
    AdaptiveComputation(small, HaltingUnit(SIZE), output_size=2).save_pretrained(tmp_path)
    with pytest.raises(ValueError, match="slots"):
        AdaptiveComputation.from_pretrained(tmp_path, cell=large, halting=HaltingUnit(SIZE))


@pytest.mark.parametrize("kernels", ["on", "off"])
@every_cell
def test_a_halting_unit_that_is_no_number_is_shown(kind, kernels, inputs, monkeypatch):
    monkeypatch.setenv("REGARD_KERNELS", kernels)
    network = model(kind, most=4)
    with torch.no_grad():
        network.halting.to_probability.weight.fill_(torch.nan)
        said = network(inputs)
    assert said.outputs.isnan().all()
    assert said.ponder.isnan().all()
