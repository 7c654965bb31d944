"""The tape and its addressing: the slides' numbers, plain loops, and the extremes."""

import math

import pytest
import torch
from torch import tensor
from torch.testing import assert_close

from regard.memory import content, interpolate, read, sharpen, shift, write

BATCH, HEAD, SLOT, WORD = 2, 3, 7, 5


@pytest.fixture
def drawn():
    torch.manual_seed(0)
    tape = torch.randn(BATCH, SLOT, WORD)
    weights = torch.randn(BATCH, HEAD, SLOT).softmax(dim=-1)
    erase, add = torch.rand(BATCH, HEAD, WORD), torch.randn(BATCH, HEAD, WORD)
    return tape, weights, erase, add


def test_reading_is_the_slides():
    tape = tensor([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]])
    assert_close(read(tape, tensor([[[0.5, 0.25, 0.25]]])), tensor([[[2.5, 3.5]]]))


def test_writing_is_a_loop_over_slots_and_heads(drawn):
    tape, weights, erase, add = drawn
    expected = tape.clone()
    for b in range(BATCH):
        for i in range(SLOT):
            for h in range(HEAD):
                expected[b, i] *= 1 - weights[b, h, i] * erase[b, h]
            for h in range(HEAD):
                expected[b, i] += weights[b, h, i] * add[b, h]
    assert_close(write(tape, weights, erase, add), expected)


def test_the_order_of_heads_does_not_matter(drawn):
    tape, *heads = drawn
    turned = [each.flip(1) for each in heads]
    assert_close(write(tape, *heads), write(tape, *turned))


def test_content_is_the_slides():
    tape, key = tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]), tensor([[[1.0, 0.0]]])
    one = content(tape, key, tensor([[[1.0]]]))
    assert_close(one, tensor([[[0.4730, 0.1740, 0.3529]]]), atol=1e-4, rtol=0)
    ten = content(tape, key, tensor([[[10.0]]]))
    assert_close(ten, tensor([[[0.9492, 0.00004, 0.0507]]]), atol=1e-4, rtol=0)


def test_interpolation_goes_from_where_the_head_was_to_what_it_found(drawn):
    weights = drawn[1]
    before = weights.flip(-1)
    gate = tensor([0.0, 1.0, 0.25]).view(1, HEAD, 1).expand(BATCH, -1, -1)
    mixed = interpolate(weights, before, gate)
    assert_close(mixed[:, 0], before[:, 0])
    assert_close(mixed[:, 1], weights[:, 1])
    assert_close(mixed[:, 2], 0.25 * weights[:, 2] + 0.75 * before[:, 2])


def test_shift_and_sharpening_are_the_slides():
    at_two = tensor([[[0.0, 0.0, 1.0, 0.0, 0.0]]])
    moved = shift(at_two, tensor([[[0.1, 0.8, 0.1]]]))
    assert_close(moved, tensor([[[0.0, 0.1, 0.8, 0.1, 0.0]]]))
    two = sharpen(moved, tensor([[[2.0]]]))
    assert_close(two, tensor([[[0.0, 0.0152, 0.9697, 0.0152, 0.0]]]), atol=1e-4, rtol=0)
    five = sharpen(moved, tensor([[[5.0]]]))
    assert_close(five, tensor([[[0.0, 3.1e-5, 0.99994, 3.1e-5, 0.0]]]), atol=1e-5, rtol=0)


@pytest.mark.parametrize("places", [1, 3, 5, 7])
def test_shifting_is_a_true_convolution_with_indices_that_go_round(drawn, places):
    weights = drawn[1]
    shares = torch.randn(BATCH, HEAD, places).softmax(dim=-1)
    expected = torch.zeros_like(weights)
    for i in range(SLOT):
        for j in range(SLOT):
            for n in range(places):
                if (i - j) % SLOT == (n - places // 2) % SLOT:
                    expected[..., i] += weights[..., j] * shares[..., n]
    moved = shift(weights, shares)
    assert_close(moved, expected)
    assert_close(moved.sum(dim=-1), torch.ones(BATCH, HEAD))


@pytest.mark.parametrize(
    ("places", "message"), [(4, "an odd number of them, but there are 4"), (9, "tape of 7 slots")]
)
def test_shifts_that_cannot_be_are_refused(drawn, places, message):
    with pytest.raises(ValueError, match=message):
        shift(drawn[1], torch.ones(BATCH, HEAD, places) / places)


def at_extremes(tape, weights, strength, power):
    """Everything a head does, once."""
    key = torch.zeros(1, 1, WORD)
    found = content(tape, key, torch.full((1, 1, 1), strength))
    mixed = interpolate(found, weights, torch.full((1, 1, 1), 0.5))
    moved = sharpen(shift(mixed, tensor([[[0.0, 1.0, 0.0]]])), torch.full((1, 1, 1), power))
    return read(write(tape, moved, torch.ones(1, 1, WORD), torch.ones(1, 1, WORD)), moved)


@pytest.mark.parametrize("strength", [0.0, 1e-6, 1e4, 1e10])
@pytest.mark.parametrize("power", [1.0, 50.0, 1e4, 1e10])
@pytest.mark.parametrize("filled", [0.0, 1.0])
def test_nothing_brings_nan_not_even_an_empty_tape_and_a_head_in_one_place(strength, power, filled):
    tape = torch.full((1, SLOT, WORD), filled, requires_grad=True)
    weights = torch.zeros(1, 1, SLOT)
    weights[..., 2] = 1
    weights.requires_grad_()
    result = at_extremes(tape, weights, strength, power)
    slopes = torch.autograd.grad(result.sum(), (tape, weights))
    assert result.isfinite().all()
    assert all(slope.isfinite().all() for slope in slopes)


def test_a_sharpened_head_in_one_place_stays_there():
    weights = torch.zeros(1, 1, SLOT)
    weights[..., 4] = 1
    assert_close(sharpen(weights, tensor([[[3.0]]])), weights)
    assert math.isclose(float(sharpen(weights, tensor([[[1.0]]])).sum()), 1.0, rel_tol=1e-6)


@pytest.mark.parametrize("power", [1e4, 1e38])
def test_no_finite_power_and_no_finite_strength_brings_nan(power):
    even = torch.full((1, 1, 128), 1 / 128, requires_grad=True)
    much = torch.tensor([[[power]]], requires_grad=True)
    assert_close(sharpen(even, much), even)
    uneven = tensor([[[0.2, 0.5, 0.3]]]).requires_grad_()
    one = sharpen(uneven, much)
    assert_close(one, tensor([[[0.0, 1.0, 0.0]]]))
    found = content(tensor([[[1.0, 0.0], [0.0, 1.0]]]), tensor([[[1.0, 0.0]]]), much)
    assert_close(found, tensor([[[1.0, 0.0]]]))
    (one.square().sum() + found.square().sum()).backward()
    assert uneven.grad.isfinite().all()
    assert much.grad.isfinite().all()
