"""What every look must do."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn, vmap

from regard.attention import Attended
from regard.masks import both, padding
from regard.recording import record
from regard.testing.case import Case, close, gradcheck, numbers

BATCH, QUERY, KEY = 2, 3, 5


@dataclass(frozen=True)
class LookCase(Case):
    """A look, called as look(query, key, value, mask), and the sizes it was made for."""

    query_size: int = 7
    key_size: int = 7
    value_size: int = 11

    def inputs(self, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values of fitting sizes."""
        return (
            numbers(BATCH, QUERY, self.query_size, seed=1, dtype=dtype),
            numbers(BATCH, KEY, self.key_size, seed=2, dtype=dtype),
            numbers(BATCH, KEY, self.value_size, seed=3, dtype=dtype),
        )


def _mask() -> Tensor:
    """The second example is shorter; its second query may see nothing."""
    mask = padding([KEY, KEY - 2], KEY).expand(BATCH, QUERY, KEY).clone()
    mask[1, 1] = False
    return mask


def _gradient(tensor: Tensor) -> Tensor:
    """Its gradient; zero where none has reached it, as behind a draw."""
    return torch.zeros_like(tensor) if tensor.grad is None else tensor.grad


def forbidden_keys_cannot_sway_anything(case: LookCase) -> None:
    """However loud or broken the filling is: contexts and gradients stay as they are."""
    look, (query, key, value), mask = case.part(), case.inputs(), padding([KEY, KEY - 2], KEY)
    quiet = look(query, key, value, mask)
    for loud in (1e4, float("inf"), float("nan")):
        key[1, KEY - 2 :] = loud
        value[1, KEY - 2 :] = loud
        inputs = [one.clone().requires_grad_() for one in (query, key, value)]
        seen = look(*inputs, mask)
        close(seen.context, quiet.context)
        close(seen.weights, quiet.weights)
        if seen.context.requires_grad:
            seen.context.sum().backward()
            gradients = [one.grad for one in (*inputs, *look.parameters()) if one.grad is not None]
            assert all(gradient.isfinite().all() for gradient in gradients)


def more_forbidden_keys_change_nothing(case: LookCase) -> None:
    """Padding invariance."""
    look, (query, key, value), mask = case.part(), case.inputs(), _mask()
    longer = torch.cat([key, numbers(BATCH, 2, case.key_size, seed=6)], dim=-2)
    others = torch.cat([value, numbers(BATCH, 2, case.value_size, seed=7)], dim=-2)
    seen = look(query, longer, others, nn.functional.pad(mask, (0, 2)))
    whole = look(query, key, value, mask)
    close(seen.context, whole.context)
    close(seen.weights[..., :KEY], whole.weights)


def empty_rows_see_nothing(case: LookCase) -> None:
    """Zero weights, zero context and zero gradient, never NaN; as when there are no keys."""
    look, inputs = case.part(), case.inputs()
    seen = look(*inputs, _mask())
    assert not seen.weights[1, ..., 1, :].any()
    assert seen.context.isfinite().all()
    assert not seen.context[1, 1].any()
    assert not look(inputs[0], inputs[1][:, :0], inputs[2][:, :0]).context.any()
    variables = [one.requires_grad_() for one in inputs]
    context = look(*variables, _mask()).context
    (context * numbers(*context.shape, seed=5)).sum().backward()
    assert not _gradient(variables[0])[1, 1].any()
    assert all(_gradient(one).isfinite().all() for one in variables)


def examples_do_not_touch(case: LookCase) -> None:
    """A batch is its examples, one by one."""
    look, inputs, mask = case.part(), case.inputs(), _mask()
    whole = look(*inputs, mask)
    for i in range(BATCH):
        alone = look(*(one[i] for one in inputs), mask[i])
        close(alone.context, whole.context[i])
        close(alone.weights, whole.weights[i])


def the_order_of_keys_does_not_matter(case: LookCase) -> None:
    """Keys, values and mask in another order give the same context and reordered weights."""
    look, (query, key, value), mask = case.part(), case.inputs(), _mask()
    order = torch.tensor([3, 0, 4, 1, 2])
    moved = look(query, key[:, order], value[:, order], mask[..., order])
    still = look(query, key, value, mask)
    close(moved.context, still.context)
    close(moved.weights, still.weights[..., order])


def the_order_of_queries_does_not_matter(case: LookCase) -> None:
    """Queries in another order get their own contexts in that order."""
    look, (query, key, value) = case.part(), case.inputs()
    order = torch.tensor([2, 0, 1])
    close(look(query[:, order], key, value).context, look(query, key, value).context[:, order])


def weights_are_those_used(case: LookCase) -> None:
    """Blending by the weights shown gives the context, on every path."""
    look, inputs = case.part(), case.inputs()
    seen = look(*inputs, _mask())
    close(look.blend(seen.weights, inputs[2]), seen.context)


def a_fused_path_agrees_with_the_plain_one(case: LookCase) -> None:
    """Values and gradients, masks and empty rows, in float64, float32 and bfloat16."""
    for dtype, tolerance in ((torch.float64, 1e-9), (torch.float32, 1e-4), (torch.bfloat16, 0.06)):
        look, results = case.part(dtype), []
        for path in (_directly, _plainly):
            inputs = [one.requires_grad_() for one in case.inputs(dtype)]
            context = path(look, *inputs, _mask())
            torch.autograd.backward(context, numbers(*context.shape, seed=5, dtype=dtype))
            results.append((context, *(_gradient(one) for one in inputs)))
        for fused, plain in zip(*results, strict=True):
            close(fused, plain, tolerance)


def gradients_are_right(case: LookCase) -> None:
    """Against differences, in float64, with a mask that has an empty row."""
    look, (query, key, value), mask = case.part(), case.inputs(), _mask()
    gradcheck(lambda *inputs: look(*inputs, mask).context, query, key, value)
    gradcheck(lambda *inputs: look(*inputs, value, mask).weights, query, key)


def nan_stays_in_its_row(case: LookCase) -> None:
    """A broken query leaves the other queries alone."""
    look, (query, key, value) = case.part(), case.inputs()
    whole = look(query, key, value)
    broken = query.clone()
    broken[0, 1] = float("nan")
    seen = look(broken, key, value)
    for i, j in ((0, 0), (0, 2), (1, 0), (1, 1), (1, 2)):
        close(seen.context[i, j], whole.context[i, j])
        close(seen.weights[i, ..., j, :], whole.weights[i, ..., j, :])


def a_memory_gives_the_same_look(case: LookCase) -> None:
    """Remembered, appended piece by piece, and picked: as if looked at directly."""
    look, (query, key, value), mask = case.part(), case.inputs(), padding([KEY, KEY - 2], KEY)
    direct = look(query, key, value, mask)
    close(look(query, look.remember(key, value, mask)).context, direct.context)
    grown = look.remember(key[:, :2], value[:, :2], mask[..., :2])
    grown = grown.append(look.remember(key[:, 2:], value[:, 2:], mask[..., 2:]))
    close(look(query, grown).context, direct.context)
    rows = torch.tensor([1, 0, 1])
    close(look(query[rows], grown.select(rows)).context, direct.context[rows])
    assert grown.length == KEY


def recording_sees_the_weights(case: LookCase) -> None:
    """What is recorded is what was read, whole or in part, also without gradients."""
    look, inputs = case.part(), case.inputs()
    model = nn.ModuleDict({"look": look})
    with record(model) as maps, torch.no_grad():
        seen = look(*inputs, _mask())
    close(maps["look"].weights, seen.weights)
    with record(model, rows=[2]) as maps:
        look(*inputs, _mask())
    close(maps["look"].weights, seen.weights[..., [2], :].detach())


def late_reading_never_shows_a_wrong_weight(case: LookCase) -> None:
    """After a change in place, weights are those of the look, or an error."""
    for at in (0, 1):
        look, inputs = case.part(), case.inputs()
        right = look(*inputs, _mask()).weights.clone()
        seen = look(*inputs, _mask())
        with torch.no_grad():
            inputs[at].add_(1)
        _right_or_error(seen, right)
    for fused in (False, True) if any(True for _ in case.part().parameters()) else ():
        look, inputs = case.part(), case.inputs()
        right = look(*inputs, _mask()).weights.detach().clone()
        seen = look(*inputs, _mask())
        seen.context.sum().backward()
        torch.optim.SGD(look.parameters(), lr=1.0, fused=fused).step()
        _right_or_error(seen, right)


def inference_mode_works(case: LookCase) -> None:
    """Same context, same weights, and an error after a change in place."""
    look, inputs = case.part(), case.inputs()
    usual = look(*inputs, _mask())
    with torch.inference_mode():
        copies = [one.clone() for one in inputs]
        seen = look(*copies, _mask())
        close(seen.context, usual.context.detach().clone())
        close(seen.weights, usual.weights.detach().clone())
        later = look(*copies, _mask())
        copies[0].add_(1)
        _right_or_error(later, usual.weights.detach().clone())


def vmap_maps_it(case: LookCase) -> None:
    """torch.vmap over examples gives the batch, weights included."""
    look, inputs, mask = case.part(), case.inputs(), _mask()
    mapped, whole = vmap(look)(*inputs, mask), look(*inputs, mask)
    close(mapped.context, whole.context)
    close(mapped.weights, whole.weights)


def _directly(look: Any, *inputs: Tensor) -> Tensor:
    return look(*inputs).context


def _plainly(look: Any, *inputs: Tensor) -> Tensor:
    """Score, normalise, blend: the three lines, on no fused path."""
    query, key, value, mask = inputs
    prepared = look.score.prepare(key)
    scores = look.score.compare(query, prepared)
    allowed = both(mask, look.score.reach(query, prepared))
    allowed, taper = look.window(query, allowed, KEY)
    return look.blend(taper(look.normaliser(scores, allowed)), value)


def _right_or_error(seen: Attended, right: Tensor) -> None:
    try:
        weights = seen.weights
    except RuntimeError as error:
        assert "changed since" in str(error)
    else:
        close(weights.detach(), right)


LookCase.guarantees = (
    forbidden_keys_cannot_sway_anything,
    more_forbidden_keys_change_nothing,
    empty_rows_see_nothing,
    examples_do_not_touch,
    the_order_of_keys_does_not_matter,
    the_order_of_queries_does_not_matter,
    weights_are_those_used,
    a_fused_path_agrees_with_the_plain_one,
    gradients_are_right,
    nan_stays_in_its_row,
    a_memory_gives_the_same_look,
    recording_sees_the_weights,
    late_reading_never_shows_a_wrong_weight,
    inference_mode_works,
    vmap_maps_it,
)
