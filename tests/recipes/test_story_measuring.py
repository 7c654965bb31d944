"""The numbers over stories, put together from errors and looks that are known."""

import pytest
import torch
from torch import nn

from regard import Attention
from regard.recipes import RECIPES, turn
from regard.recipes.stories import measuring
from regard.recipes.stories.lessons import Lesson, TaskTest
from regard.recipes.stories.material import Entry, material
from regard.scores import Dot
from regard.tasks.stories import Question
from regard.tasks.vocabulary import SPECIAL

TESTED = [
    measuring.Tested(TaskTest("task 1", ()), 0.0, [0.0, 8.0], 0.5, 0.75),
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


def test_looks_are_means_over_the_tasks_that_have_facts():
    found = {(each.metric, each.scope): each.value for each in measuring._looks(TESTED)}
    assert found == pytest.approx(
        {
            ("hops on supporting facts", "all"): 37.5,
            ("hops on supporting facts", "task 1"): 50.0,
            ("hops on supporting facts", "task 3"): 25.0,
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
        assert (recipe.system, recipe.course) == (official.system, official.course)
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
