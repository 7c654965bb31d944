"""Questions about stories in numbers, every distinct sentence once."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor
from torch.nn.functional import pad

from regard.models.memn2n import Question, Story
from regard.models.sentences import Sentences, distinct


class Stories(NamedTuple):
    """Questions about stories, in numbers: each distinct sentence once, the first without words."""

    sentences: Sentences
    story: Int[Tensor, "example slot"]  # which sentence; 0 = an empty slot
    question: Int[Tensor, " example"]  # which sentence
    answer: Int[Tensor, " example"]  # which word

    @staticmethod
    def of(story: Story, question: Question, answer: Int[Tensor, " batch"]) -> "Stories":
        """Stories and questions as a model takes them, packed."""
        examples, slots, width = story.shape
        widest = max(width, question.shape[1])
        rows = [
            story.new_zeros(1, widest),
            pad(story.flatten(0, 1), (0, widest - width)),
            pad(question, (0, widest - question.shape[1])),
        ]
        sentences, places = distinct(torch.cat(rows))
        first = int(places[0])  # the one without words changes places with the first
        swap = torch.arange(len(sentences), device=story.device)
        swap[[0, first]] = swap[[first, 0]]
        told, asked = swap[places[1:]].tensor_split([examples * slots])
        return Stories(sentences[swap], told.view(examples, slots), asked, answer)

    def take(self, rows: Int[Tensor, " batch"] | slice) -> "Stories":
        """These examples alone, about the same sentences."""
        return Stories(self.sentences, self.story[rows], self.question[rows], self.answer[rows])

    def pick(self, rows: Int[Tensor, " batch"] | slice) -> tuple[Story, Question]:
        """The stories and questions of some examples as a model takes them, without empty ends."""
        story = self.story[rows]
        longest = int(story.ne(0).any(dim=0).nonzero().max()) + 1 if story.any() else 0
        return self.sentences[story[:, :longest]], self.sentences[self.question[rows]]


def pack(
    stories: Sequence[Sequence[Sequence[int]]],
    questions: Sequence[Sequence[int]],
    answers: Sequence[int],
    *,
    slots: int = 50,
) -> Stories:
    """Stories as lists of sentences as lists of words, of which the last ``slots`` are kept.

    A sentence without words, be it empty or of zeros alone, is an empty slot.
    """
    if not len(stories) == len(questions) == len(answers):
        raise ValueError(
            f"every question has a story and an answer, but there are {len(questions)} questions, "
            f"{len(stories)} stories and {len(answers)} answers"
        )
    known: dict[tuple[int, ...], int] = {(): 0}

    def number(sentence: Sequence[int]) -> int:
        return known.setdefault(tuple(sentence) if any(sentence) else (), len(known))

    told = [[number(sentence) for sentence in story[-slots:]] for story in stories]
    asked = torch.tensor([number(question) for question in questions], dtype=torch.int64)
    longest, widest = max(map(len, told), default=0), max(map(len, known))
    story = torch.tensor([row + [0] * (longest - len(row)) for row in told], dtype=torch.int64)
    sentences = torch.tensor([[*row, *[0] * (widest - len(row))] for row in known])
    return Stories(
        sentences.view(len(known), widest).long(),
        story.view(len(told), longest),
        asked,
        torch.tensor(answers, dtype=torch.int64),
    )
