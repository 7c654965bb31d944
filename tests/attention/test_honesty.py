"""Ways in which weights could go wrong unnoticed, and must not."""

import copy

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard import Attention, MultiHead, record
from regard.masks import padding
from regard.normalisers import Entmax15, Hard, Proportional, StraightThrough, Unchanged
from regard.scores import (
    Additive,
    Cosine,
    Distance,
    Dot,
    FromKey,
    FromQuery,
    InverseDistance,
    ScaledDot,
)
from regard.windows import Predictive

WORDS = torch.randn(2, 5, 8)


def additive():
    return Attention(Additive(query_size=8, key_size=8, hidden_size=5))


def right_or_error(seen, right):
    try:
        weights = seen.weights
    except RuntimeError as error:
        assert "changed since the look" in str(error)
    else:
        assert_close(weights.detach(), right)


def test_weights_of_a_functional_call_are_those_of_its_own_parameters():
    look = additive()
    tripled = {name: 3 * parameter for name, parameter in look.named_parameters()}
    seen = torch.func.functional_call(look, tripled, (WORDS,))
    assert_close(seen.weights @ WORDS, seen.context)


def test_replaced_parameters_and_settings_show_no_wrong_weight():
    look, cosine = additive(), Attention(Cosine(2.0))
    right, sharp = look(WORDS).weights.detach(), cosine(WORDS).weights
    seen, other = look(WORDS), cosine(WORDS)
    look.load_state_dict(additive().state_dict(), assign=True)
    right_or_error(seen, right)
    seen_again = look(WORDS)
    right = look(WORDS).weights.detach()
    look.score.vector = nn.Parameter(torch.randn(5))
    right_or_error(seen_again, right)
    cosine.score.strength = 9.0
    right_or_error(other, sharp)


def test_dropout_inside_a_score_is_that_of_the_look():
    look = additive()
    look.score.from_query = nn.Sequential(look.score.from_query, nn.Dropout(0.5))
    look.score.from_query.in_features = 8
    with record(look) as maps:
        seen = look(WORDS)
    assert_close(seen.weights @ WORDS, seen.context)
    assert_close(maps[""].weights, seen.weights.detach())


def test_weights_that_are_views_of_the_input_do_not_follow_it():
    key = torch.randn(2, 5, 1)
    look = Attention(FromKey(nn.Identity()), Unchanged())
    seen = look(WORDS[:, :1], key)
    right = seen.weights.clone()
    key.add_(100)
    right_or_error(seen, right)


def test_a_copy_of_a_look_can_be_read():
    seen = Attention(Dot())(WORDS)
    assert_close(copy.deepcopy(seen).weights, seen.weights)


def test_importing_regard_leaves_fused_optimisers_alone():
    first, second = nn.Parameter(torch.ones(3)), nn.Parameter(torch.ones(3))
    optimiser = torch.optim.SGD([first, second], lr=1.0, fused=True)
    loss = (second * 2).sum()
    (2 * first).sum().backward()
    optimiser.step()
    loss.backward()
    assert second.grad.tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    "look",
    [additive(), Attention(ScaledDot()), MultiHead(Attention(ScaledDot()), size=8, heads=2)],
    ids=["additive", "dot", "heads"],
)
def test_a_mask_given_with_a_memory_keeps_broken_filling_out(look):
    broken = WORDS.clone()
    broken[1, 3:] = float("nan")
    mask = padding([5, 3], 5)
    found = look(WORDS, look.remember(broken), mask=mask).context
    assert_close(found, look(WORDS, WORDS, mask=mask).context)


def test_meta_tensors_go_through():
    seen = Attention(ScaledDot())(torch.empty(2, 200, 8, device="meta"))
    assert seen.context.shape == (2, 200, 8)
    assert seen.weights.shape == (2, 200, 200)


@pytest.mark.parametrize("size", [3, 1000, 20_000])
def test_entmax_of_an_even_row_sums_to_one(size):
    weights = Entmax15()(torch.randn(2, size) * 1e-3)
    assert_close(weights.sum(dim=-1), torch.ones(2), atol=1e-5, rtol=0)


def test_draws_in_half_precision_are_not_biased():
    torch.manual_seed(0)
    weights = Hard()(torch.zeros(4000, 1000, dtype=torch.bfloat16))
    assert weights[:, :100].float().sum().item() / 4000 == pytest.approx(0.1, abs=0.02)


def test_places_are_found_in_half_precision():
    look = Attention(Dot(), window=Predictive(query_size=8, radius=2))
    query, key = torch.randn(5, 8), torch.randn(1000, 8)
    exact = look(query, key).weights
    with torch.autocast("cpu", torch.bfloat16):
        found = look(query, key).weights
    assert ((exact > 0) == (found > 0)).float().mean() > 0.9999


def test_half_precision_knows_exact_matches_and_zero_vectors():
    sizes = torch.tensor([[300.0], [400.0]], dtype=torch.float16)
    seen = Attention(InverseDistance(), Proportional())(sizes[:1], sizes)
    assert_close(seen.weights, torch.tensor([[1.0, 0.0]], dtype=torch.float16), atol=1e-3, rtol=0)
    query = torch.zeros(1, 3, dtype=torch.float16, requires_grad=True)
    weights = Attention(Cosine())(query, torch.ones(2, 3, dtype=torch.float16)).weights
    weights[0, 0].backward()
    assert weights.tolist() == [[0.5, 0.5]]
    assert query.grad.isfinite().all()


def test_log_probability_of_a_draw_in_a_window_is_that_of_the_draw():
    look = Attention(Dot(), Hard(), window=Predictive(query_size=8, radius=3))
    seen = look(WORDS, torch.randn(2, 11, 8))
    examined = seen.source.examine()
    inside = examined.scores.masked_fill(examined.mask.logical_not(), -1e9)
    logs = inside.log_softmax(dim=-1)
    assert_close(seen.log_probability, (logs * (seen.weights > 0)).sum(dim=-1))


def test_the_only_example_is_repeated_when_it_is_selected_several_times():
    look = Attention(Dot())
    memory = look.remember(torch.randn(1, 5, 7)).select(torch.tensor([0, 0, 0]))
    assert memory.value.shape == (3, 5, 7)
    assert torch.equal(memory.value[2], memory.value[0])
    longer = memory.append(look.remember(torch.randn(3, 1, 7)))
    assert longer.length == 6


def test_selecting_examples_leaves_what_they_share():
    look = Attention(Dot())
    key, value, rows = torch.randn(5, 8), torch.randn(5, 5, 2), torch.tensor([4, 3, 2, 1, 0])
    memory = look.remember(key, value)
    query = torch.randn(5, 3, 8)
    expected = look(query[rows], key, value[rows]).context
    assert_close(look(query[rows], memory.select(rows)).context, expected)


@pytest.mark.parametrize(
    "score", [FromKey(nn.Linear(8, 1)), FromQuery(nn.Linear(8, 5)), Distance(0.5), Dot()]
)
def test_every_score_keeps_the_axes_of_query_and_key(score):
    look = Attention(score)
    assert look(torch.randn(3, 4, 8), torch.randn(5, 8)).context.shape == (3, 4, 8)
    assert look(torch.randn(4, 8), torch.randn(3, 5, 8)).weights.shape == (3, 4, 5)


def test_a_look_that_stands_in_two_places_is_recorded_once():
    look = Attention(Dot())
    model = nn.ModuleDict({"first": nn.Sequential(look), "second": nn.Sequential(look)})
    with record(model) as maps:
        look(WORDS)
    assert {name: len(looks) for name, looks in maps.items()} == {"first.0": 1}


def test_a_straight_choice_of_nothing_is_nothing():
    assert not StraightThrough(Proportional())(torch.tensor([[-1.0, -2.0]])).any()


def test_padding_goes_through_a_compiler_that_cannot_read_lengths(monkeypatch):
    monkeypatch.setattr(torch.compiler, "is_compiling", lambda: True)
    assert padding(torch.tensor([9]), 5).all()  # not read, so not checked


@pytest.mark.parametrize("threads", [1, 2])
def test_inference_mode_works_on_several_threads(threads):
    before = torch.get_num_threads()
    look = Attention(Additive(query_size=8, key_size=8, hidden_size=64))
    words = torch.randn(8, 128, 8)
    expected = look(words).context.detach()
    try:
        torch.set_num_threads(threads)
        with torch.inference_mode():
            assert_close(look(words).context, expected)
        with torch.autocast("cpu", torch.bfloat16):
            assert look(words).context.dtype == look(words[:1, :2]).context.dtype
    finally:
        torch.set_num_threads(before)
