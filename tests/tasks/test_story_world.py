"""Generated stories: true, the same everywhere, and like the official ones where those are."""

import os
import subprocess
import sys
from collections import Counter
from functools import cache

import pytest
from solving import solve

from regard.tasks.stories import (
    BABI,
    TASKS,
    WIDER,
    Question,
    babi,
    endless_stories,
    format_stories,
    read_stories,
    story_vocabulary,
    tell_stories,
    typed_question,
    unknown_words,
    write_stories,
)

real = pytest.mark.skipif(
    not os.environ.get("REGARD_DATA"),
    reason="REGARD_DATA is not set: generated stories are not compared with the official ones",
)
every_task = pytest.mark.parametrize("task", TASKS)
both_wordings = pytest.mark.parametrize("wording", [BABI, WIDER], ids=["babi", "wider"])
SLOTS = {
    "person": "daniel john mary sandra bill fred jeff julie sam david anna susan emily gertrude "
    "jessica winona bernhard brian greg julius lily antoine jason sumit yann",
    "place": "bathroom bedroom garden hallway kitchen office cinema park school den library",
    "thing": "apple football milk book orange pajamas",
    "kind": "cat mouse sheep wolf frog lion rhino swan bear",
    "kinds": "cats mice wolves",
    "colour": "gray green white yellow brown blue pink red",
    "shape": "square rectangle sphere triangle",
    "box": "box chest container suitcase",
    "side": "east north south west",
    "feeling": "bored hungry thirsty tired",
}
SLOT = {word: slot for slot, words in SLOTS.items() for word in words.split()}
SAM = "Sam walks into the kitchen. Sam picks up an apple. Sam walks into the bedroom. "
SLIDES = {  # task -> story, answer
    2: (SAM + "Sam drops the apple. Where is the apple?", "bedroom"),
    16: (
        "Brian is a lion. Julius is a lion. Julius is white. Bernhard is green. "
        "What color is Brian?",
        "white",
    ),
}


@cache
def made(task, wording=BABI):
    return tell_stories(task, 1_000, seed=11, wording=wording)


@cache
def official(task):
    return babi(task, "train") + babi(task, "test")


def shape(sentence):
    """A sentence with its names, places and things left open; articles depend on the thing."""
    return tuple(SLOT.get(word, word) for word in sentence)


def shapes(questions):
    counts = Counter()
    for question in questions:
        counts.update(map(shape, {*question.story, question.words}))
    return counts


@both_wordings
@every_task
def test_answers_are_those_that_the_words_of_the_story_give(task, wording):
    wrong = [each for each in made(task, wording) if solve(task, each) != each.answer]
    assert wrong == []


@both_wordings
@every_task
def test_supporting_facts_are_enough_to_answer(task, wording):
    for question in made(task, wording)[:300]:
        told = [question.story[fact] for fact in sorted(question.supporting)]
        if task == 3:  # that somebody carried it from one place to the other is not told again
            carrier = {sentence[0] for sentence in told}
            handled, at, before = question.supporting
            assert len(carrier) == 1
            assert question.story[at][-1] == question.words[-1]
            assert question.story[before][-1] == question.answer
            assert question.words[3] in question.story[handled]
            continue
        if task == 20:
            (fact,) = told
            assert fact[1] == "is"
        assert solve(task, question._replace(story=tuple(told))) == question.answer


@both_wordings
@every_task
def test_a_file_of_generated_stories_is_read_back_the_same(task, wording, tmp_path):
    questions = made(task, wording)[:300]
    write_stories(tmp_path / "own.txt", questions)
    assert read_stories(tmp_path / "own.txt") == questions


def test_the_file_is_in_the_format_of_babi():
    story = ("mary", "went", "to", "the", "park"), ("then", "she", "and", "john", "left")
    questions = [
        Question(story[:1], ("where", "is", "mary"), "park", (0,)),
        Question(story, ("who", "left"), "mary,john", (1, 0)),
        Question(story[1:], ("who", "left"), "john", ()),
    ]
    assert list(format_stories(questions)) == [
        "1 Mary went to the park.",
        "2 Where is Mary?\tpark\t1",
        "3 Then she and John left.",
        "4 Who left?\tmary,john\t3 1",
        "1 Then she and John left.",
        "2 Who left?\tjohn\t",
    ]


@every_task
def test_the_same_seed_tells_the_same_stories_and_another_one_others(task):
    assert made(task)[:43] == tell_stories(task, 43, seed=11)
    assert tell_stories(task, 43, seed=12) != made(task)[:43]
    wider = tell_stories(task, 43, seed=11, wording=WIDER)
    assert (wider == made(task)[:43]) == (task in (15, 17, 18, 20))  # worlds without more words


def test_tasks_do_not_share_their_draws():
    """Tasks 6 and 8 begin alike: in the same house, where the same can happen."""
    firsts = [[tell_stories(task, 1, seed)[0].story[0] for seed in range(7)] for task in (6, 8)]
    assert firsts[0] != firsts[1]


def test_stories_have_no_end():
    stream = endless_stories(12, seed=3)
    first = [next(stream) for _ in range(23)]
    assert first == tell_stories(12, 23, seed=3)
    assert [next(stream) for _ in range(23)] == tell_stories(12, 46, seed=3)[23:] != first


def test_stories_do_not_depend_on_the_hashes_of_the_process():
    code = (
        "from regard.tasks.stories import WIDER, tell_stories as tell\n"
        "print([(tell(task, 30, 5), tell(task, 30, 5, WIDER)) for task in range(1, 21)])"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


def test_what_cannot_be_told_is_told():
    with pytest.raises(ValueError, match="tasks of bAbI have the numbers 1 to 20, but not 0"):
        tell_stories(0, 7, seed=1)
    with pytest.raises(ValueError, match="count is a number of questions, 0 or more, but count=-1"):
        tell_stories(1, -1, seed=1)


@pytest.mark.parametrize("task", SLIDES)
def test_the_stories_of_the_slides_are_told_in_the_wider_words(task):
    text, answer = SLIDES[task]
    question = typed_question(text)
    assert solve(task, question) == answer
    told = made(task, WIDER)
    assert unknown_words(question, story_vocabulary(told)) == ()
    assert answer in story_vocabulary(told)
    known = shapes(told)
    assert [
        each for each in map(shape, (*question.story, question.words)) if each not in known
    ] == []


def test_wider_stories_are_as_short_and_have_as_few_people_as_that_of_sam():
    def like_sam(question):
        return len(question.story) <= 4 and len({line[0] for line in question.story}) == 1

    assert any(map(like_sam, made(2, WIDER)))
    assert unknown_words(typed_question(SLIDES[2][0]), story_vocabulary(made(2)))


def test_wider_stories_have_the_whole_pattern_of_the_lions():
    """Two of a kind, the colour of one of them, and the colour of one whose kind is not told."""
    pattern = [shape(line) for line in typed_question(SLIDES[16][0]).story]
    found = [each for each in made(16, WIDER) if [shape(line) for line in each.story] == pattern]
    assert found
    assert all(len({line[0] for line in each.story}) == 3 for each in found)


def test_the_truncated_story_of_the_slides_has_only_known_words():
    text = (
        "Mary journeyed to the den. Mary went back to the kitchen. John journeyed to the bedroom. "
    )
    question = typed_question(text + "Mary discarded the milk. Where was the milk before the den?")
    assert unknown_words(question, story_vocabulary(made(3, WIDER))) == ()


@real
@every_task
def test_the_rules_that_judge_the_stories_hold_in_the_official_files(task):
    wrong = [each for each in official(task) if solve(task, each) != each.answer]
    # Of two exchanges between the same two the official files now and then mean the first.
    assert len(wrong) <= (4 if task == 5 else 0)


@real
@every_task
def test_generated_stories_have_the_words_of_the_official_ones(task):
    known = {word for word in story_vocabulary(official(task)).words if "," not in word}
    words = {word for word in story_vocabulary(made(task)).words if "," not in word}
    assert words <= known
    assert len(known - words) <= 1  # "three" is the answer of one question in 500 of task 7


@real
@every_task
def test_generated_sentences_have_the_shapes_of_the_official_ones(task):
    ours, theirs = shapes(made(task)), shapes(official(task))
    assert set(ours) <= set(theirs)
    assert sum(theirs[each] for each in ours) == theirs.total()


@real
@every_task
def test_generated_stories_are_as_long_as_the_official_ones(task):
    def means(questions):
        return (
            sum(len(each.story) for each in questions) / len(questions),
            sum(len(each.supporting) for each in questions) / len(questions),
            sum(len(each.story) - each.supporting[0] for each in questions) / len(questions),
        )

    # Task 3 has 400 stories in the files, of 20 to 228 sentences, so that even their mean is only
    # known to 3 percent; in task 19 the sentences of the way stand later than in any order.
    margin = {3: 0.12, 19: 0.15}.get(task, 0.1)
    assert means(made(task)) == pytest.approx(means(official(task)), rel=margin)


@real
@every_task
def test_generated_answers_are_the_official_ones_and_as_frequent(task):
    ours, theirs = (Counter(each.answer for each in of(task)) for of in (made, official))
    for answer in ours | theirs:
        shares = ours[answer] / ours.total(), theirs[answer] / theirs.total()
        assert abs(shares[0] - shares[1]) < 0.06
        if max(shares) > 0.01:
            assert min(shares) > 0
