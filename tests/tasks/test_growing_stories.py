"""Stories that grow harder: short and in order at first, whole ones at the end."""

import pytest

from regard.tasks.stories import Question, tell_stories
from regard.tasks.stories.growing import growing_stories, mixed, simplified

WHOLE = Question(
    tuple(
        tuple(sentence.split())
        for sentence in (
            "greg is a swan", "lily is a frog", "brian is a swan", "julius is a lion",
            "julius is gray", "brian is white", "lily is green", "bernhard is a swan",
        )
    ),
    ("what", "color", "is", "bernhard"),
    "white",
    (7, 2, 5),
)  # fmt: skip


def told(question):
    return [" ".join(sentence) for sentence in question.story]


def test_others_of_another_kind_stay_and_colours_move_to_their_kinds():
    assert told(simplified(WHOLE, 1, tidy=True)) == [
        "lily is a frog", "lily is green", "brian is a swan", "brian is white",
        "bernhard is a swan",
    ]  # fmt: skip
    assert told(simplified(WHOLE, 1, tidy=False)) == [
        "lily is a frog", "brian is a swan", "brian is white", "lily is green",
        "bernhard is a swan",
    ]  # fmt: skip
    assert "greg is a swan" in told(simplified(WHOLE, 3, tidy=True))
    assert "greg is a swan" not in told(simplified(WHOLE, 2, tidy=True))


def test_nothing_changes_where_all_stay_and_nothing_moves():
    assert simplified(WHOLE, None, tidy=False) == WHOLE


@pytest.mark.parametrize("tidy", [True, False])
@pytest.mark.parametrize("company", [1, 2, None])
def test_the_facts_that_lead_to_the_answer_are_still_there(company, tidy):
    for whole in tell_stories(16, 50, seed=3):
        question = simplified(whole, company, tidy=tidy)
        wanted = [whole.story[fact] for fact in whole.supporting]
        assert [question.story[fact] for fact in question.supporting] == wanted
        assert set(question.story) <= set(whole.story)
        assert wanted[-1][-1] == question.answer


def test_stories_grow_until_they_are_those_that_are_told():
    count = 1_000
    grown = growing_stories(16, count, seed=5)
    whole = tell_stories(16, count, seed=5)
    assert grown == growing_stories(16, count, seed=5)
    assert grown[800:] == whole[800:]
    assert all(len(question.story) <= 5 for question in grown[:60])
    assert all(len(question.story) <= 7 for question in grown[:100])
    assert sum(first == second for first, second in zip(grown[:120], whole, strict=False)) < 5
    some = [first == second for first, second in zip(grown[300:600], whole[300:600], strict=True)]
    assert 120 <= sum(some) <= 200  # half of them, and some were in order by themselves


def test_how_many_are_out_of_order_rises_and_stays_for_a_while_at_half():
    assert [mixed(done) for done in (0.0, 0.12, 0.2, 0.5, 0.6, 0.8, 0.99, 1.0)] == pytest.approx(
        [0, 0, 0.5, 0.5, 0.5, 1, 1, 1]
    )
    assert mixed(0.16) == pytest.approx(0.25)


def test_in_order_a_colour_stands_behind_its_kind():
    for question in growing_stories(16, 100, seed=6)[:12]:
        for place, sentence in enumerate(question.story):
            if len(sentence) == 3:
                assert place
                assert question.story[place - 1][0] == sentence[0]


def test_other_tasks_do_not_grow():
    with pytest.raises(ValueError, match="told of task 16 alone, not of 3"):
        growing_stories(3, 5, seed=0)
