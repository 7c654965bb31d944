"""Tasks to be pondered that begin small and grow with what the network knows."""

import pytest
import torch

from regard.recipes import RECIPES, turn
from regard.recipes.pondering.tasks import AdditionPractice, LogicPractice, SortPractice


def test_logic_begins_with_few_gates_and_one_more_comes_each_time():
    practice = LogicPractice(first_gates=2, enough=0.9)
    assert practice.last_lesson == 8
    lessons = [practice.lesson(number) for number in (0, 1, 8)]
    assert [lesson.gates for lesson in lessons] == [(1, 2), (1, 3), (1, 10)]
    assert {lesson.input_size for lesson in lessons} == {practice.task().input_size}
    drawn = lessons[0].draw(50, torch.Generator().manual_seed(0)).inputs
    assert drawn[..., 2:22].any()
    assert not drawn[..., 22:].any()
    assert practice.goes_on(0.9)
    assert not practice.goes_on(0.89)
    assert LogicPractice().lesson(0).gates == (1, 10)
    with pytest.raises(
        ValueError, match="--first-gates 9, but the whole task is --gates 8; begin with 8 or less"
    ):
        turn(RECIPES["act-logic"], {"gates": 8, "first_gates": 9, "enough": 0.9})


def test_addition_begins_with_few_digits_of_several_terms():
    practice = AdditionPractice(first_digits=2, enough=0.9)
    assert practice.last_lesson == 3
    lessons = [practice.lesson(number) for number in (0, 3)]
    assert [(lesson.numbers, lesson.digits) for lesson in lessons] == [
        ((2, 5), (1, 2)),
        ((2, 5), (1, 5)),
    ]
    whole = practice.task()
    assert {(lesson.input_size, lesson.output_size) for lesson in lessons} == {
        (whole.input_size, whole.output_size)
    }
    drawn = lessons[0].draw(50, torch.Generator().manual_seed(0)).inputs
    assert drawn[..., 10:20].any()
    assert not drawn[..., 20:].any()


def test_sorting_begins_with_few_numbers():
    practice = SortPractice(first_longest=4, enough=0.9)
    assert practice.last_lesson == 11
    lessons = [practice.lesson(number) for number in (0, 11)]
    assert [lesson.lengths for lesson in lessons] == [(2, 4), (2, 15)]
    assert {lesson.output_size for lesson in lessons} == {practice.task().output_size}


def test_parity_begins_with_no_more_numbers_than_there_are():
    with pytest.raises(ValueError, match="--first-numbers 9, but the whole task is --numbers 8"):
        turn(RECIPES["act-parity"], {"numbers": 8, "first_numbers": 9})
    turn(RECIPES["act-parity"], {"numbers": 8, "first_numbers": 8})
