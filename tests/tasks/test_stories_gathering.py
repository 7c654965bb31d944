"""Stories gathered out of lines, and typed again."""

import pytest

from regard.tasks.stories import (
    parse_stories,
    tell_stories,
    told_text,
    typed_question,
    typed_text,
)
from regard.tasks.stories.gathering import gather


def test_a_typed_story_is_read_as_it_was():
    for task in (1, 8, 16, 18):
        (question,) = tell_stories(task, 1, seed=5)
        again = typed_question(typed_text(question))
        assert (again.story, again.words) == (question.story, question.words)


def test_numbered_lines_give_each_question_with_what_was_told_before_it():
    lines = [
        "1 Mary went out.", "2 Where is Mary?\tout\t1", "3 John came.", "4 Who came?",
        "Anna slept. Who slept?", "1 Bill fell.", "2 Who fell?",
    ]  # fmt: skip
    assert list(gather(lines)) == [
        "1 Mary went out.\n2 Where is Mary?\tout\t1",
        "Mary went out. John came. Who came?",
        "Anna slept. Who slept?",
        "Bill fell. Who fell?",
    ]


def test_a_story_without_numbers_may_stand_on_several_lines():
    lines = ["Mary went out.", "John came.", "Who came?", "", "", "Anna slept. Who slept?", "Bill."]
    assert list(gather(lines)) == [
        "Mary went out. John came. Who came?", "Anna slept. Who slept?", "Bill."
    ]  # fmt: skip


def test_empty_lines_between_numbered_stories_count_for_nothing():
    lines = ["1 Mary went out.", "", "2 Who went?\tmary", "", "1 Bill fell.", "2 Who fell?\tbill"]
    assert list(gather(lines)) == ["Mary went out. Who went?", "Bill fell. Who fell?"]
    assert [question.answer for question in parse_stories(lines, "a file")] == ["mary", "bill"]


@pytest.mark.parametrize("lines", [[""], ["1 Mary went out.", "2 John came."]])
def test_lines_without_a_question_are_refused(lines):
    with pytest.raises(ValueError, match=r"stories\.txt has no question"):
        list(gather(lines, "stories.txt"))
    with pytest.raises(ValueError, match=r"stories\.txt is empty; a story ends with a question"):
        list(gather([], "stories.txt"))


def test_every_story_knows_its_lines():
    typed = ["", "Mary went out. Who went?", "", "Bill fell.", "Who fell?", "", "Ann sat.", "", "a"]
    assert [each.place for each in gather(typed, "f.txt")] == [
        "f.txt, line 2", "f.txt, lines 4 to 5", "f.txt, line 7", "f.txt, line 9"
    ]  # fmt: skip
    numbered = ["1 a b.", "2 who?", "3 c d.", "4 who?\ta\t1", "", "1 e f.", "2 who?"]
    assert [each.place for each in gather(numbered)] == ["lines 1 to 2", "lines 1 to 4",
                                                         "lines 6 to 7"]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1 Sam went.", "2 Where is Sam? kitchen 1"], "line 2: the question .* has no tab behind"),
        (["1 a b.", "2 c d.", "4 e f."], "line 3: its number is 4, but it must be 3, the next"),
        (["1 Who?"], "line 1: a question before any sentence"),
        (["1 "], "line 1: nothing is said on it after its number 1"),
        (["1 a b.", "c d.", "2 who?"], "line 2: it begins with 'c' instead of a number"),
        (["a b.", "1 c d.", "2 who?"], "line 2: the story before it has no numbers and no quest"),
        (["a b.", "who?\ta\t1"], "line 2: the story before it has no numbers and no question"),
        (["1 a b.", "1 c d.", "2 who?"], "line 2: the story before it has no question"),
        (["who is a?\tb\t1"], "line 1: it begins with 'who' instead of a number"),
    ],
)
def test_a_wrong_line_is_named(lines, message):
    with pytest.raises(ValueError, match=message):
        list(gather(lines))


def test_what_is_gathered_is_what_the_file_says():
    lines = ["1 Mary went out.", "2 John came.", "3 Where is Mary?\tout\t1", "4 Who came?\tjohn"]
    first, second = parse_stories(lines, "a file")
    assert list(gather(lines)) == [told_text(first), typed_text(second)]
    assert typed_question(told_text(first)) == first  # its answer and its facts, too
    assert typed_question(told_text(second)) == second._replace(answer="")


def test_a_title_ends_no_sentence_and_wide_marks_do():
    told = typed_question("Mr. Sam met Dr. Who. Mrs. Ann met St. Paul\u3002Where is Mr. Sam\uff1f")
    assert told.story == (
        ("mr", "sam", "met", "dr", "who"), ("mrs", "ann", "met", "st", "paul")
    )  # fmt: skip
    assert told.words == ("where", "is", "mr", "sam")
