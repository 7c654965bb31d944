"""Bits that answers cost, worked by hand."""

import torch
from torch.testing import assert_close

from regard.metrics import bits_per_sequence, wrong_bits

COUNTS = torch.tensor([False, True, True])


def test_an_answer_that_knows_nothing_costs_a_bit_for_each_bit():
    targets = torch.randint(0, 2, (2, 3, 5)).float()
    assert_close(
        bits_per_sequence(torch.zeros(2, 3, 5), targets, COUNTS), torch.tensor([10.0, 10.0])
    )


def test_a_chance_of_three_quarters_costs_less_than_half_a_bit_or_two():
    logit = torch.log(torch.tensor(3.0)).expand(1, 3, 1)
    targets = torch.tensor([[[1.0], [1.0], [0.0]]])
    expected = -torch.log2(torch.tensor(0.75)) - torch.log2(torch.tensor(0.25))
    assert_close(bits_per_sequence(logit, targets, COUNTS), expected.unsqueeze(0))


def test_only_the_steps_that_count_are_wrong():
    logits = torch.tensor([[[9.0], [9.0], [-9.0]], [[-9.0], [9.0], [9.0]]])
    targets = torch.tensor([[[0.0], [1.0], [1.0]], [[1.0], [1.0], [1.0]]])
    assert wrong_bits(logits, targets, COUNTS).tolist() == [1.0, 0.0]
