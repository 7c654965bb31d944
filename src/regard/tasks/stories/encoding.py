"""Questions as numbers: padded tensors of words, and the sets to train on and to choose by."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from regard.tasks.pairs import Words
from regard.tasks.stories.questions import Question
from regard.tasks.vocabulary import PADDING, Vocabulary

MEMORY = 50  # sentences that End-To-End Memory Networks keep (Sukhbaatar et al. 2015, section 4.2)
SHARE = 0.1  # of the questions to train on that are kept for validation


class Asked(NamedTuple):
    """Questions as tensors; 0 is padding everywhere, after the words and after the sentences.

    An answer that is not in the vocabulary is ``UNKNOWN``: a model that says so is still wrong.
    """

    stories: Int[Tensor, "batch sentence word"]
    questions: Int[Tensor, "batch word"]
    answers: Int[Tensor, " batch"]
    lengths: Int[Tensor, " batch"]  # sentences of each story
    order: Int[Tensor, "batch sentence"]  # 1 for the first supporting fact, 2 for the second, ...

    @property
    def supporting(self) -> Bool[Tensor, "batch sentence"]:
        """The sentences that lead to the answer."""
        return self.order > 0

    def rows(self, which: Int[Tensor, " some"] | slice) -> "Asked":
        """Some of the questions, as a batch."""
        return Asked(*(tensor[which] for tensor in self))


def encode_questions(
    questions: Sequence[Question],
    vocabulary: Vocabulary,
    memory: int = MEMORY,
    width: int | None = None,
) -> Asked:
    """Questions as tensors, of each story the last ``memory`` sentences.

    Supporting facts before those are lost. ``width`` is the number of words that a sentence is
    padded to; if not given, that of the longest.
    """
    if memory < 1:
        raise ValueError(f"memory is a number of sentences, 1 or more, but memory={memory}")
    if not questions:
        raise ValueError("there is no question to encode")
    kept = [question.story[-memory:] for question in questions]
    numbers: dict[Words, int] = {(): 0}  # each sentence is encoded once, however often it is told
    for question, story in zip(questions, kept, strict=True):
        for sentence in (*story, question.words):
            numbers.setdefault(sentence, len(numbers))
    table = _padded([vocabulary.encode(sentence) for sentence in numbers], width)
    lengths = [len(story) for story in kept]
    longest = max(lengths)
    places = [
        [*(numbers[sentence] for sentence in story), *[0] * (longest - len(story))]
        for story in kept
    ]
    order = torch.zeros(len(questions), longest, dtype=torch.int64)
    for row, question in enumerate(questions):
        forgotten = len(question.story) - lengths[row]
        for turn, fact in enumerate(question.supporting, 1):
            if fact >= forgotten:
                order[row, fact - forgotten] = turn
    return Asked(
        table[torch.tensor(places)],
        table[torch.tensor([numbers[question.words] for question in questions])],
        torch.tensor(vocabulary.encode([question.answer for question in questions])),
        torch.tensor(lengths),
        order,
    )


def split_last(
    questions: Sequence[Question], share: float = SHARE
) -> tuple[list[Question], list[Question]]:
    """All but the last of the questions, and the last: a tenth, as in MemN2N's released code."""
    count = _trained(questions, share)
    return list(questions[:count]), list(questions[count:])


def split_drawn(
    questions: Sequence[Question], seed: int, share: float = SHARE
) -> tuple[list[Question], list[Question]]:
    """As ``split_last``, but drawn: how MemN2N's released code does it where tasks are joined.

    Each of the two keeps the order that the questions had.
    """
    count = _trained(questions, share)
    held = set(Random(seed).sample(range(len(questions)), len(questions) - count))
    return (
        [question for place, question in enumerate(questions) if place not in held],
        [questions[place] for place in sorted(held)],
    )


def _trained(questions: Sequence[Question], share: float) -> int:
    if not 0 <= share < 1:
        raise ValueError(f"share is a part of the questions, from 0 to below 1, but share={share}")
    count = int(len(questions) * (1 - share))
    if not count:
        raise ValueError(f"nothing is left to train on of {len(questions)} questions")
    return count


def _padded(sentences: list[list[int]], width: int | None) -> Int[Tensor, "sentence word"]:
    longest = max(map(len, sentences))
    if width is None:
        width = longest
    if longest > width:
        raise ValueError(f"a sentence has {longest} words, but width={width}")
    return torch.tensor([words + [PADDING] * (width - len(words)) for words in sentences])
