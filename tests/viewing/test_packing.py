"""Weights in few bytes come out as they went in, within what is stated, or as less than a bound."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.viewing.packing import FULL, MISSING, Precision, fit, unpack, written

HEIGHT, WIDTH = 53, 61


def peaked(maps=5, height=HEIGHT, width=WIDTH, temperature=3.0):
    generator = torch.Generator().manual_seed(0)
    return (torch.randn(maps, height, width, generator=generator) * temperature).softmax(-1)


def back(packed, weights):
    shape = weights.shape[-2:]
    return torch.stack([torch.tensor(unpack(one, *shape, packed.precision)) for one in packed.maps])


def test_where_there_is_room_nothing_is_lost():
    weights = peaked()
    packed = fit(weights, 10**6)
    assert packed.precision == Precision(FULL)
    assert packed.share == 1
    assert torch.equal(back(packed, weights), weights)


@pytest.mark.parametrize(("bits", "bytes_each"), [(16, 3.6), (12, 3.1), (8, 2.6)])
def test_with_less_room_every_weight_is_true_to_within_what_is_stated(bits, bytes_each):
    weights = peaked()
    packed = fit(weights, int(bytes_each * weights.numel()))
    assert packed.precision == Precision(bits)
    error = ((back(packed, weights) - weights).abs() / weights).max().item()
    assert 0 < error <= packed.precision.tolerance == 2.0 ** -(bits + 1)


@pytest.mark.parametrize("temperature", [0.3, 1.0, 3.0, 8.0])
@pytest.mark.parametrize("bytes_each", [0.2, 0.5])
def test_where_not_all_can_be_stored_the_largest_are_and_the_others_are_known_from_above(
    temperature, bytes_each
):
    weights = peaked(temperature=temperature)
    weights[:, ::7] = peaked(temperature=0.1)[:, ::7]  # rows without any large weight
    room = int(bytes_each * weights.numel())
    packed = fit(weights, room)
    assert sum(map(written, packed.maps)) <= room
    found, threshold = back(packed, weights), packed.precision.threshold
    stored = found != MISSING
    assert 0 < stored.float().mean() < 1
    error = (found - weights).abs()[stored] / weights[stored]
    assert error.max() <= packed.precision.tolerance == 2.0**-7
    assert stored[weights >= threshold].all()
    assert stored.gather(-1, weights.argmax(dim=-1, keepdim=True)).all()
    assert (weights[~stored] < threshold).all()
    assert packed.share == pytest.approx(float((weights * stored).sum() / weights.sum()), rel=1e-5)


def test_the_room_is_used():
    weights = peaked(maps=24)
    packed = fit(weights, 40_000)
    assert 38_000 < sum(map(written, packed.maps)) <= 40_000


def test_maps_that_differ_from_the_sampled_ones_still_fit():
    weights = torch.zeros(60, 31, 37)
    weights[::5, :, 0] = 1.0  # the sample
    others = torch.arange(60) % 5 != 0
    weights[others] = peaked(maps=48, height=31, width=37)
    packed = fit(weights, 30_000)
    assert packed.precision.least > 0
    assert sum(map(written, packed.maps)) <= 30_000


def test_rows_of_zeros_are_zero_and_not_missing():
    weights = peaked(temperature=0.5)
    weights[:, ::2] = 0
    packed = fit(weights, weights.numel() // 4)
    assert packed.precision.least > 0
    assert (back(packed, weights)[:, ::2] == 0).all()


def test_equal_weights_take_next_to_nothing():
    weights = torch.full((3, 211, 223), 1 / 223)
    packed = fit(weights, 4_000)
    assert packed.precision == Precision(FULL)
    assert torch.equal(back(packed, weights), weights)


def test_where_not_even_the_largest_fit_there_is_nothing():
    assert fit(peaked(), 100) is None


@given(
    st.lists(st.floats(0, 2.0**99, width=32), min_size=6, max_size=6),
    st.sampled_from([10**6, 290, 240, 200, 180]),
)
@settings(max_examples=200, deadline=None)
def test_any_weights_come_back_or_are_known_to_be_less(numbers, room):
    weights = torch.tensor(numbers).reshape(1, 2, 3)
    packed = fit(weights, room)
    if packed is None:
        return
    found = back(packed, weights)
    stored = found != MISSING
    error = (found - weights).abs()
    assert (error <= packed.precision.tolerance * weights + 1e-38)[
        stored
    ].all()  # the smallest have fewer bits
    assert (weights[~stored] < packed.precision.threshold).all()
