"""Lessons in numbers: what a network is given, and what it must hold."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from regard.files import write_whole
from regard.models.stories import Stories, pack
from regard.recipes.stories.lessons import Lesson
from regard.recipes.stories.systems import Sizes
from regard.tasks import Vocabulary
from regard.tasks.pairs import Words
from regard.tasks.stories import Question, story_vocabulary
from regard.tasks.vocabulary import UNKNOWN

FILE = "words.json"


class Entry(NamedTuple):
    """What is kept of a lesson: its words, and how large its network is."""

    vocabulary: Vocabulary
    sizes: Sizes

    @staticmethod
    def of(lesson: Lesson, memory: int) -> "Entry":
        """All words to learn, the longest sentence, the longest story up to ``memory``."""
        learned = [*lesson.train, *lesson.valid]
        vocabulary = story_vocabulary(learned)
        sentences = {sentence for each in learned for sentence in (*each.story, each.words)}
        slots = min(memory, max(len(each.story) for each in learned))
        return Entry(vocabulary, Sizes(len(vocabulary), max(map(len, sentences)), slots))


class Material(NamedTuple):
    """Questions in numbers, and which sentences lead to their answers."""

    stories: Stories
    order: Int[Tensor, "example slot"]  # 1 for the first supporting fact, 2 for the second, ...

    @property
    def supporting(self) -> Bool[Tensor, "example slot"]:
        """The sentences that lead to the answer."""
        return self.order > 0

    def first(self, most: int) -> "Material":
        """The first so many questions, or all where there are no more."""
        sentences, *rows = self.stories
        return Material(Stories(sentences, *(each[:most] for each in rows)), self.order[:most])


def material(questions: Sequence[Question], entry: Entry) -> Material:
    """Questions as a network takes them, of each story the last sentences that it remembers.

    A word that it does not know says nothing: it is 0, as where there is none.
    """
    slots, known = entry.sizes.slots, dict[Words, list[int]]()

    def numbers(sentence: Words) -> list[int]:
        if sentence not in known:
            found = entry.vocabulary.encode(sentence)
            known[sentence] = [0 if number == UNKNOWN else number for number in found]
        return known[sentence]

    stories = pack(
        [[numbers(sentence) for sentence in each.story[-slots:]] for each in questions],
        [numbers(each.words) for each in questions],
        entry.vocabulary.encode([each.answer for each in questions]),
        slots=slots,
    )
    order = torch.zeros_like(stories.story)
    for row, each in enumerate(questions):
        forgotten = max(0, len(each.story) - slots)
        for turn, fact in enumerate(each.supporting, 1):
            if fact >= forgotten:
                order[row, fact - forgotten] = turn
    return Material(stories, order)


def keep_entries(folder: Path, lessons: Sequence[Lesson], memory: int) -> dict[str, Entry]:
    """What is kept of each lesson, by its name: what is there already, or is written there now."""
    path = folder / FILE
    if not path.is_file():
        made = {lesson.name: Entry.of(lesson, memory) for lesson in lessons}
        kept = {
            name: {**entry.vocabulary.to_json(), "longest": entry.sizes.longest,
                   "slots": entry.sizes.slots}
            for name, entry in made.items()
        }  # fmt: skip
        write_whole(path, json.dumps(kept, ensure_ascii=False).encode())
    return read_entries(folder)


def read_entries(folder: Path) -> dict[str, Entry]:
    """What a run has kept of its lessons."""
    path = folder / FILE
    if not path.is_file():
        raise ValueError(f"there is no file {path}; a run that was begun has its words there")
    try:
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return {name: _entry(each) for name, each in kept.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise ValueError(f"{path} is not what training wrote: {problem}") from problem


def _entry(kept: dict[str, Any]) -> Entry:
    vocabulary = Vocabulary.from_json(kept)
    return Entry(vocabulary, Sizes(len(vocabulary), int(kept["longest"]), int(kept["slots"])))
