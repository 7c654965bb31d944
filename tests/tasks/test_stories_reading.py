"""Questions over stories: read from files and from the archive, typed, and made into tensors."""

import hashlib
import io
import lzma
import os
import subprocess
import sys
import tarfile
from collections import Counter

import pytest
import torch

from regard.tasks import Vocabulary
from regard.tasks.checksums import CHECKSUMS
from regard.tasks.stories import (
    TASKS,
    Question,
    babi,
    encode_questions,
    official,
    read_stories,
    split_drawn,
    split_last,
    story_vocabulary,
    typed_question,
    unknown_words,
)
from regard.tasks.vocabulary import UNKNOWN

real = pytest.mark.skipif(
    not os.environ.get("REGARD_DATA"),
    reason="REGARD_DATA is not set: the official files of bAbI are not read",
)
MARY, JOHN, SANDRA = (
    ("mary", "moved", "to", "the", "bathroom"),
    ("john", "got", "the", "milk", "there"),
    ("sandra", "went", "back"),
)
FILE = """1 Mary moved to the bathroom.
2 John got the milk there.
3 Where is Mary? \tBathroom\t1
4 Sandra went back.
5 What is John carrying?\tmilk,football\t4 2
1 Sandra went back.
2 Where is Sandra?\tn,s
"""
QUESTIONS = [
    Question((MARY, JOHN), ("where", "is", "mary"), "bathroom", (0,)),
    Question((MARY, JOHN, SANDRA), ("what", "is", "john", "carrying"), "milk,football", (2, 1)),
    Question((SANDRA,), ("where", "is", "sandra"), "n,s", ()),
]


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "own.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_a_file_is_read_as_questions_each_with_the_story_before_it(written):
    assert read_stories(written(FILE)) == QUESTIONS
    assert read_stories(written(FILE.replace("\n", "\r\n"))) == QUESTIONS


def test_a_packed_file_is_read_as_well(tmp_path):
    (tmp_path / "own.txt.xz").write_bytes(lzma.compress(FILE.encode()))
    assert read_stories(tmp_path / "own.txt.xz") == QUESTIONS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 A b.\n3 C d.\n", r"own\.txt, line 2: its number is 3, but it must be 2, the next, or"),
        ("2 A b.\n", r"line 1: its number is 2, but it must be 1, which begins a story"),
        ("1 A b.\n2 C?\td\t1\n2 C?\td\t1\n", "line 3: its number is 2, but it must be 3, the next"),
        ("1 Where is A?\tb\t\n", "line 1: a question before any sentence; tell a story first"),
        ("1 A b.\n1 Who?\tb\t\n", "line 2: a question before any sentence"),
        ("1 A b.\n2 Who?\n", "line 2: the question 'Who.' has no answer; a question is its number"),
        ("1 A b.\n2 Who?\t \t1\n", "line 2: the question 'who' has no answer"),
        ("1 A b.\n2 Who?\ta\t2\n", "line 2: the supporting fact '2' names no sentence before the"),
        ("1 A b.\n2 Who?\ta\t1\n3 Who?\ta\t1 2\n", r"line 3: .* '2' names no .* the numbers 1$"),
        ("1 A b.\n2 Who?\ta\tone\n", "line 2: the supporting fact 'one' names no sentence"),
        ("1 A b.\n2 Who?\ta\t1\tb\n", "line 2: 4 columns instead of three; a question is its"),
        ("1 A b.\nMary went.\n", "line 2: it begins with 'Mary' instead of a number; each line of"),
        ("1 A b.\n-2 C d.\n", "line 2: it begins with '-2' instead of a number"),
        ("1 A b.\n2 .\n", "line 2: nothing is said on it after its number 2"),
        ("1 A b.\n2\n", "line 2: nothing is said on it after its number 2"),
        ("1 A b. C d.\n", "line 1: 2 sentences are on it, 'A b.' and 'C d.'; give each a line"),
        ("1 A b.\n2 C! Who?\ta\t1\n", "line 2: 2 sentences are on it, 'C!' and 'Who.'; give"),
        ("1 A b.\n2 C d.\n", r"own\.txt has no question; a question is its number, the question"),
        ("", r"own\.txt is empty"),
        (b"1 A b.\n2 Caf\xe9?\td\t1\n", r"own\.txt, line 2: byte 6 .* is not UTF-8; save the file"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_told_with_its_line(written, text, message):
    with pytest.raises(ValueError, match=message):
        read_stories(written(text))


def test_a_typed_story_ends_with_its_question():
    lines = "Mary moved to the bathroom\nJohn got the milk there.\n\nWhere is Mary?\n"
    one = "Mary moved to the bathroom. John got the milk there! Where is Mary? "
    asked = Question((MARY, JOHN), ("where", "is", "mary"))
    assert typed_question(lines) == typed_question(one) == asked
    assert asked.answer == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" \n. ", "the story is empty; type sentences and a question, such as: Mary went to"),
        ("Where is Mary?", r"the story is empty: nothing is told before 'Where is Mary.'; type"),
        ("Mary went. John left.", "there is no question at the end, but 'John left.'; end with"),
        ("Mary went. Why? John left. Who?", "only the end .* can be a question, but 'Why.' is bef"),
    ],
)
def test_what_is_wrong_with_a_typed_story_is_told(text, message):
    with pytest.raises(ValueError, match=message):
        typed_question(text)


def test_the_words_that_nobody_knows_are_told_once_and_in_order():
    vocabulary = story_vocabulary(QUESTIONS)
    typed = typed_question("Mary got the tuba. Bob got the tuba there. Where is the milk of Bob?")
    assert unknown_words(typed, vocabulary) == ("tuba", "bob", "of")
    assert "milk,football" in vocabulary
    assert "football" not in vocabulary


def test_questions_become_padded_tensors():
    vocabulary = Vocabulary(sorted({word for words in (MARY, JOHN, SANDRA) for word in words}))
    number = {word: vocabulary.encode([word])[0] for word in vocabulary.words[4:]}
    asked = encode_questions(QUESTIONS, vocabulary, width=7)
    assert asked.stories.shape == (3, 3, 7)
    assert asked.stories[1, 2].tolist() == [number[word] for word in SANDRA] + [0] * 4
    assert asked.stories[2, 0].equal(asked.stories[1, 2])
    assert asked.stories[2, 1:].count_nonzero() == 0
    assert asked.questions[0].tolist() == [UNKNOWN, UNKNOWN, number["mary"], 0, 0, 0, 0]
    assert asked.answers.tolist() == [number["bathroom"], UNKNOWN, UNKNOWN]
    assert asked.lengths.tolist() == [2, 3, 1]
    assert asked.order.tolist() == [[1, 0, 0], [0, 2, 1], [0, 0, 0]]
    assert asked.supporting.tolist() == [[True, False, False], [False, True, True], [False] * 3]
    assert all(tensor.dtype == torch.int64 for tensor in asked)
    some = asked.rows(torch.tensor([2, 1]))
    assert some.lengths.tolist() == [1, 3]
    assert some.stories[1].equal(asked.stories[1])


def test_only_the_last_sentences_are_remembered():
    asked = encode_questions(QUESTIONS, story_vocabulary(QUESTIONS), memory=2)
    assert asked.stories.shape == (3, 2, 5)
    assert asked.lengths.tolist() == [2, 2, 1]
    assert asked.order.tolist() == [[1, 0], [2, 1], [0, 0]]  # facts have moved with their sentences
    last = encode_questions(QUESTIONS, story_vocabulary(QUESTIONS), memory=1)
    assert last.order.tolist() == [[0], [1], [0]]  # the others are forgotten
    assert last.stories[1, 0].equal(asked.stories[1, 1])


def test_sizes_that_cannot_be_are_told():
    vocabulary = story_vocabulary(QUESTIONS)
    with pytest.raises(ValueError, match="a sentence has 5 words, but width=3"):
        encode_questions(QUESTIONS, vocabulary, width=3)
    with pytest.raises(ValueError, match="memory is a number of sentences, 1 or more, but"):
        encode_questions(QUESTIONS, vocabulary, memory=0)
    with pytest.raises(ValueError, match="there is no question to encode"):
        encode_questions([], vocabulary)


def test_the_last_tenth_is_for_validation():
    questions = [Question((), (str(number),)) for number in range(1_000)]
    train, valid = split_last(questions)
    assert (train, valid) == (questions[:900], questions[900:])
    assert [len(part) for part in split_last(questions[:37])] == [33, 4]
    assert split_last(questions[:7], share=0.0)[1] == []
    with pytest.raises(ValueError, match="nothing is left to train on of 1 questions"):
        split_last(questions[:1])
    with pytest.raises(ValueError, match=r"share is a part .* but share=1\.5"):
        split_last(questions, share=1.5)


def test_a_tenth_can_be_drawn_by_a_seed():
    questions = [Question((), (str(number),)) for number in range(1_000)]
    train, valid = split_drawn(questions, seed=3)
    assert (len(train), len(valid)) == (900, 100)
    assert sorted([*train, *valid], key=questions.index) == questions
    assert valid == sorted(valid, key=questions.index) != questions[900:]
    assert split_drawn(questions, seed=3)[1] == valid != split_drawn(questions, seed=2)[1]


@pytest.fixture
def small(tmp_path, monkeypatch):
    """An archive with the files of two tasks, one of them in one size only."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as archive:
        for name, text in {
            "en/qa1_single-supporting-fact_train.txt": FILE,
            "en-10k/qa1_single-supporting-fact_train.txt": FILE * 2,
            "en/qa3_three-supporting-facts_train.txt": FILE,
            "en/qa4_two-arg-relations_train.txt": "1 A b.\n2 Who?\n",
            "../en/qa2_two-supporting-facts_train.txt": FILE,
        }.items():
            entry = tarfile.TarInfo(f"tasks_1-20_v1-2/{name}")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    (tmp_path / "babi").mkdir()
    path = tmp_path / "babi" / official.ARCHIVE
    path.write_bytes(packed.getvalue())
    digest = hashlib.sha256(lzma.decompress(path.read_bytes())).hexdigest()
    monkeypatch.setitem(CHECKSUMS["babi"], path.name, digest)
    return tmp_path


def test_a_task_is_read_out_of_the_archive_without_unpacking_it(small):
    assert babi(1, folder=small) == QUESTIONS
    assert len(babi(1, size="10k", folder=small)) == 6
    assert [path.name for path in small.rglob("*.*")] == [official.ARCHIVE]


def test_a_file_that_the_archive_lacks_is_named_and_nothing_put_in_its_place(small):
    assert babi(3, folder=small) == QUESTIONS
    with pytest.raises(
        ValueError,
        match=r"has no en-10k/qa3_three-supporting-facts_train\.txt: in the copy .* is missing\. "
        r"Take it from .* as a file of your own, train on generated stories .*, or take size 1k",
    ):
        babi(3, size="10k", folder=small)


def test_an_error_in_the_archive_names_the_file_in_it(small):
    with pytest.raises(
        ValueError, match=r"xz, en/qa4_two-arg-relations_train\.txt, line 2: the qu"
    ):
        babi(4, folder=small)


def test_what_babi_does_not_have_is_told(small):
    with pytest.raises(ValueError, match="tasks of bAbI have the numbers 1 to 20, but not 21"):
        babi(21, folder=small)
    with pytest.raises(ValueError, match="part must be one of train, test, but it is 'valid'"):
        babi(1, "valid", folder=small)
    with pytest.raises(ValueError, match="size must be one of 1k, 10k, but it is '1000'"):
        babi(1, size="1000", folder=small)


@real
@pytest.mark.parametrize("task", TASKS)
def test_every_official_file_has_its_questions(task):
    for part in ("train", "test"):
        questions = babi(task, part)
        assert len(questions) == 1_000
        assert all(question.supporting and question.answer for question in questions)
        assert all(max(question.supporting) < len(question.story) for question in questions)


@real
@pytest.mark.parametrize("task", [4, 8, 19])
def test_the_larger_files_have_ten_times_as_many_and_the_same_test(task):
    assert len(babi(task, "train", "10k")) == 10_000
    assert babi(task, "test", "10k") == babi(task, "test", "1k")


@real
def test_the_missing_file_of_the_real_archive_is_told():
    with pytest.raises(ValueError, match=r"has no en-10k/qa3_three-supporting-facts_train\.txt"):
        babi(3, "train", "10k")
    assert len(babi(3, "test", "10k")) == 1_000


@real
def test_lists_and_paths_are_one_answer_each():
    answers = Counter(question.answer for question in babi(8) + babi(19))
    assert answers["n,w"] > 50
    assert any(answer.startswith("milk,") for answer in answers)
    first = babi(1)[0]
    assert first.words == ("where", "is", "mary")
    assert first.story == (MARY, ("john", "went", "to", "the", "hallway"))
    assert (first.answer, first.supporting) == ("bathroom", (0,))


def test_reading_stories_needs_no_torch():
    code = "import sys, regard.tasks.stories; print({'torch', 'numpy'} & set(sys.modules))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert printed.stdout == b"set()\n"
