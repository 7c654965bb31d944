"""The Neural Turing Machine, step by step and whole."""

import pytest
import torch
from torch.testing import assert_close

from regard import record
from regard.memory import read
from regard.models.controllers import Deep, FeedForward, Recurrent
from regard.models.ntm import NTM, PlainLSTM

BATCH, TIME, GIVEN, OUTPUT, SLOTS, WORD, HEADS, SIZE = 2, 5, 3, 4, 11, 7, 2, 13
CONTROLLERS = {"feed-forward": FeedForward, "recurrent": Recurrent, "deep": Deep}


def machine(kind="recurrent", heads=HEADS, reach=1, slots=SLOTS, write_heads=None):
    torch.manual_seed(0)
    return NTM(
        CONTROLLERS[kind](GIVEN + heads * WORD, SIZE),
        output_size=OUTPUT,
        slots=slots,
        word_size=WORD,
        heads=heads,
        write_heads=write_heads,
        reach=reach,
    )


@pytest.fixture
def inputs():
    torch.manual_seed(1)
    return torch.randn(BATCH, TIME, GIVEN)


@pytest.mark.parametrize("kind", CONTROLLERS)
@pytest.mark.parametrize("heads", [1, 2, 3])
@pytest.mark.parametrize("reach", [0, 1, 2])
def test_every_head_stays_a_distribution_and_every_parameter_learns(kind, heads, reach, inputs):
    model = machine(kind, heads, reach)
    with record(model) as maps:
        outputs = model(inputs)
    assert outputs.shape == (BATCH, TIME, OUTPUT)
    for name in ("readers.watch", "writers.going.watch"):
        weights = maps[name].weights
        assert weights.shape == (BATCH, heads, TIME, SLOTS)
        assert_close(weights.sum(dim=-1), torch.ones(BATCH, heads, TIME))
    outputs.square().sum().backward()
    without = [name for name, each in model.named_parameters() if each.grad is None]
    assert without == []
    assert all(each.grad.isfinite().all() for each in model.parameters())


@pytest.mark.parametrize(("heads", "write_heads"), [(1, 3), (3, 1), (2, 2)])
def test_there_may_be_more_heads_of_one_kind(heads, write_heads, inputs):
    model = machine(heads=heads, write_heads=write_heads)
    with record(model) as maps:
        recorded = model(inputs)
    for name, count in (("readers.watch", heads), ("writers.going.watch", write_heads)):
        assert maps[name].weights.shape == (BATCH, count, TIME, SLOTS)
    outputs = model(inputs)
    assert_close(outputs, recorded)
    outputs.square().sum().backward()
    assert all(bool(each.grad.any()) for each in model.parameters())


def test_reads_see_what_was_written_in_the_same_step(inputs):
    model = machine()
    state, output = model.step(model.begin(BATCH), inputs[:, 0])
    assert_close(state.words, read(state.tape, state.reading))
    seen = torch.cat([inputs[:, 0], model.first_words.expand(BATCH, -1, -1).flatten(1)], dim=1)
    hidden, _ = model.controller(seen, model.controller.begin(BATCH))
    assert_close(output, model.to_output(torch.cat([hidden, state.words.flatten(1)], dim=1)))


def test_steps_one_by_one_give_the_whole(inputs):
    model = machine()
    state, found = model.begin(BATCH), []
    for given in inputs.unbind(1):
        state, output = model.step(state, given)
        found.append(output)
    assert_close(torch.stack(found, dim=1), model(inputs))


def test_examples_do_not_touch(inputs):
    model = machine()
    assert_close(model(inputs)[1:], model(inputs[1:]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"heads": 0}, "NTM: heads must be 1 or more, but heads=0"),
        ({"write_heads": 0}, "write_heads must be 1 or more, but write_heads=0"),
        ({"reach": -1}, "reach=-1"),
        ({"reach": 6}, "reach=6 and slots=11; a reach of 5 is the largest"),
        ({"slots": 0, "reach": 0}, "slots must be 1 or more, but slots=0"),
    ],
)
def test_heads_that_cannot_be_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        machine(**change)


@pytest.mark.parametrize("with_tape", [True, False])
def test_a_sequence_without_steps_is_refused(inputs, with_tape):
    plain = PlainLSTM(input_size=GIVEN, output_size=OUTPUT, size=SIZE)
    with pytest.raises(ValueError, match=r"one step or more, but inputs are \(2, 0, 3\)"):
        (machine() if with_tape else plain)(inputs[:, :0])


def test_a_word_without_numbers_is_refused():
    with pytest.raises(ValueError, match="word_size must be 1 or more, but word_size=0"):
        NTM(Recurrent(GIVEN, SIZE), output_size=OUTPUT, slots=SLOTS, word_size=0)


@pytest.mark.parametrize("write_heads", [None, 3])
def test_it_comes_back_from_a_folder(inputs, tmp_path, write_heads):
    model = machine(write_heads=write_heads).eval()
    model.save_pretrained(tmp_path)
    again = NTM.from_pretrained(tmp_path, controller=machine().controller)
    assert_close(again(inputs), model(inputs))


def test_a_deep_controller_is_lstms_one_above_the_other(inputs):
    torch.manual_seed(2)
    deep = Deep(GIVEN, SIZE, layers=3)
    torch.nn.init.normal_(deep.first, std=0.5)
    stacked = torch.nn.LSTM(GIVEN, SIZE, 3, batch_first=True)
    for layer, cell in enumerate(deep.cells):
        for name, parameter in cell.named_parameters():
            getattr(stacked, f"{name}_l{layer}").data.copy_(parameter.data)
    state, found = deep.begin(BATCH), []
    for given in inputs.unbind(1):
        output, state = deep(given, state)
        found.append(output)
    hidden, cell = deep.first.tanh().unsqueeze(2).repeat(1, 1, BATCH, 1).unbind(1)
    assert_close(torch.stack(found, dim=1), stacked(inputs, (hidden, cell))[0])


def test_a_tape_that_is_learned_begins_blank_and_has_slopes_and_is_kept(inputs, tmp_path):
    sizes = {"output_size": OUTPUT, "slots": SLOTS, "word_size": WORD}

    def made(**more):
        torch.manual_seed(0)
        return NTM(Recurrent(GIVEN + WORD, SIZE), **sizes, **more)

    fixed, learned = made(), made(learned_tape=True)
    assert_close(learned(inputs), fixed(inputs))
    learned(inputs).square().sum().backward()
    assert bool(learned.first_tape.grad.any())
    assert not any("tape" in name for name in fixed.state_dict())
    torch.nn.init.normal_(learned.first_tape)
    assert not torch.allclose(learned(inputs), fixed(inputs))
    assert_close(learned.begin(3).tape[2], learned.first_tape)
    learned.save_pretrained(tmp_path)
    again = NTM.from_pretrained(tmp_path, controller=Recurrent(GIVEN + WORD, SIZE))
    assert_close(again(inputs), learned.eval()(inputs))
