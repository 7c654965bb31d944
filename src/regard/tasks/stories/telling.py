"""A tale as it is being told: its sentences, what they say, and the questions so far.

In the official files a question is about one of the last five things that happened, and is asked as
soon as there is one to be asked about: ``Tale.converse`` tells two things, asks if it can, and goes
on. (Counted in the files of 10,000 questions of tasks 1, 2 and 5 to 14: no question and no silence
speaks against it; in the 2,000 questions of task 3 no question and 5 of 12,753 silences do.)
"""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, NamedTuple

from regard.tasks.pairs import Words
from regard.tasks.stories.questions import Question

RECENT = 5  # clauses that a question may be about
QUESTIONS = 5  # of a story
STRIDE = 2  # clauses or sentences between two tries to ask


class Clause(NamedTuple):
    """One thing that happened: who did it, what with or where, to whom, and in which sentence."""

    act: str
    who: str
    what: str
    line: int
    to: str = ""


class Asked(NamedTuple):
    """A question that could be asked now; the facts are places of sentences."""

    text: str
    answer: str
    facts: tuple[int, ...]


class Tale:
    """A story under way."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.sentences: list[Words] = []
        self.clauses: list[Clause] = []
        self.questions: list[Question] = []

    @property
    def line(self) -> int:
        """The place that the next sentence will have."""
        return len(self.sentences)

    def say(self, text: str, *clauses: Clause) -> None:
        """Tell one sentence, and what happens in it."""
        self.sentences.append(tuple(text.split()))
        self.clauses += clauses

    def ask(self, asked: Asked) -> None:
        """Ask, and answer."""
        story = tuple(self.sentences)
        words = tuple(asked.text.split())
        self.questions.append(Question(story, words, asked.answer, asked.facts))

    def last(self, act: str, who: str) -> Clause:
        """The last time that somebody did something that they have done."""
        return next(
            clause for clause in reversed(self.clauses) if (clause.act, clause.who) == (act, who)
        )

    def converse(
        self,
        live: Callable[[], None],
        ask_about: Callable[["Tale", Clause], Iterable[Asked]],
        stride: int = STRIDE,
    ) -> list[Question]:
        """Let things happen, and ask about one of the last, until all questions are asked."""
        while len(self.questions) < QUESTIONS:
            for _ in range(stride):
                live()
            recent = self.clauses[-RECENT:]
            options = [asked for clause in recent for asked in ask_about(self, clause)]
            if options:
                self.ask(self.random.choice(options))
        return self.questions


def other(random: Random, values: Iterable[str], *than: str) -> str:
    """One of the values that is none of those."""
    return random.choice([value for value in values if value not in than])


def displace(random: Random, values: list[Any]) -> None:
    """Bring into any order in which nothing is where it was, by one cycle (Sattolo 1986).

    As in the official files, where two sentences that are told in any order always change places.
    """
    for last in range(len(values) - 1, 0, -1):
        place = random.randrange(last)
        values[last], values[place] = values[place], values[last]
