"""Halting: weights, remainder and ponder, worked by hand."""

import pytest
import torch
from torch import tensor
from torch.testing import assert_close

from regard.halting import (
    FixedSteps,
    HaltingUnit,
    blend_states,
    halt,
    steps_taken,
)

# Steps, remainder, weights and ponder of halting probabilities, with an epsilon of 0.01.
WORKED = {
    # 0.1, 0.4, 0.8, 1.3: the fourth sum is the first to reach 0.99; R = 1 - 0.8
    "four steps": ([0.1, 0.3, 0.4, 0.5], 4, 0.2, [0.1, 0.3, 0.4, 0.2], 4.2),
    # 0.995 reaches 0.99 at once, and nothing comes before it
    "one step": ([0.995], 1, 1.0, [1.0], 2.0),
    # what comes after the last step counts for nothing: 0.6, 1.3
    "two of four": ([0.6, 0.7, 0.9, 0.2], 2, 0.4, [0.6, 0.4, 0.0, 0.0], 2.4),
    # 0.2, 0.4, 0.6: three steps are all that there may be; R = 1 - 0.4
    "cut off": ([0.2, 0.2, 0.2], 3, 0.6, [0.2, 0.2, 0.6], 3.6),
    # 0.98 is not enough, 0.98 + 0.005 is not, 0.98 + 0.015 is
    "barely": ([0.98, 0.005, 0.01, 0.5], 3, 0.015, [0.98, 0.005, 0.015, 0.0], 3.015),
}


@pytest.mark.parametrize("name", WORKED)
def test_rows_worked_by_hand(name):
    given, steps, remainder, weights, ponder = WORKED[name]
    probabilities = tensor(given)
    halted = halt(probabilities, steps_taken(probabilities))
    assert halted.steps == steps
    assert_close(halted.remainder, tensor(remainder))
    assert_close(halted.weights, tensor(weights))
    assert_close(halted.ponder, tensor(ponder))


def test_a_nan_is_shown_and_not_halted_at():
    probabilities = tensor([0.1, float("nan"), 0.4])
    halted = halt(probabilities, steps_taken(probabilities))
    assert halted.weights.isnan().any()
    assert halted.ponder.isnan()


def test_every_row_halts_by_itself():
    rows = [[0.1, 0.3, 0.4, 0.5], [0.6, 0.7, 0.9, 0.2], [0.995, 0.0, 0.0, 0.0], [0.2] * 4]
    together = tensor(rows)
    halted = halt(together, steps_taken(together))
    assert halted.steps.tolist() == [4, 2, 1, 4]
    assert_close(halted.weights.sum(dim=-1), torch.ones(4))
    for row, probabilities in enumerate(together):
        alone = halt(probabilities, steps_taken(probabilities))
        assert_close(halted.weights[row], alone.weights)
        assert_close(halted.ponder[row], alone.ponder)


def test_the_slack_lets_a_single_step_be_enough():
    almost = tensor([0.992, 0.5])
    assert steps_taken(almost).tolist() == [True, False]
    assert steps_taken(almost, slack=0.001).tolist() == [True, True]
    assert steps_taken(tensor([1.0, 0.5]), slack=0.0).tolist() == [True, False]


def test_ponder_falls_with_every_probability_before_the_last_and_with_no_other():
    """d rho / d h^n = -1 for n < N and 0 from N on (eq. 14): N is a constant, R is not."""
    probabilities = tensor([[0.1, 0.3, 0.4, 0.5], [0.6, 0.7, 0.9, 0.2]], requires_grad=True)
    halt(probabilities, steps_taken(probabilities)).ponder.sum().backward()
    assert probabilities.grad.tolist() == [[-1, -1, -1, 0], [-1, 0, 0, 0]]


def test_the_last_weight_falls_where_an_earlier_one_rises():
    """d p^N / d h^n = -1 for n < N; p^n has a slope of one in its own h (eq. 18)."""
    probabilities = tensor([0.1, 0.3, 0.4, 0.5, 0.9], requires_grad=True)
    taken = steps_taken(probabilities)
    slopes = torch.autograd.functional.jacobian(lambda h: halt(h, taken).weights, probabilities)
    expected = torch.zeros(5, 5)
    expected[[0, 1, 2], [0, 1, 2]] = 1
    expected[3, :3] = -1
    assert_close(slopes, expected)


def test_the_gradients_are_those_of_small_differences():
    torch.manual_seed(0)
    probabilities = (0.1 + 0.3 * torch.rand(3, 7, dtype=torch.float64)).requires_grad_()

    def both(given):
        halted = halt(given, steps_taken(given))
        return halted.weights, halted.ponder

    assert torch.autograd.gradcheck(both, probabilities)


def test_states_blend_through_tuples_of_any_depth():
    weights = tensor([[0.25, 0.75], [1.0, 0.0]])
    first = (tensor([[1.0], [2.0]]), (tensor([3.0, 4.0]), ()), torch.ones(2, 1, 3))
    then = (tensor([[5.0], [6.0]]), (tensor([7.0, 8.0]), ()), torch.full((2, 1, 3), 5.0))
    flat, (row, empty), deep = blend_states(weights, [first, then], weights > 0)
    assert_close(flat, tensor([[4.0], [2.0]]))  # 0.25 * 1 + 0.75 * 5, and 2 alone
    assert_close(row, tensor([6.0, 4.0]))
    assert empty == ()
    assert_close(deep, tensor([4.0, 1.0]).view(2, 1, 1).expand(2, 1, 3))


def test_the_halting_unit_is_a_sigmoid_whose_bias_starts_at_one():
    unit = HaltingUnit(3)
    assert unit.to_probability.bias.tolist() == [1.0]
    assert unit.most == 100
    assert unit.slack == 0.01
    with torch.no_grad():
        unit.to_probability.weight.copy_(tensor([[1.0, -2.0, 0.5]]))
    # 1 - 2 * 0.5 + 0.5 * 4 + 1 = 3, and the bias alone
    found = unit(tensor([[1.0, 0.5, 4.0], [0.0, 0.0, 0.0]]), 1)
    assert_close(found, torch.sigmoid(tensor([3.0, 1.0])))


def test_fixed_steps_put_all_weight_on_the_last():
    fixed, output = FixedSteps(3), torch.randn(2, 5)
    probabilities = torch.stack([fixed(output, step) for step in (1, 2, 3)], dim=1)
    halted = halt(probabilities, steps_taken(probabilities))
    assert halted.weights.tolist() == [[0, 0, 1]] * 2
    assert halted.steps.tolist() == [3, 3]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: HaltingUnit(3, most=0), "most must be 1 or more, but most=0"),
        (lambda: HaltingUnit(3, slack=1.0), r"slack must lie in \[0, 1\), but slack=1.0"),
        (lambda: FixedSteps(0), "steps must be 1 or more, but steps=0"),
    ],
)
def test_what_cannot_halt_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
