"""Questions of a person's own, and answers of which more than one is right."""

import pytest
import torch
from torch.testing import assert_close

import regard
from regard.recipes.algorithms.sorting import Sorting
from regard.recipes.algorithms.tasks import Copying, Foretelling
from regard.recipes.pondering.tasks import ParityPractice, SortPractice

SEED = torch.Generator()


def test_vectors_of_ones_own_are_copied():
    drawn = Copying().example("01101100 11110000")(1, SEED)
    bits = torch.tensor([[0, 1, 1, 0, 1, 1, 0, 0], [1, 1, 1, 1, 0, 0, 0, 0]]).float()
    assert_close(drawn.inputs[0, :2, :8], bits)
    assert_close(drawn.targets[0, 3:], bits)
    assert drawn.inputs[0, 2].tolist() == [0.0] * 8 + [1.0]
    assert Copying().stored("01101100 11110000") == 2


@pytest.mark.parametrize(
    ("text", "bits", "vectors"),
    [("20", 8, 20), ("00010100", 8, 1), ("10010100", 8, 1), ("10", 2, 10), ("01", 2, 1),
     ("10 11", 2, 2), ("020", 8, 20)],
)  # fmt: skip
def test_a_number_of_vectors_is_told_from_a_vector(text, bits, vectors):
    assert Copying(bits=bits).stored(text) == vectors
    assert Copying(bits=bits).example(text)(3, SEED).inputs.shape == (3, 2 * vectors + 1, bits + 1)


def test_a_trained_machine_copies_them():
    answered = regard.load("ntm-copy")("01101100 11110000 10101010")
    assert str(answered) == "01101100 11110000 10101010 (0 wrong of 24 bits)"


def test_what_was_trained_longer_may_be_asked_for():
    assert Copying(longest=2_000).stored("1500") == 1_500
    assert Sorting(given=2_000).stored("2000") == 2_000
    assert Foretelling(length=1_500).example("1500")(1, SEED).inputs.shape[1] == 1_500


@pytest.mark.parametrize(
    ("numbers", "places", "right"),
    [
        ("1 1 1", (3, 1, 2), True),
        ("1 1 1", (1, 1, 2), False),
        ("2 1 2", (2, 1, 3), True),
        ("2 1 2", (2, 3, 1), True),
        ("2 1 2", (1, 2, 3), False),
        ("3 1 2", (2, 3, 1), True),
        ("3 1 2", (2, 1, 3), False),
        ("3 1 2", (2, 3, 9), False),
    ],
)
def test_equal_numbers_may_stand_in_any_order(numbers, places, right):
    practice = SortPractice()
    assert practice.is_right(practice.example(numbers), [[place - 1] for place in places]) == right


def test_other_answers_are_right_when_they_are_the_one():
    practice = ParityPractice()
    assert practice.is_right(practice.example("+-+"), [[0]])
    assert not practice.is_right(practice.example("+-+"), [[1]])


def test_a_right_answer_among_equals_is_called_right():
    thought = regard.load("act-sort")("0 0")
    assert thought.said == "2 1"  # where "1 2" would be right, too
    assert thought.right == thought.said
    assert "(right;" in str(thought)
