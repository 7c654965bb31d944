"""Every look of a model, seen from outside."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard import Attention, Hops, MultiHead, record
from regard.attention import fusing
from regard.masks import causal
from regard.normalisers import Hard
from regard.scores import Additive, Dot, ScaledDot


class Decoder(nn.Module):
    """Looks once at every step, over a source that grows."""

    def __init__(self):
        super().__init__()
        self.attention = Attention(Additive(query_size=8, key_size=8, hidden_size=5))
        self.readers = nn.ModuleList(
            MultiHead(Attention(ScaledDot()), size=8, heads=4) for _ in range(2)
        )

    def forward(self, words, source):
        looks = []
        for step in range(words.shape[1]):
            word = words[:, step : step + 1]
            for reader in self.readers:
                word = word + reader(word, words).context
            looks.append(self.attention(word, source[:, : step + 2]))
        return torch.cat([seen.context for seen in looks], dim=1), looks


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.decoder = Decoder()

    def forward(self, words, source):
        return self.decoder(words, source)


WORDS, SOURCE = torch.randn(2, 3, 8), torch.randn(2, 5, 8)


def test_looks_of_a_loop_join_on_the_query_axis_with_missing_keys_zero():
    model = Model()
    with record(model) as maps:
        _, looks = model(WORDS, SOURCE)
    found = maps["decoder.attention"]
    assert len(found) == 3
    assert found.weights.shape == (2, 3, 4)
    for step, seen in enumerate(looks):
        assert_close(found.weights[:, step, : step + 2], seen.weights[:, 0].detach())
        assert not found.weights[:, step, step + 2 :].any()
        assert_close(found[step].weights, seen.weights.detach())
    assert found.axes == ("batch", "query", "key")
    assert found.kind == "attention"


def test_names_are_those_of_the_outermost_looks():
    model = Model()
    with record(model) as maps:
        model(WORDS, SOURCE)
    assert list(maps) == ["decoder.readers.0", "decoder.readers.1", "decoder.attention"]
    assert maps["decoder.readers.0"].axes == ("batch", "head", "query", "key")


def test_only_what_is_asked_for_is_kept():
    model = Model()
    with record(model) as whole:
        model(WORDS, SOURCE)
    with record(model, ["decoder.readers.1"], heads=[2, 0]) as maps:
        model(WORDS, SOURCE)
    assert list(maps) == ["decoder.readers.1"]
    expected = whole["decoder.readers.1"].weights[:, [2, 0]]
    assert_close(maps["decoder.readers.1"].weights, expected)


def test_one_head_and_some_rows_are_worked_out_alone(monkeypatch):
    many = MultiHead(Attention(ScaledDot()), size=8, heads=4)
    shapes = []
    original = fusing.scaled_product
    monkeypatch.setattr(
        fusing,
        "scaled_product",
        lambda query, key, scale: (
            shapes.append(tuple(query.shape)) or original(query, key, scale=scale)
        ),
    )
    words = torch.randn(2, 5, 8)
    with record(many, heads=[3], rows=[1, 4]) as maps:
        seen = many(words, mask=causal(5))
    assert shapes == [(2, 1, 2, 2)]
    assert_close(maps[""].weights, seen.weights[:, [3]][:, :, [1, 4]].detach())


def test_the_model_runs_as_ever_and_no_hook_stays():
    model = Model()
    expected, _ = model(WORDS, SOURCE)
    with record(model):
        found, _ = model(WORDS, SOURCE)
    assert_close(found, expected, rtol=0, atol=0)
    assert not any(module._forward_hooks for module in model.modules())


def test_hooks_leave_when_the_block_fails():
    model = Model()
    with pytest.raises(ZeroDivisionError), record(model):
        1 / 0  # noqa: B018
    assert not any(module._forward_hooks for module in model.modules())


def test_recordings_are_detached_copies():
    look = Attention(Dot(), Hard())
    with record(look) as maps:
        seen = look(torch.randn(2, 5, 8, requires_grad=True))
    before = maps[""].weights.clone()
    seen.weights.zero_()
    assert not maps[""].weights.requires_grad
    assert_close(maps[""].weights, before)


def test_a_recorded_draw_is_the_draw_that_was_used():
    look, value = Attention(Dot(), Hard()), torch.arange(5.0)[:, None]
    with record(look) as maps:
        seen = look(torch.zeros(50, 8), torch.randn(5, 8), value)
    assert_close(maps[""].weights @ value, seen.context)


def test_it_works_without_gradients_and_in_inference_mode():
    model = Model()
    for mode in (torch.no_grad, torch.inference_mode):
        with record(model) as maps, mode():
            model(WORDS, SOURCE)
        assert maps["decoder.attention"].weights.shape == (2, 3, 4)


def test_hops_are_recorded_one_by_one():
    hops = Hops(Attention(Dot()))
    memory = hops.look.remember(torch.randn(2, 5, 8))
    with record(hops) as maps:
        hops(torch.randn(2, 1, 8), [memory] * 3)
    assert maps["look"].weights.shape == (2, 3, 5)


def test_recordings_can_be_nested():
    model = Model()
    with record(model) as outer:
        with record(model, ["decoder.attention"]) as inner:
            model(WORDS, SOURCE)
        model(WORDS, SOURCE)
    assert len(inner["decoder.attention"]) == 3
    assert len(outer["decoder.attention"]) == 6


def test_prefixes_of_wrappers_are_left_out():
    model = nn.DataParallel(Model())
    with record(model) as maps:
        model.module(WORDS, SOURCE)
    assert "decoder.attention" in maps


def test_a_wrong_name_is_told_with_the_nearest_one():
    model = Model()
    with (
        pytest.raises(ValueError, match=r"no look named 'decoder.atention'.*mean 'decoder.att"),
        record(model, ["decoder.atention"]),
    ):
        pass
    with record(model) as maps:
        model(WORDS, SOURCE)
    with pytest.raises(KeyError, match=r"did you mean 'decoder\.attention'"):
        maps["decoder.atention"]


def test_batches_of_different_size_are_not_joined_silently():
    look = Attention(Dot())
    with record(look) as maps:
        look(torch.randn(2, 5, 8))
        look(torch.randn(3, 5, 8))
    with pytest.raises(ValueError, match="differ in their leading axes"):
        maps[""].weights  # noqa: B018
    assert maps[""][1].weights.shape == (3, 5, 5)
