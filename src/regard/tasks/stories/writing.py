"""Write questions over stories as a file in the format of bAbI.

A question whose story goes on from that of the question before is written into the same story.
What ``reading`` reads from the file are the same questions again.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from regard.files import write_whole
from regard.tasks.pairs import Words
from regard.tasks.stories import kinds, motives
from regard.tasks.stories.questions import Question
from regard.tasks.stories.wording import HE, SHE, WIDER

NAMES = frozenset((*HE, *SHE, *WIDER.herd.names, *kinds.NAMES, *motives.PEOPLE))


def write_stories(path: str | Path, questions: Iterable[Question]) -> None:
    """Put the questions into a file, whole or not at all."""
    write_whole(Path(path), "".join(f"{line}\n" for line in format_stories(questions)).encode())


def format_stories(questions: Iterable[Question]) -> Iterator[str]:
    """The lines of a file with these questions."""
    told: tuple[Words, ...] = ()
    numbers: list[int] = []  # the line of each sentence of the story
    line = 0
    for question in questions:
        if not line or question.story[: len(told)] != told:
            told, numbers, line = (), [], 0
        for sentence in question.story[len(told) :]:
            line += 1
            numbers.append(line)
            yield f"{line} {spelled(sentence)}."
        told = question.story
        line += 1
        facts = " ".join(str(numbers[fact]) for fact in question.supporting)
        yield f"{line} {spelled(question.words)}?\t{question.answer}\t{facts}"


def spelled(words: Words) -> str:
    """A sentence with capital letters for its beginning and for the names that stories have."""
    text = " ".join(word.capitalize() if word in NAMES else word for word in words)
    return text[:1].upper() + text[1:]
