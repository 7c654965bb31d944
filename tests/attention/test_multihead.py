"""Several heads, grouped heads, caches, and torch's own module."""

import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention
from torch.testing import assert_close

from regard import Attention, MultiHead
from regard.masks import causal, padding
from regard.normalisers import Sparsemax
from regard.scores import Additive, Distance, Dot, ScaledDot

WORDS = torch.randn(2, 5, 12)


def make(**options):
    return MultiHead(Attention(ScaledDot()), size=12, heads=3, **options)


def test_every_head_is_an_attention_through_its_own_projections():
    many, other = make(key_size=7, value_size=11), torch.randn(2, 3, 7)
    value = torch.randn(2, 3, 11)
    heads = []
    for i in range(3):
        rows = slice(4 * i, 4 * i + 4)

        def project(layer, tensor, rows=rows):
            return tensor @ layer.weight[rows].T + layer.bias[rows]

        seen = Attention(ScaledDot())(
            project(many.to_query, WORDS),
            project(many.to_key, other),
            project(many.to_value, value),
        )
        heads.append(seen)
    seen = many(WORDS, other, value)
    assert_close(seen.context, many.to_output(torch.cat([h.context for h in heads], dim=-1)))
    assert_close(seen.weights, torch.stack([h.weights for h in heads], dim=1))


def test_one_head_with_identity_projections_is_a_single_attention():
    many = MultiHead(Attention(ScaledDot()), size=12, heads=1)
    for layer in (many.to_query, many.to_key, many.to_value, many.to_output):
        layer.weight.data = torch.eye(12)
    assert_close(many(WORDS).context, Attention(ScaledDot())(WORDS).context)


@pytest.mark.parametrize("options", [{}, {"bias": False}, {"kdim": 7, "vdim": 11}])
@pytest.mark.parametrize("batch_first", [True, False])
def test_from_torch_gives_the_same_contexts_weights_and_gradients(options, batch_first):
    theirs = nn.MultiheadAttention(12, 3, batch_first=batch_first, dtype=torch.float64, **options)
    ours = MultiHead.from_torch(theirs)
    query = torch.randn(2, 5, 12, dtype=torch.float64)
    key = torch.randn(2, 3, options.get("kdim", 12), dtype=torch.float64)
    value = torch.randn(2, 3, options.get("vdim", 12), dtype=torch.float64)
    seen = ours(query, key, value)
    inputs = [one if batch_first else one.transpose(0, 1) for one in (query, key, value)]
    expected, weights = theirs(*inputs, average_attn_weights=False)
    assert_close(seen.context, expected if batch_first else expected.transpose(0, 1))
    assert_close(seen.weights, weights)
    seen.context.square().sum().backward()
    expected.square().sum().backward()
    assert_close(ours.to_output.weight.grad, theirs.out_proj.weight.grad)
    assert ours.training == theirs.training


def test_from_torch_keeps_mode_and_dropout():
    theirs = nn.MultiheadAttention(12, 3, dropout=0.3).eval()
    ours = MultiHead.from_torch(theirs)
    assert not ours.training
    assert ours.look.blend.dropout == 0.3


@pytest.mark.parametrize("key_heads", [1, 2, 6])
def test_grouped_heads_share_keys_and_values(key_heads):
    many = MultiHead(Attention(ScaledDot()), size=12, heads=6, key_heads=key_heads)
    query = many.to_query(WORDS).view(2, 5, 6, 2).transpose(1, 2)
    key, value = (
        layer(WORDS).view(2, 5, key_heads, 2).transpose(1, 2)
        for layer in (many.to_key, many.to_value)
    )
    expected = scaled_dot_product_attention(query, key, value, enable_gqa=True)
    assert_close(many(WORDS).context, many.to_output(expected.transpose(1, 2).flatten(-2)))
    assert many(WORDS).weights.shape == (2, 6, 5, 5)
    assert many.remember(WORDS).value.shape == (2, key_heads, 5, 2)


@pytest.mark.parametrize(
    "look",
    [
        Attention(ScaledDot()),
        Attention(ScaledDot(), Sparsemax()),
        Attention(ScaledDot() + Distance(0.2)),
        Attention(Additive(query_size=4, key_size=4, hidden_size=5)),
    ],
    ids=["softmax", "sparsemax", "distance", "additive"],
)
@pytest.mark.parametrize("key_heads", [3, 1])
def test_a_cache_decodes_step_by_step_as_the_whole(look, key_heads):
    many = MultiHead(look, size=12, heads=3, key_heads=key_heads)
    whole = many(WORDS, mask=causal(5))
    memory, steps = None, []
    for i in range(5):
        word = WORDS[:, i : i + 1]
        newer = many.remember(word)
        memory = newer if memory is None else memory.append(newer)
        steps.append(many(word, memory))
    assert_close(torch.cat([seen.context for seen in steps], dim=1), whole.context)
    assert_close(steps[-1].weights, whole.weights[:, :, -1:])


def test_several_new_words_at_once_follow_a_cache():
    many = make()
    memory = many.remember(WORDS[:, :3]).append(many.remember(WORDS[:, 3:]))
    seen = many(WORDS[:, 3:], memory, mask=causal(2, 5))
    assert_close(seen.context, many(WORDS, mask=causal(5)).context[:, 3:])


def test_a_mask_given_with_a_memory_narrows_the_memorys_own():
    many, lengths = make(), padding([5, 3], 5)
    memory = many.remember(WORDS, mask=lengths)
    seen = many(WORDS, memory, mask=causal(5).expand(2, 5, 5))
    assert_close(seen.context, many(WORDS, mask=causal(5) & lengths).context)


def test_beams_ride_on_the_query_axis():
    look = Attention(Dot())
    sources, beams = torch.randn(2, 7, 3), torch.randn(2, 4, 3)  # four beams for each source
    memory = look.remember(sources, mask=padding([7, 5], 7))
    together = look(beams, memory).context
    repeated = memory.select(torch.tensor([0, 0, 0, 0, 1, 1, 1, 1]))
    apart = look(beams.reshape(8, 1, 3), repeated).context
    assert_close(together.reshape(8, 1, 3), apart)


def test_appending_joins_masks_of_which_one_is_missing():
    look = Attention(Dot())
    first = look.remember(WORDS[:, :2], mask=padding([2, 1], 2))
    both = first.append(look.remember(WORDS[:, 2:]))
    expected = torch.cat([padding([2, 1], 2), torch.ones(2, 1, 3, dtype=torch.bool)], dim=-1)
    assert both.mask.equal(expected)


def test_self_attention_is_equivariant_to_the_order_of_words():
    many, order = make(), torch.tensor([3, 0, 4, 1, 2])
    assert_close(many(WORDS[:, order]).context, many(WORDS).context[:, order])


def test_causal_contexts_do_not_depend_on_the_future():
    many, changed = make(), WORDS.clone()
    changed[:, 3:] = 7.0
    before, after = many(WORDS, mask=causal(5)), many(changed, mask=causal(5))
    assert_close(before.context[:, :3], after.context[:, :3])
    assert not torch.allclose(before.context[:, 3:], after.context[:, 3:])


def test_printing_is_the_description_of_the_system():
    assert repr(make()).startswith(
        "MultiHead(\n  heads=3\n  (look): Attention(\n    (score): Scaled"
    )
