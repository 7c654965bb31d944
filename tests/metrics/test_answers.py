"""What choices cost and which are wrong, worked by hand."""

import math

import pytest
import torch
from torch import tensor
from torch.testing import assert_close

from regard.metrics import nats_per_sequence, slope, wrong_answers

COUNTS = tensor([False, True, True])


def test_an_answer_that_knows_nothing_costs_the_logarithm_of_its_choices():
    targets = torch.randint(0, 5, (2, 3, 7))
    expected = torch.full((2,), 2 * 7 * math.log(5))
    assert_close(nats_per_sequence(torch.zeros(2, 3, 7, 5), targets, COUNTS), expected)


def test_the_cost_is_that_of_the_right_choice():
    choices = tensor([0.2, 0.5, 0.3]).log().expand(1, 3, 1, 3)
    targets = tensor([[[0], [1], [2]]])
    assert_close(
        nats_per_sequence(choices, targets, COUNTS), tensor([-math.log(0.5) - math.log(0.3)])
    )


def test_only_the_steps_that_count_are_wrong():
    choices = tensor([[9.0, 0.0], [0.0, 9.0], [9.0, 0.0]]).view(1, 3, 1, 2)
    targets = tensor([[[1], [1], [1]]])
    assert wrong_answers(choices, targets, COUNTS).tolist() == [[False, True]]


def test_nothing_is_wrong_where_nothing_is_asked():
    nothing = wrong_answers(torch.zeros(2, 1, 3, 5), torch.zeros(2, 1, 3).long(), tensor([False]))
    assert nothing.shape == (2, 0)
    assert not nothing.any()
    cost = nats_per_sequence(torch.zeros(2, 1, 3, 5), torch.zeros(2, 1, 3).long(), tensor([False]))
    assert cost.tolist() == [0, 0]


def test_a_slope_worked_by_hand():
    # means 2 and 3; (-1)(-2) + 0 + (1)(2) = 4 over 1 + 0 + 1 = 2
    assert slope(tensor([1.0, 2.0, 3.0]), tensor([1.0, 3.0, 5.0])) == 2.0
    with pytest.raises(ValueError, match="two places or more"):
        slope(tensor([1.0, 1.0]), tensor([1.0, 3.0]))
