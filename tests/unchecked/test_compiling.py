"""torch.compile, torch.export and ONNX: in a process without shape checks, which stop tracing."""

import warnings

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard import Attention, Hops, MultiHead, record
from regard.masks import causal
from regard.models import LocationAware, MemoryLanguageModel, RNNSearch
from regard.scores import Additive, ScaledDot
from regard.testing.parts import CASES

PAIRS = [
    pytest.param(case, guarantee, id=f"{case.name}: {guarantee.__name__}")
    for case in CASES
    for guarantee in case.kept_traced()
]


def compiled(function):
    torch._dynamo.reset()
    return torch.compile(function, fullgraph=True, backend="aot_eager")


@pytest.mark.parametrize(("case", "guarantee"), PAIRS)
def test_the_part_keeps_the_guarantee(case, guarantee):
    guarantee(case)  # asserts inside: regard.testing.tracing


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.reader = MultiHead(Attention(ScaledDot()), size=8, heads=2)
        self.hops = Hops(Attention(Additive(query_size=8, key_size=8, hidden_size=5)))

    def forward(self, words):
        words = self.reader(words, mask=causal(words.shape[1])).context
        return self.hops(words, [self.hops.look.remember(words)] * 3)[0]


def test_recording_a_compiled_model_sees_every_look():
    model, words = Model(), torch.randn(2, 5, 8)
    fast = compiled(model)
    expected = fast(words)  # compiled before any hook is there
    with record(fast) as maps:
        fast(words)
    with record(model) as plain:
        model(words)
    assert list(maps) == list(plain) == ["reader", "hops.look"]
    assert maps["hops.look"].weights.shape == (2, 15, 5)
    for name in maps:
        assert_close(maps[name].weights, plain[name].weights)
    assert_close(fast(words), expected)


def test_a_model_compiled_in_place_is_recorded_too():
    model, words = Model(), torch.randn(2, 5, 8)
    torch._dynamo.reset()
    model.compile(fullgraph=True, backend="aot_eager")
    model(words)
    with record(model) as maps:
        model(words)
    assert list(maps) == ["reader", "hops.look"]


def test_weights_read_inside_a_compiled_function_are_right():
    look, words = Attention(ScaledDot()), torch.randn(2, 5, 8)

    def penalised(words):
        seen = look(words)
        return seen.context.sum() + seen.weights.square().sum()

    assert_close(compiled(penalised)(words), penalised(words))


def test_weights_of_a_compiled_look_stay_right_after_a_change_in_place():
    look, words = Attention(ScaledDot()), torch.randn(2, 5, 8)
    expected = look(words).weights.clone()
    seen = compiled(look)(words)
    words.add_(1)
    assert_close(seen.weights, expected)


SIZES = {"source_vocabulary": 11, "target_vocabulary": 13, "word_size": 5, "state_size": 7}


@pytest.mark.parametrize("kind", [RNNSearch, LocationAware])
def test_a_compiled_translator_learns_as_the_plain_one_does(kind):
    model, source = kind(**SIZES, hidden_size=3), torch.randint(4, 11, (2, 5))
    given = source, torch.tensor([5, 3]), torch.randint(4, 13, (2, 4))

    def gradients(translator):
        model.zero_grad()
        translator(*given)[0].square().sum().backward()
        return {
            name: parameter.grad.clone()
            for name, parameter in model.named_parameters()
            if parameter.grad is not None
        }

    torch._dynamo.reset()
    expected = gradients(model)
    found = gradients(torch.compile(model, backend="aot_eager"))
    assert found.keys() == expected.keys()
    for name, slope in expected.items():
        assert_close(found[name], slope, msg=name)


def test_a_translator_learns_under_autocast():
    model, source = RNNSearch(**SIZES, hidden_size=3), torch.randint(4, 11, (2, 5))
    given = source, torch.tensor([5, 3]), torch.randint(4, 13, (2, 4))
    plain = model(*given)[0]
    with torch.autocast("cpu", torch.bfloat16):
        logits = model(*given)[0]
    logits.float().square().sum().backward()
    assert_close(logits.float(), plain, atol=0.05, rtol=0.1)
    assert model.decoder.stepper.cell.from_state.weight.grad.abs().sum() > 0


def test_a_compiled_memory_network_over_words_learns_as_the_plain_one_does():
    torch.manual_seed(0)
    model = MemoryLanguageModel(vocabulary=13, slots=7, size=5, straight=2, hops=3)
    words = torch.randint(13, (4, 7))
    found = []
    for way in (model, compiled(model)):
        model.zero_grad()
        logits, looks = way(words)
        (logits.sin().sum() + looks[1].weights.sin().sum()).backward()
        found.append([logits, *(each.grad for each in model.parameters())])
    for plain, traced in zip(*found, strict=True):
        assert_close(traced, plain)


def test_an_exported_memory_network_over_words_says_the_same():
    torch.manual_seed(0)
    model = MemoryLanguageModel(vocabulary=13, slots=7, size=5, straight=2, hops=3)
    words = torch.randint(13, (4, 7))
    program = torch.export.export(model, (words,))
    assert "rereading" not in str(program.graph).lower()
    assert_close(program.module()(words)[0], model(words)[0])


def test_a_traced_memory_network_over_words_says_the_same_of_other_words():
    torch.manual_seed(0)
    model = MemoryLanguageModel(vocabulary=13, slots=7, size=5, straight=2, hops=3)
    words = torch.randint(13, (4, 7))
    model.requires_grad_(False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a trace keeps the sizes of its example
        traced = torch.jit.trace(lambda given: model(given)[0], words, check_trace=False)
    others = words.flip(0)
    assert_close(traced(others), model(others)[0])
