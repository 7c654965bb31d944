"""The numbers over stories, put together from errors and looks that are known."""

import pytest
import torch
from torch import nn

from regard import Attention
from regard.recipes import RECIPES, turn
from regard.recipes.stories import measuring
from regard.recipes.stories.hearing import cut, unheard
from regard.recipes.stories.lessons import Lesson, TaskTest
from regard.recipes.stories.material import Entry, material
from regard.recipes.stories.systems import Sizes
from regard.scores import Dot
from regard.tasks.stories import Question, tell_stories
from regard.tasks.vocabulary import SPECIAL

TESTED = [
    measuring.Tested(TaskTest("task 1", ()), 0.0, [0.0, 8.0], 0.5, 0.75, 0.125),
    measuring.Tested(
        TaskTest("task 2", ()), 5.0, [5.0, 5.0], None, None
    ),  # as good as needed, and no facts
    measuring.Tested(TaskTest("task 3", ()), 40.0, [44.0, 40.0], 0.25, 1.0),
]


def test_a_task_fails_above_five_percent_and_restarts_are_counted_each():
    found = {
        (each.metric, each.scope): each
        for each in measuring._errors(RECIPES["memn2n-babi"], TESTED)
    }
    assert found["error", "all"].value == pytest.approx(15)
    assert found["error", "all"].restarts == pytest.approx([49 / 3, 53 / 3])
    assert found["failed tasks", "all"].value == 1
    assert found["failed tasks", "all"].restarts == [1, 2]
    assert found["error", "task 3"].value == 40
    assert found["error", "all"].paper is None  # of three tasks the paper has no mean


def test_one_task_alone_is_named_with_what_is_to_be_known_about_it():
    task = TaskTest("task 3", (), "trained on other stories")
    (found,) = measuring._errors(
        RECIPES["memn2n-babi-10k"], [measuring.Tested(task, 9.0, [], None, None)]
    )
    assert found.note == "task 3; trained on other stories"


def test_looks_are_means_over_the_tasks_that_have_facts():
    found = {(each.metric, each.scope): each.value for each in measuring._looks(TESTED)}
    assert found == pytest.approx(
        {
            ("hops on supporting facts", "all"): 37.5,
            ("hops on supporting facts", "task 1"): 50.0,
            ("hops on supporting facts", "task 3"): 25.0,
            ("hops on supporting facts, empty slots counted", "all"): 12.5,
            ("supporting facts found", "all"): 87.5,
            ("supporting facts found", "task 1"): 75.0,
            ("supporting facts found", "task 3"): 100.0,
        }
    )


@pytest.mark.parametrize(
    ("knobs", "is_there"),
    [
        ({"tasks": "1"}, True),
        ({"restarts": 1, "epochs": 2}, True),
        ({"encoding": "bag"}, False),
        ({"noise": 0.0}, False),
        ({"linear_epochs": 0}, False),
        ({"questions": "10k"}, False),
    ],
)
def test_the_papers_column_stands_beside_what_it_is_about_alone(knobs, is_there):
    assert turn(RECIPES["memn2n-babi"], knobs).as_published() is is_there


@pytest.mark.parametrize("kind", ["dmn", "dmnplus"])
def test_every_network_has_recipes_for_made_up_stories_and_for_ones_own(kind):
    official = RECIPES[f"{kind}-babi"]
    for data in ("stories", "own"):
        recipe = RECIPES[f"{kind}-{data}"]
        assert recipe.system == official.system
        assert recipe.course.variant() == official.course.variant()
        assert recipe.published.by_task == {}


TOLD = Question((("ann", "left"), ("bob", "came")), ("who", "came"), "bob", (1,))
ENTRY = Entry.of(Lesson("own", [TOLD], [TOLD]), 5)


class Fixed(nn.Module):
    """Says the same of every question."""

    def __init__(self, logits):
        super().__init__()
        self.logits = logits

    def forward(self, story, question):
        looked = Attention(Dot())(torch.zeros(len(story), 1, 1), torch.zeros(*story.shape[:2], 1))
        return self.logits.expand(len(question), -1), [looked]


def test_an_answer_that_was_never_heard_is_wrong_and_special_words_are_no_answers():
    logits = torch.zeros(len(ENTRY.vocabulary))
    logits[: len(SPECIAL)] = 9.0  # surest of what is no word
    logits[ENTRY.vocabulary.encode(["bob"])] = 1.0
    heard, unheard = TOLD, TOLD._replace(answer="moon")
    asked = measuring.ask(Fixed(logits), material([heard, unheard, unheard, heard], ENTRY))
    assert asked.error == 50


def test_what_a_network_cannot_hear_is_counted_and_the_first_few_are_named():
    long = ("ann", "left", "with", "bob", "and", "six", "others")
    asked = [TOLD._replace(answer="moon", story=(long,)), TOLD, TOLD._replace(answer="moon")]
    assert list(unheard(asked, ENTRY, 2)) == [
        "2 of 3 answers are none that the network has ever heard, and count as wrong: moon",
        "the network does not know 4 of the words, and reads as if nothing stood there: with, and, "
        "six, others",
        "1 of 4 different sentences have more words than any that the network has heard, which "
        "reads the first 2 of each: 'ann left with bob and six others'",
    ]
    assert cut(asked, 2)[0].story == (("ann", "left"),)
    assert len(list(unheard(asked, ENTRY, None))) == 2
    assert cut(asked, None) == asked
    assert not list(unheard([TOLD], ENTRY, 2))
    many = [TOLD._replace(answer=f"moon {number}") for number in range(7)]
    assert next(unheard(many, ENTRY, 2)).endswith("moon 0, moon 1, moon 2, moon 3, moon 4, ...")


def test_the_first_questions_are_those_of_the_whole():
    told = tell_stories(2, 7, seed=3)
    whole = material(told, Entry.of(Lesson("own", told, told), 50))
    first = whole.first(5)
    assert len(first.order) == len(first.stories.answer) == 5
    assert torch.equal(first.order, whole.order[:5])
    picked = zip(first.stories.pick(slice(5)), whole.stories.pick(slice(5)), strict=True)
    assert all(torch.equal(some, same) for some, same in picked)
    assert len(whole.first(100).order) == 7


@pytest.mark.parametrize(("encoding", "most"), [("released", 4), ("paper", None), ("bag", None)])
def test_sentences_are_cut_where_the_network_cannot_read_longer_ones_alone(encoding, most):
    system, sizes = turn(RECIPES["memn2n-own"], {"encoding": encoding}).system, Sizes(9, 4, 3)
    assert system.reads(sizes) == most
    story, question = torch.ones(1, 2, 5).long(), torch.ones(1, 2).long()
    if most is None:
        assert system.build(sizes)(story, question)[0].isfinite().all()
    else:
        with pytest.raises(ValueError, match="longest=4"):
            system.build(sizes)(story, question)
