"""The tasks of the tape machine: what is asked, what is right, and where it is judged."""

import pytest
import torch
from torch import Generator
from torch.testing import assert_close

from regard.tasks.algorithms import (
    Copy,
    NGrams,
    PrioritySort,
    Recall,
    RepeatCopy,
    best_guesses,
)

TASKS = [Copy(), RepeatCopy(), Recall(), NGrams(length=20), PrioritySort()]


def seeded(seed=0):
    return Generator().manual_seed(seed)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: type(task).__name__)
def test_a_batch_has_the_sizes_of_its_task_and_repeats_with_its_seed(task):
    drawn, again, other = (task.draw(3, seeded(seed)) for seed in (0, 0, 1))
    assert drawn.inputs.shape[0] == drawn.targets.shape[0] == 3
    assert drawn.inputs.shape[2] == task.input_size
    assert drawn.targets.shape[2] == task.output_size
    assert drawn.inputs.shape[1] == drawn.targets.shape[1] == len(drawn.counts)
    assert drawn.counts.any()
    assert not drawn.targets[:, ~drawn.counts].any()
    assert torch.equal(drawn.inputs, again.inputs)
    assert drawn.inputs.shape != other.inputs.shape or not torch.equal(drawn.inputs, other.inputs)


def test_copy_answers_in_silence_after_the_mark():
    drawn = Copy().draw_length(4, 2, seeded())
    assert drawn.inputs.shape == (2, 9, 9)
    assert_close(drawn.targets[:, 5:], drawn.inputs[:, :4, :8])
    assert drawn.inputs[:, 4].sum(dim=-1).tolist() == [1, 1]
    assert drawn.inputs[:, 4, 8].tolist() == [1, 1]
    assert not drawn.inputs[:, 5:].any()


def test_copy_draws_every_length_of_its_range():
    generator = seeded()
    lengths = {(Copy((2, 5)).draw(1, generator).inputs.shape[1] - 1) // 2 for _ in range(100)}
    assert lengths == {2, 3, 4, 5}


def test_repeat_copy_says_it_as_often_as_told_and_then_the_end():
    task = RepeatCopy()
    drawn = task.draw_sizes(3, 2, 2, seeded())
    said = drawn.inputs[:, :3, :8]
    assert_close(drawn.targets[:, 4:10, :8], torch.cat([said, said], dim=1))
    assert drawn.targets[:, 10].tolist() == [[0] * 8 + [1]] * 2
    assert not drawn.targets[:, :10, 8].any()
    assert drawn.inputs[0, 3, 8] == 1
    assert_close(drawn.inputs[:, 3, 9], torch.full((2,), task.normalised(2)))


def test_the_number_of_repeats_is_normalised_over_those_of_training():
    task = RepeatCopy()
    told = torch.tensor([task.normalised(times) for times in range(1, 11)])
    assert_close(told.mean(), torch.tensor(0.0), atol=1e-6, rtol=0)
    assert_close(told.var(correction=0), torch.tensor(1.0))


def test_recall_asks_for_the_item_that_followed():
    drawn = Recall().draw_items(5, 20, seeded())
    items = [drawn.inputs[:, 4 * item + 1 : 4 * item + 4, :6] for item in range(5)]
    asked, answer = drawn.inputs[:, 21:24, :6], drawn.targets[:, -3:]
    for example in range(20):
        places = [item for item in range(4) if torch.equal(items[item][example], asked[example])]
        assert any(torch.equal(items[place + 1][example], answer[example]) for place in places)
    assert (drawn.inputs[:, [0, 4, 8, 12, 16], 6] == 1).all()
    assert (drawn.inputs[:, [20, 24], 7] == 1).all()
    assert drawn.inputs[..., 6:].sum(dim=(1, 2)).tolist() == [7] * 20


def test_sorting_says_the_highest_first():
    drawn = PrioritySort(given=6, wanted=4).draw(3, seeded())
    for example in range(3):
        told = drawn.inputs[example, :6, 8].tolist()
        order = sorted(range(6), key=lambda place: -told[place])[:4]
        assert_close(drawn.targets[example, 7:], drawn.inputs[example, order, :8])


def test_the_input_of_ngrams_is_the_bit_before():
    drawn = NGrams(length=30).draw(2, seeded())
    assert_close(drawn.inputs[:, 1:], drawn.targets[:, :-1])
    assert not drawn.inputs[:, 0].any()


def test_best_guesses_worked_by_hand():
    bits = torch.tensor([[0.0, 1, 0, 1, 0, 1, 0]])  # after 0 comes 1, after 1 comes 0
    guesses = best_guesses(bits, context=1)
    halves = [0.5, 0.5, 0.5, 0.75, 0.25, 2.5 / 3, 0.5 / 3]
    assert_close(guesses, torch.tensor([halves]))


def test_the_best_guesses_cost_what_they_must():
    """133.0 bits a sequence of 200, by the fact sheet's own count of 40,000; spread 36."""
    bits = NGrams().draw_bits(4_000, seeded())
    guesses = best_guesses(bits)
    cost = -torch.where(bits > 0, guesses, 1 - guesses).log2().sum(dim=1)
    assert abs(float(cost.mean()) - 133.0) < 4 * 36 / 4_000**0.5
    assert 30 < float(cost.std()) < 42


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Copy((0, 5)), "lengths must be 1 or more"),
        (lambda: Copy((5, 4)), "5 to 4"),
        (lambda: Copy().draw_length(0, 1, seeded()), "length must be 1 or more"),
        (lambda: Recall((1, 6)), "two or more, but items="),
        (lambda: Recall().draw_items(1, 1, seeded()), "two or more, but items=1"),
        (lambda: PrioritySort(given=4, wanted=5), "5 vectors are wanted, but only 4 are given"),
    ],
)
def test_lengths_that_cannot_be_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
