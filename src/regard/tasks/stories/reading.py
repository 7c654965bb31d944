"""Read questions over stories in the format of bAbI.

Lines are numbered from 1 within a story; a line that begins with 1 begins the next one, and empty
lines count for nothing. A line is one sentence, which supporting facts name by its number. A line
with tabs is a question, its answer and the numbers of its supporting facts:

    1 Mary moved to the bathroom.
    2 John went to the hallway.
    3 Where is Mary?<tab>bathroom<tab>1

Every error is a ValueError that names the file, the line, what is wrong and what would work.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from regard.tasks.files import read_lines
from regard.tasks.stories.questions import Question, answer_of, words_of

BEHIND_AN_END = re.compile(r"(?<=[.!?])\s+(?=.*\w)")  # of a sentence, where another one follows
FORM = "a question is its number, the question, a tab, its answer, a tab, its supporting facts"


def read_stories(path: str | Path) -> list[Question]:
    """The questions of a file, each with the story before it; ``.gz`` and ``.xz`` are unpacked.

    The supporting facts may be left out.
    """
    return parse_stories(read_lines(path, blank=True), str(path))


def parse_stories(lines: Iterable[str], source: str) -> list[Question]:
    """The questions in these lines; ``source`` names the file in errors."""
    questions = []
    told = Told()
    for count, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            question = told.hear(line)
        except ValueError as wrong:
            raise ValueError(f"{source}, line {count}: {wrong}") from wrong
        if question is not None:
            questions.append(question)
    if not questions:
        raise ValueError(f"{source} has no question; {FORM}")
    return questions


class Told:
    """What has been told so far: the sentences of a story and the lines on which they stand."""

    def __init__(self) -> None:
        self.line = 0  # the number of the line before
        self.story: tuple[tuple[str, ...], ...] = ()
        self.places: dict[int, int] = {}  # number of the line -> place in the story

    def hear(self, line: str) -> Question | None:
        """Take one line; the question, if it is one."""
        number, text = self._numbered(line)
        self.line = number
        if number == 1:
            self.story, self.places = (), {}
        first, *columns = text.split("\t")
        words = words_of(first)
        if not words:
            raise ValueError(f"nothing is said on it after its number {number}")
        if columns:
            _check_alone(first)
            return self._question(number, words, columns)
        if "?" in first:
            kind = "has no answer" if first.rstrip().endswith("?") else "has no tab behind it"
            raise ValueError(f"the question {first.strip()!r} {kind}; {FORM}")
        _check_alone(first)
        self.places[number] = len(self.story)
        self.story = (*self.story, words)
        return None

    def _numbered(self, line: str) -> tuple[int, str]:
        start, _, text = line.strip(" ").partition(" ")
        if not (start.isascii() and start.isdigit()):
            raise ValueError(
                f"it begins with {start[:20]!r} instead of a number; each line of a story begins "
                "with its number and a space"
            )
        number = int(start)
        if number not in (1, self.line + 1):
            raise ValueError(
                f"its number is {number}, but it must be "
                + (f"{self.line + 1}, the next, or " if self.line else "")
                + "1, which begins a story"
            )
        return number, text

    def _question(self, number: int, words: tuple[str, ...], columns: list[str]) -> Question:
        if not self.story:
            raise ValueError("a question before any sentence; tell a story first")
        if len(columns) > 2:
            raise ValueError(f"{len(columns) + 1} columns instead of three; {FORM}")
        answer, facts = (*columns, "")[:2]
        if not answer.strip():
            raise ValueError(f"the question {' '.join(words)!r} has no answer; {FORM}")
        supporting = []
        for fact in facts.split():
            if not (fact.isascii() and fact.isdigit()) or int(fact) not in self.places:
                told = ", ".join(map(str, self.places))
                raise ValueError(
                    f"the supporting fact {fact!r} names no sentence before the question; those "
                    f"of this story have the numbers {told}"
                )
            supporting.append(self.places[int(fact)])
        return Question(self.story, words, answer_of(answer), tuple(supporting))


def _check_alone(text: str) -> None:
    """Stop where a line holds more than one sentence: they would be one fact."""
    sentences = BEHIND_AN_END.split(text.strip())
    if len(sentences) > 1:
        raise ValueError(
            f"{len(sentences)} sentences are on it, {' and '.join(map(repr, sentences[:2]))}; give "
            "each a line and a number of its own, and leave out a full stop that ends none"
        )
