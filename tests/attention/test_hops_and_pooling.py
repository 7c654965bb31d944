"""Looks in a row, and looks without a query."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard import Attention, Hops, Modulate, MultiHead, Pick, Pooling, Watch, WeightedSum, record
from regard.masks import padding
from regard.normalisers import Sigmoid
from regard.scores import Dot, FromKey, FromQuery, ScaledDot

WORDS = torch.randn(2, 5, 7)


def test_hops_ask_with_what_was_found_before():
    look, query = Attention(Dot()), torch.randn(2, 1, 7)
    keys = [torch.randn(2, 5, 7) for _ in range(3)]
    values = [torch.randn(2, 5, 7) for _ in range(3)]
    memories = [look.remember(k, v) for k, v in zip(keys, values, strict=True)]
    found, looks = Hops(look)(query, memories)
    state = query
    for k, v, seen in zip(keys, values, looks, strict=True):
        weights = (state @ k.mT).softmax(dim=-1)
        assert_close(seen.weights, weights)
        state = state + weights @ v
    assert_close(found, state)


def test_hops_take_an_update_with_parameters_and_any_look():
    class Joined(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(16, 8)

        def forward(self, query, context):
            return self.layer(torch.cat([query, context], dim=-1)).relu()

    look = MultiHead(Attention(ScaledDot()), size=8, heads=2)
    hops = Hops(look, Joined())
    memory = look.remember(torch.randn(2, 5, 8))
    found, looks = hops(torch.randn(2, 1, 8), [memory] * 2)
    assert found.shape == (2, 1, 8)
    assert len(looks) == 2
    assert "update.layer.weight" in dict(hops.named_parameters())


class Scaled(nn.Module):
    """The sum, the context so many times."""

    def __init__(self, times):
        super().__init__()
        self.times = nn.Parameter(torch.tensor(times))

    def forward(self, query, context):
        return query + self.times * context


@pytest.mark.parametrize("kind", [list, nn.ModuleList])
def test_hops_take_an_update_for_each(kind):
    look, query = Attention(Dot()), torch.randn(2, 1, 7)
    hops = Hops(look, kind([Scaled(2.0), Scaled(-3.0)]))
    found, (first, second) = hops(query, [look.remember(WORDS)] * 2)
    assert_close(found, query + 2 * first.context - 3 * second.context)
    assert list(dict(hops.named_parameters())) == ["update.0.times", "update.1.times"]


def test_as_many_updates_as_hops_are_wanted():
    look = Attention(Dot())
    hops = Hops(look, [Scaled(2.0), Scaled(3.0)])
    with pytest.raises(ValueError, match="but there are 2 updates and 3 memories"):
        hops(torch.randn(2, 1, 7), [look.remember(WORDS)] * 3)


def test_pooling_blends_by_what_the_keys_say_of_themselves():
    network = nn.Linear(7, 1)
    seen = Pooling(Attention(FromKey(network)))(WORDS, mask=padding([5, 3], 5))
    weights = network(WORDS[1, :3]).softmax(dim=0)
    assert_close(seen.context[1, 0], (weights * WORDS[1, :3]).sum(dim=0))
    assert seen.context.shape == (2, 1, 7)


def test_pooling_stays_inside_the_hull_and_ignores_order():
    pool = Pooling(Attention(FromKey(nn.Linear(7, 1))))
    context = pool(WORDS).context[:, 0]
    assert (context <= WORDS.max(dim=1).values).all()
    assert (context >= WORDS.min(dim=1).values).all()
    assert_close(pool(WORDS.flip(1)).context[:, 0], context)


def test_pooling_nothing_gives_nothing():
    context = Pooling(Attention(FromKey(nn.Linear(7, 1))))(WORDS[:, :0]).context
    assert context.shape == (2, 1, 7)
    assert not context.any()


def test_a_spatial_mask_scales_every_pixel_by_its_own_weight():
    saliency = nn.Linear(7, 1)
    seen = Pooling(Attention(FromKey(saliency), Sigmoid(), Modulate()))(WORDS)
    assert_close(seen.context, WORDS * saliency(WORDS).sigmoid())


def test_a_channel_mask_scales_every_channel_by_its_own_weight():
    pixels = torch.randn(2, 11, 7)  # batch, pixel, channel
    squeezed, channels = pixels.mean(dim=1, keepdim=True), pixels.mT
    excite = nn.Linear(7, 7)
    seen = Attention(FromQuery(excite), Sigmoid(), Modulate())(squeezed, channels)
    assert_close(seen.context.mT, pixels * excite(squeezed).sigmoid())


def test_a_watch_changes_nothing_and_is_recorded_step_by_step():
    class Tape(nn.Module):
        def __init__(self):
            super().__init__()
            self.head = Watch("tape", ("batch", "slot"))

        def forward(self, steps):
            return [self.head(step.softmax(dim=-1)) for step in steps]

    tape, steps = Tape(), torch.randn(3, 2, 11)
    with record(tape) as maps:
        passed = tape(steps)
    assert_close(torch.stack(passed), steps.softmax(dim=-1))
    assert_close(maps["head"].weights, steps.softmax(dim=-1).transpose(0, 1))
    assert maps["head"].axes == ("batch", "step", "slot")
    assert maps["head"].kind == "tape"


def test_picking_equals_the_weighted_sum_of_one_hot_weights():
    torch.manual_seed(0)
    value = torch.randn(2, 1, 5, 4, requires_grad=True)
    weights = torch.nn.functional.one_hot(torch.tensor([[3, 0, 1], [4, 4, 2]]), 5).float()
    weights = weights.unsqueeze(1).expand(2, 3, 3, 5)  # heads share the values
    picked, summed = Pick()(weights, value), WeightedSum()(weights, value)
    assert_close(picked, summed)
    slopes = [torch.autograd.grad(each.square().sum(), value)[0] for each in (picked, summed)]
    assert_close(*slopes)
    assert Pick()(weights[..., :0], value[..., :0, :]).tolist() == torch.zeros(2, 3, 3, 4).tolist()
