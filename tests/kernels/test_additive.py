"""Fused additive attention equals its equation, in values, gradients and awkward cases."""

import math

import pytest
import torch
from torch.testing import assert_close

from regard.kernels import additive
from regard.kernels.additive import operators, plain, tiles

BATCH, QUERY, KEY, HIDDEN, DIM = 2, 5, 11, 13, 7
INPUTS = ("query", "key", "vector", "value")
CASES = ["compiled", "chunked"]


@pytest.fixture(params=CASES)
def engine(request, monkeypatch):
    monkeypatch.setenv("REGARD_KERNELS", "on" if request.param == "compiled" else "off")
    monkeypatch.setattr(tiles, "CHUNK", 997)  # several chunks, also of these small sizes


@pytest.fixture
def always_fused(monkeypatch):
    monkeypatch.setattr(additive, "FEW", 0)


def draw(batch=BATCH, query=QUERY, key=KEY, dtype=torch.float64, scale=1.0):
    torch.manual_seed(0)
    shapes = (batch, query, HIDDEN), (batch, key, HIDDEN), (HIDDEN,), (batch, key, DIM)
    drawn = [torch.randn(shape, dtype=dtype) for shape in shapes]
    drawn[0] *= scale
    drawn[1] *= scale
    return [each.requires_grad_() for each in drawn]


def with_empty_row(batch=BATCH, query=QUERY, key=KEY):
    torch.manual_seed(1)
    mask = torch.rand(batch, query, key) > 0.4
    mask[0, 1] = False
    mask[..., -2:] = False
    return mask


def gradients(output, inputs):
    torch.manual_seed(2)
    slope = torch.randn_like(output)
    return torch.autograd.grad(output, inputs, slope, retain_graph=True, materialize_grads=True)


def scores_by_loops(query, key, vector):
    scores = torch.zeros(query.shape[0], query.shape[1], key.shape[1], dtype=query.dtype)
    for b in range(query.shape[0]):
        for i in range(query.shape[1]):
            for j in range(key.shape[1]):
                for h in range(len(vector)):
                    scores[b, i, j] += vector[h] * math.tanh(query[b, i, h] + key[b, j, h])
    return scores


def context_by_loops(query, key, vector, value, mask):
    scores = scores_by_loops(query, key, vector)
    context = torch.zeros(*query.shape[:2], value.shape[-1], dtype=value.dtype)
    for b in range(query.shape[0]):
        for i in range(query.shape[1]):
            seen = [j for j in range(key.shape[1]) if mask[b, i, j]]
            total = sum(math.exp(scores[b, i, j]) for j in seen)
            for j in seen:
                context[b, i] += math.exp(scores[b, i, j]) / total * value[b, j]
    return context


def test_scores_equal_their_equation_in_plain_loops(engine, always_fused):
    inputs = [each.detach() for each in draw()[:3]]
    assert_close(additive.scores(*inputs), scores_by_loops(*inputs))


def test_context_equals_its_equation_in_plain_loops(engine, always_fused):
    inputs, mask = [each.detach() for each in draw()], with_empty_row()
    assert_close(additive.attend(*inputs, mask).context, context_by_loops(*inputs, mask))


@pytest.mark.parametrize(("query", "key"), [(1, 3), (3, 5), (4, 8), (5, 11), (131, 263)])
def test_scores_and_gradients_equal_the_plain_ones(query, key, engine, always_fused):
    inputs = draw(query=query, key=key)[:3]
    ours, theirs = additive.scores(*inputs), plain.scores(*inputs)
    assert_close(ours, theirs)
    assert_close(gradients(ours, inputs), gradients(theirs, inputs))


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("where", ["nowhere", "everywhere", "shared", "padding"])
@pytest.mark.parametrize(("query", "key"), [(1, 3), (5, 11), (131, 263)])
def test_contexts_and_gradients_equal_the_plain_ones(
    query, key, where, kept, engine, always_fused, monkeypatch
):
    shape = (BATCH, query, key) if kept else (0, 0, 0)
    monkeypatch.setattr("regard.kernels.additive.passes.kept_shape", lambda *_: shape)
    inputs = draw(query=query, key=key)
    mask = with_empty_row(query=max(2, query), key=key)[:, :query]
    mask = {"nowhere": None, "everywhere": mask, "shared": mask[:1], "padding": mask[:, :1]}[where]
    ours = operators.ATTENTION(*inputs, mask, None)
    theirs = plain.attention(*inputs, mask)
    assert ours[2].shape == shape
    for mine, other in zip(ours[:2], theirs, strict=True):
        assert_close(mine, other)
        assert_close(gradients(mine, inputs), gradients(other, inputs))


def test_weights_are_kept_only_while_no_larger_than_queries_and_keys():
    few = operators.ATTENTION(*draw(query=11, key=11), None, None)[2]
    many = operators.ATTENTION(*draw(query=31, key=29), None, None)[2]
    assert few.shape == (BATCH, 11, 11)
    assert many.numel() == 0


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
def test_every_dtype_is_as_close_to_double_as_it_can_be(dtype, engine, always_fused):
    inputs, mask = draw(dtype=dtype, query=17, key=19), with_empty_row(query=17, key=19)
    exact = [each.detach().double().requires_grad_() for each in inputs]
    ours = additive.attend(*inputs, mask).context
    theirs = additive.attend(*exact, mask).context
    tolerance = {"rtol": 2 * torch.finfo(dtype).eps, "atol": 8 * torch.finfo(dtype).eps}
    assert ours.dtype == dtype
    assert_close(ours.double(), theirs, **tolerance)
    slope = torch.randn(ours.shape).to(dtype)
    slopes = torch.autograd.grad(ours, inputs, slope)
    wanted = torch.autograd.grad(theirs, exact, slope.double())
    for mine, other in zip(slopes, wanted, strict=True):
        assert mine.dtype == dtype
        assert_close(mine.double(), other, rtol=0.1, atol=40 * torch.finfo(dtype).eps)


def test_mixed_precision_is_promoted(always_fused):
    query, key, vector, value = (each.detach() for each in draw(dtype=torch.float32))
    mixed = additive.attend(query.bfloat16(), key.bfloat16(), vector, value.bfloat16()).context
    assert mixed.dtype == torch.float32
    assert_close(mixed, additive.attend(query, key, vector, value).context, rtol=0.05, atol=0.05)


def test_a_query_that_may_see_nothing_gets_zeros_and_gives_zero_gradients(engine, always_fused):
    inputs, mask = draw(), with_empty_row()
    context = additive.attend(*inputs, mask).context
    assert torch.equal(context[0, 1], torch.zeros(DIM, dtype=torch.float64))
    slopes = torch.autograd.grad(context[0, 1].sum(), inputs)
    assert all(torch.equal(each, torch.zeros_like(each)) for each in slopes)
    whole = torch.autograd.grad(additive.attend(*inputs, mask).context.sum(), inputs)
    assert torch.equal(whole[0][0, 1], torch.zeros(HIDDEN, dtype=torch.float64))
    assert torch.equal(whole[1][:, -2:], torch.zeros(BATCH, 2, HIDDEN, dtype=torch.float64))
    assert torch.equal(whole[3][:, -2:], torch.zeros(BATCH, 2, DIM, dtype=torch.float64))


@pytest.mark.parametrize(("query", "key"), [(3, 0), (0, 5), (0, 0)])
def test_without_keys_or_queries_there_are_zeros(query, key, engine):
    inputs = draw(query=query, key=key)
    context = additive.attend(*inputs, torch.ones(query, key, dtype=torch.bool)).context
    assert torch.equal(context, torch.zeros(BATCH, query, DIM, dtype=torch.float64))
    slopes = torch.autograd.grad(context.sum(), inputs)
    assert all(torch.equal(each, torch.zeros_like(each)) for each in slopes)
    assert additive.scores(*inputs[:3]).shape == (BATCH, query, key)


@pytest.mark.parametrize("broken", [math.nan, math.inf])
def test_a_nan_stays_in_its_row(broken, engine, always_fused):
    inputs = [each.detach() for each in draw(dtype=torch.float32)]
    whole = additive.attend(*inputs).context
    inputs[0][1, 2, 3] = broken
    context = additive.attend(*(each.requires_grad_() for each in inputs)).context
    assert context[1, 2].isnan().all() == math.isnan(broken)
    others = torch.ones(BATCH, QUERY, dtype=torch.bool)
    others[1, 2] = False
    assert_close(context[others], whole[others])
    slope = torch.autograd.grad(context[others].sum(), inputs[0])[0]
    assert slope[others].isfinite().all()


@pytest.mark.parametrize("scale", [1.0, 6.0, 30.0, 1000.0])
def test_scores_err_at_most_twice_as_much_as_single_precision_tanh(scale, engine):
    torch.manual_seed(3)
    inputs = torch.randn(2, 61, 256) * scale, torch.randn(2, 67, 256) * scale, torch.randn(256)
    inputs[0][0, 0] = -inputs[1][0, 0]  # where large projections cancel
    exact = plain.scores(*(each.double() for each in inputs))
    ours = (operators.SCORES(*inputs, None) - exact).abs()
    theirs = (plain.scores(*inputs) - exact).abs()
    assert ours.max() <= 2 * theirs.max()
    assert ours.square().mean() <= 4 * theirs.square().mean()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_exponentials_are_left_before_they_overflow(dtype):
    limit = tiles.LARGEST[dtype]
    for factor, kind in ((0.999, tiles.CompiledTiles), (1.001, tiles.ChunkedTiles)):
        query = torch.full((1, 2, 3), limit * factor, dtype=dtype)
        inputs = query, query.clone(), torch.ones(3, dtype=dtype)
        assert type(tiles.choose(*inputs, None)) is kind
        assert_close(operators.SCORES(*inputs, None), plain.scores(*inputs))
        assert_close(operators.SCORES(-query, *inputs[1:], None), torch.zeros(1, 2, 2, dtype=dtype))


def test_leading_axes_broadcast(engine, always_fused):
    torch.manual_seed(4)
    query, key = torch.randn(3, 1, 5, HIDDEN), torch.randn(2, 7, HIDDEN)
    vector, value = torch.randn(HIDDEN), torch.randn(3, 2, 7, DIM)
    for shape in ((7,), (5, 7), (2, 1, 7), (3, 2, 1, 1), (1, 1, 5, 1)):
        mask = torch.rand(shape) > 0.5
        context = additive.attend(query, key, vector, value, mask).context
        assert_close(context, plain.context(query, key, vector, value, mask))
    assert_close(additive.scores(query, key, vector), plain.scores(query, key, vector))
    single = additive.attend(query[0, 0], key[0], vector, value[0, 0]).context
    assert_close(single, plain.context(query[0, 0], key[0], vector, value[0, 0], None))


def test_few_terms_take_the_plain_equation(monkeypatch):
    inputs = draw(dtype=torch.float32)
    fused = torch.ops.regard.additive_attention.default
    few = additive.attend(*inputs).context
    monkeypatch.setattr(additive, "FEW", 0)
    names = [type(each.grad_fn).__name__ for each in (few, additive.attend(*inputs).context)]
    assert "regard_additive_attention" not in names[0]
    assert "regard_additive_attention" in names[1], fused


def test_gradients_pass_gradcheck(engine):
    inputs, mask = draw(query=3, key=5), with_empty_row(query=3, key=5)
    assert torch.autograd.gradcheck(
        lambda *each: operators.ATTENTION(*each, mask, None)[:2], inputs
    )
    assert torch.autograd.gradcheck(operators.SCORES, (*inputs[:3], None))


def test_second_derivatives_pass_gradgradcheck(engine):
    inputs, mask = draw(batch=1, query=2, key=5), with_empty_row(batch=1, query=2, key=5)
    assert torch.autograd.gradgradcheck(
        lambda *each: operators.ATTENTION(*each, mask, None)[:2], inputs
    )
    assert torch.autograd.gradgradcheck(operators.SCORES, (*inputs[:3], None))


def test_a_slope_that_depends_on_the_inputs_is_not_followed_twice(always_fused):
    inputs = draw(query=3, key=5)
    curvature = []
    for attend in (
        additive.attend,
        lambda *each: additive.Blended(plain.context(*each, None), None),
    ):
        penalty = (attend(*inputs).context.square() * inputs[0].sum(-1, keepdim=True)).sum()
        slope = torch.autograd.grad(penalty, inputs[0], create_graph=True)[0]
        curvature.append(torch.autograd.grad(slope.square().sum(), inputs))
    assert_close(curvature[0], curvature[1])


def test_operators_pass_the_checks_of_torch():
    inputs, mask = draw(query=3, key=5), with_empty_row(query=3, key=5)
    torch.library.opcheck(operators.SCORES, (*inputs[:3], None))
    for each in (None, mask):
        torch.library.opcheck(operators.ATTENTION, (*inputs, each, None))


def test_fake_tensors_have_the_shapes_and_dtypes_of_real_ones():
    for dtype in (torch.float32, torch.bfloat16):
        inputs = [each.detach() for each in draw(dtype=dtype)]
        real = (operators.SCORES(*inputs[:3], None), *operators.ATTENTION(*inputs, None, None))
        with torch._subclasses.FakeTensorMode() as mode:
            faked = [mode.from_tensor(each) for each in inputs]
            fake = (operators.SCORES(*faked[:3], None), *operators.ATTENTION(*faked, None, None))
        assert [(each.shape, each.dtype) for each in fake] == [(r.shape, r.dtype) for r in real]


def test_vmap_equals_a_loop(always_fused):
    query, key, vector, value = (each.detach() for each in draw())
    many = torch.stack([query, query + 1, query * 2], dim=1)
    masks = torch.rand(3, QUERY, KEY) > 0.3
    mapped = torch.func.vmap(
        lambda q, m: additive.attend(q, key, vector, value, m).context, in_dims=(1, 0), out_dims=1
    )(many, masks)
    for index in range(3):
        one = additive.attend(many[:, index], key, vector, value, masks[index]).context
        assert_close(mapped[:, index], one)
    mapped_scores = torch.func.vmap(lambda q: additive.scores(q, key, vector))(many.movedim(1, 0))
    assert_close(mapped_scores[2], additive.scores(query * 2, key, vector))
