"""Weights that cost nothing until they are read, and are never wrong."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard import Attended, Attention, MultiHead
from regard.attention import sources
from regard.masks import causal
from regard.scores import Additive, Dot, General, ScaledDot

LOOKS = {
    "Dot": lambda: Attention(Dot()),
    "ScaledDot": lambda: Attention(ScaledDot()),
    "General": lambda: Attention(General(query_size=8, key_size=8)),
    "Additive": lambda: Attention(Additive(query_size=8, key_size=8, hidden_size=5)),
    "MultiHead": lambda: MultiHead(Attention(ScaledDot()), size=8, heads=2),
}
fused_looks = pytest.mark.parametrize("make", LOOKS.values(), ids=LOOKS)


@fused_looks
def test_nothing_is_worked_out_before_it_is_read(make, monkeypatch):
    look, words = make(), torch.randn(2, 5, 8)
    worked = []
    original = sources.Deferred._score_and_normalise
    monkeypatch.setattr(
        sources.Deferred,
        "_score_and_normalise",
        lambda *args: worked.append(1) or original(*args),
    )
    seen = look(words)
    assert isinstance(seen, Attended)
    assert not worked
    first = seen.weights
    assert len(worked) == 1
    assert seen.weights is first
    assert seen.scores.shape == first.shape
    assert len(worked) == 1


@fused_looks
@pytest.mark.parametrize("kind", ["SGD", "Adam", "fused Adam", "fused SGD"])
def test_reading_after_an_optimiser_step_raises(make, kind):
    look = make()
    parameters = list(look.parameters()) or [nn.Parameter(torch.zeros(1))]
    words = nn.Parameter(torch.randn(2, 5, 8))
    optimiser = getattr(torch.optim, kind.split()[-1])(
        [words, *parameters], lr=1.0, fused="fused" in kind
    )
    right = look(words).weights.detach()
    seen = look(words)
    seen.context.square().sum().backward()
    optimiser.step()
    if isinstance(look, MultiHead) and "fused" in kind:
        # fused steps leave no trace, but what the weights come from is the look's own: still right
        assert_close(seen.weights.detach(), right)
        return
    with pytest.raises(RuntimeError, match="changed since the look"):
        seen.weights  # noqa: B018


HELD = [  # where the look holds the very tensor that it was given
    *(("Dot", which) for which in ("query", "key", "mask")),
    *(("ScaledDot", which) for which in ("query", "key", "mask")),
    *(("General", which) for which in ("query", "mask")),
    ("Additive", "mask"),
]


@pytest.mark.parametrize(("name", "which"), HELD)
def test_reading_after_a_change_in_place_raises(name, which):
    inputs = {"query": torch.randn(2, 5, 8), "key": torch.randn(2, 5, 8)}
    if which == "mask":
        inputs["mask"] = causal(5)
    seen = LOOKS[name]()(**inputs)
    inputs[which].zero_()
    with pytest.raises(RuntimeError, match="changed since the look"):
        seen.scores  # noqa: B018


@fused_looks
def test_projections_keep_weights_right_after_a_change_in_place(make):
    look, query, key = make(), torch.randn(2, 3, 8), torch.randn(2, 5, 8)
    right = look(query, key).weights.detach()
    seen = look(query, key)
    key.add_(1)
    if list(look.parameters()):
        assert_close(seen.weights.detach(), right)
    else:
        with pytest.raises(RuntimeError, match="changed since the look"):
            seen.weights  # noqa: B018


def test_reading_after_parameters_moved_raises():
    look = LOOKS["Additive"]()
    seen = look(torch.randn(2, 5, 8))
    look.double()
    with pytest.raises(RuntimeError, match="changed since the look"):
        seen.weights  # noqa: B018


def test_another_models_step_does_not_matter():
    look, other = LOOKS["Additive"](), nn.Linear(2, 2)
    seen = look(torch.randn(2, 5, 8))
    other(torch.ones(2)).sum().backward()
    torch.optim.Adam(other.parameters(), fused=True).step()
    assert seen.weights.shape == (2, 5, 5)


@fused_looks
def test_gradients_flow_through_weights_read_later(make):
    look, words = make(), torch.randn(2, 5, 8, requires_grad=True)
    with torch.no_grad():
        assert not look(words).weights.requires_grad
    seen = look(words)
    with torch.no_grad():
        assert not seen.weights.requires_grad
    seen.weights[..., 0].sum().backward()  # as a penalty on weights would
    assert words.grad.abs().sum() > 0


def test_weights_shown_are_those_before_dropout():
    from regard import WeightedSum

    look, words = Attention(ScaledDot(), blend=WeightedSum(dropout=0.5)), torch.randn(2, 7, 8)
    seen = look(words)
    assert_close(seen.weights.sum(dim=-1), torch.ones(2, 7))
    assert not torch.allclose(seen.weights @ words, seen.context)
    look.eval()
    assert_close(look(words).weights @ words, look(words).context)


def test_weights_follow_the_autocast_of_the_look():
    look, words = Attention(ScaledDot()), torch.randn(2, 5, 8)
    with torch.autocast("cpu", torch.bfloat16):
        seen = look(words)
    assert seen.scores.dtype == torch.bfloat16
    assert look(words).scores.dtype == torch.float32


def test_a_look_has_a_short_description():
    assert repr(Attention(Dot())(torch.randn(2, 3, 5))) == (
        "Attended(context=(2, 3, 5), weights and scores when read)"
    )


def test_empty_rows_are_zero_on_every_fused_path():
    mask = causal(5).clone()
    mask[2] = False
    for make in (LOOKS["Dot"], LOOKS["Additive"]):
        seen = make()(torch.randn(2, 5, 8), mask=mask)
        assert not seen.context[:, 2].any()
        assert not seen.weights[:, 2].any()
        assert not seen.log_probability[:, 2].any()


def steps_back(node, known):
    """The names of all that gradients pass through."""
    if node is not None and node not in known:
        known[node] = type(node).__name__
        for earlier, _ in node.next_functions:
            steps_back(earlier, known)
    return set(known.values())


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_the_gradients_of_keys_that_nobody_shares_are_not_copied(batch):
    query, key = (torch.randn(*batch, length, 8, requires_grad=True) for length in (1, 5))
    passed = steps_back(Attention(Dot())(query, key).context.grad_fn, {})
    assert any("ScaledDotProduct" in name for name in passed)
    assert not {"ExpandBackward0", "AliasBackward0"} & passed
