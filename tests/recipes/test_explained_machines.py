"""What pictures of machines point at: questions, contexts that come again, places by priority."""

import re

import pytest
import torch
from torch.testing import assert_close

from regard.recipes.algorithms.sorting import Sorting
from regard.recipes.algorithms.tasks import (
    Copying,
    Foretelling,
    Recalling,
    RepeatCopying,
)


def drawn(practice, text, seed=0):
    return practice.example(text)(1, torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("items", [2, 5])
@pytest.mark.parametrize("seed", range(4))
def test_recall_points_at_the_question_and_at_the_answer_where_they_stood(items, seed):
    made = drawn(Recalling(), str(items), seed)
    marks = {name: [] for name in ("asked", "answer")}
    for mark in Recalling().marks(made):
        assert mark.last == mark.first + 2
        marks[mark.name].append(slice(mark.first, mark.last + 1))
    (first, again), (stood, due) = marks["asked"], marks["answer"]
    given = made.inputs[0, :, :6]
    assert given[first].equal(given[again])
    assert given[stood].equal(made.targets[0, due])
    assert stood.start == first.start + 4  # the next item
    assert bool(made.counts[due].all())
    assert not bool(made.counts[again].any())
    assert again.start - 1 == int(made.inputs[0, :, 7].nonzero()[0])  # just after its mark


def test_ngrams_point_at_the_bits_after_what_comes_most_often():
    made = drawn(Foretelling(), "200")
    bits = made.targets[0, :, 0].int().tolist()
    marks = Foretelling().marks(made)
    context = [int(bit) for bit in marks[0].name.removeprefix("after ")]
    assert len(set(context)) == 2
    found = [time for time in range(5, 200) if bits[time - 5 : time] == context]
    assert [mark.first for mark in marks] == [mark.last for mark in marks] == found
    others = {tuple(bits[time - 5 : time]) for time in range(5, 200)} - {(0,) * 5, (1,) * 5}
    often = [
        sum(bits[time - 5 : time] == list(other) for time in range(5, 200)) for other in others
    ]
    assert len(found) == max(often)


@pytest.mark.parametrize("middle", [10, 0, 28])  # the last two go round the end of the tape
def test_sorting_supposes_writes_on_a_straight_line_of_the_priority(middle):
    practice = Sorting(given=6, wanted=4)
    made = drawn(practice, "6")
    priority = made.inputs[0, :6, 8]
    places = (middle + 7 * priority).round().long() % 30  # where a machine might write
    writing = torch.zeros(len(made.counts), 3, 30)
    writing[torch.arange(6), 1, places] = 1
    writing[torch.arange(6), 2, torch.tensor([3, 20, 5, 25, 2, 11])] = 1  # the first goes nowhere
    name, supposed = practice.supposed(made, writing)
    assert re.fullmatch(r"writes by priority \(head 2 of 3, r = (1\.00|0\.9\d)\)", name)
    assert_close(supposed[:6].sum(dim=1), torch.ones(6))
    assert not bool(supposed[6:].any())
    off = (supposed[:6].argmax(dim=1) - places + 15) % 30 - 15
    assert int(off.abs().max()) <= 1


def test_supposed_places_stay_on_the_tape_and_want_two_priorities():
    practice = Sorting(given=6, wanted=4)
    made = drawn(practice, "6")
    writing = torch.zeros(len(made.counts), 1, 3)
    order = made.inputs[0, :6, 8].argsort()
    places = torch.tensor([0, 0, 0, 0, 2, 2])
    writing[order, 0, places] = 1  # a line leaves such a tape
    name, supposed = practice.supposed(made, writing)
    assert bool((supposed[:6].sum(dim=1) == 1).all())
    priority = made.inputs[0, order, 8]
    on_the_circle = (places + 1) % 3  # from the slot after the gap on: slot 2 comes before slot 0
    expected = torch.corrcoef(torch.stack([priority, on_the_circle.float()]))[0, 1]
    assert name == f"writes by priority (r = {expected:.2f})"
    single = drawn(Sorting(given=1, wanted=1), "1")
    assert Sorting(given=1, wanted=1).supposed(single, torch.zeros(3, 1, 3)) is None


@pytest.mark.parametrize(("practice", "text"), [(Copying(), "3"), (RepeatCopying(), "2x3")])
def test_other_tasks_point_at_nothing(practice, text):
    made = drawn(practice, text)
    assert practice.marks(made) == []
    assert practice.supposed(made, torch.zeros(len(made.counts), 1, 5)) is None


@pytest.mark.parametrize(
    ("practice", "text", "stored"),
    [
        (Copying(), "7", 7),
        (RepeatCopying(), "7x3", 7),
        (Recalling(), "7", 21),
        (Foretelling(), "7", 32),
        (Sorting(), "7", 7),
    ],
    ids=lambda part: getattr(part, "name", ""),
)
def test_what_is_asked_for_says_how_much_there_is_to_remember(practice, text, stored):
    assert practice.stored(text) == stored
