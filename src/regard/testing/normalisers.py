"""What every normaliser must do."""

import warnings
from contextlib import AbstractContextManager
from dataclasses import dataclass

import torch
from torch import Tensor, vmap

from regard.masks import causal
from regard.testing.case import Case, close, gradcheck, numbers

BATCH, LENGTH = 2, 5


@dataclass(frozen=True)
class NormaliserCase(Case):
    """A normaliser."""


def _scores(dtype: torch.dtype = torch.float64) -> Tensor:
    return numbers(BATCH, LENGTH, LENGTH, seed=1, dtype=dtype)


def _anomalies_raise() -> AbstractContextManager[None]:
    """A NaN on the way back raises, even where a later step would have cleared it."""
    warnings.simplefilter("ignore")  # that this is slow
    return torch.autograd.detect_anomaly(check_nan=True)


def _mask_with_empty_row() -> Tensor:
    mask = causal(LENGTH).expand(BATCH, -1, -1).clone()
    mask[0, 2] = False
    return mask


def forbidden_keys_get_exactly_nothing(case: NormaliserCase) -> None:
    """Zero, not merely little."""
    mask = causal(LENGTH)
    weights = case.part()(_scores(), mask)
    assert not weights[:, mask.logical_not()].any()


def forbidden_keys_cannot_sway_the_others(case: NormaliserCase) -> None:
    """However loud they are, infinite and broken scores included."""
    normaliser, scores, mask = case.part(), _scores(), causal(LENGTH)
    quiet = normaliser(scores, mask)
    for loud in (1e4, float("inf"), float("nan")):
        close(normaliser(scores.masked_fill(mask.logical_not(), loud), mask), quiet)


def empty_rows_get_nothing(case: NormaliserCase) -> None:
    """Zero weights and zero gradient, never NaN, in training as in eval."""
    for normaliser in (case.part(), case.part().train()):
        scores = _scores().requires_grad_()
        weights = normaliser(scores, _mask_with_empty_row())
        assert not weights[0, 2].any()
        assert weights.isfinite().all()
        if weights.requires_grad:
            with warnings.catch_warnings(), _anomalies_raise():
                again = normaliser(scores, _mask_with_empty_row())
                (again * numbers(*again.shape, seed=3)).sum().backward()
            assert scores.grad is not None
            assert scores.grad.isfinite().all()
            assert not scores.grad[0, 2].any()


def more_forbidden_keys_change_nothing(case: NormaliserCase) -> None:
    """Padding invariance."""
    normaliser, scores, mask = case.part(), _scores(), _mask_with_empty_row()
    longer = torch.cat([scores, numbers(BATCH, LENGTH, 2, seed=4)], dim=-1)
    allowed = torch.nn.functional.pad(mask, (0, 2))
    close(normaliser(longer, allowed)[..., :LENGTH], normaliser(scores, mask))


def the_order_of_keys_does_not_matter(case: NormaliserCase) -> None:
    """Permuted scores give permuted weights."""
    normaliser, scores, mask = case.part(), _scores(), _mask_with_empty_row()
    order = torch.tensor([3, 0, 4, 1, 2])
    close(normaliser(scores[..., order], mask[..., order]), normaliser(scores, mask)[..., order])


def rows_do_not_touch(case: NormaliserCase) -> None:
    """Every row alone gives the same weights."""
    normaliser, scores, mask = case.part(), _scores(), causal(LENGTH)
    rows = [normaliser(scores[:, i : i + 1], mask[i : i + 1]) for i in range(LENGTH)]
    close(torch.cat(rows, dim=-2), normaliser(scores, mask))


def gradients_are_right(case: NormaliserCase) -> None:
    """Against differences, in float64, with and without a mask."""
    normaliser = case.part()
    gradcheck(normaliser, _scores())
    gradcheck(lambda scores: normaliser(scores, _mask_with_empty_row()), _scores())


def nan_stays_in_its_row(case: NormaliserCase) -> None:
    """A broken row leaves the others alone."""
    normaliser, scores = case.part(), _scores()
    broken = scores.clone()
    broken[0, 1] = float("nan")
    kept = torch.ones(BATCH, LENGTH, dtype=torch.bool)
    kept[0, 1] = False
    close(normaliser(broken)[kept], normaliser(scores)[kept])


def no_keys_no_weights(case: NormaliserCase) -> None:
    """An empty key axis is no error."""
    assert case.part()(_scores()[..., :0]).shape == (BATCH, LENGTH, 0)


def lower_precision_agrees(case: NormaliserCase) -> None:
    """float32 and bfloat16 are float64, rounded."""
    mask = _mask_with_empty_row()
    exact = case.part()(_scores(), mask)
    close(case.part(torch.float32)(_scores(torch.float32), mask).double(), exact, 1e-5)
    close(case.part(torch.bfloat16)(_scores(torch.bfloat16), mask).double(), exact, 0.03)


def vmap_maps_it(case: NormaliserCase) -> None:
    """torch.vmap over examples gives the batch."""
    normaliser, scores, mask = case.part(), _scores(), _mask_with_empty_row()
    close(vmap(normaliser)(scores, mask), normaliser(scores, mask))


NormaliserCase.guarantees = (
    forbidden_keys_get_exactly_nothing,
    forbidden_keys_cannot_sway_the_others,
    empty_rows_get_nothing,
    more_forbidden_keys_change_nothing,
    the_order_of_keys_does_not_matter,
    rows_do_not_touch,
    gradients_are_right,
    nan_stays_in_its_row,
    no_keys_no_weights,
    lower_precision_agrees,
    vmap_maps_it,
)
