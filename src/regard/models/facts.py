"""Readers of stories: from words to facts that can be looked at, and to a question."""

import math
from abc import ABC, abstractmethod
from typing import NamedTuple

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from regard.blends import GatedRecurrence
from regard.models.sentences import PositionEncoding, SentenceEncoding, check_words, distinct
from regard.shapes import Mask, Number

Story = Int[Tensor, "batch sentence word"]  # 0 = no word; a sentence of none is not there
Question = Int[Tensor, "batch asked"]
Embedded = Float[Tensor, "batch time size"]


class Read(NamedTuple):
    """A story and its question, read."""

    facts: Float[Tensor, "batch sentence size"]
    mask: Mask  # (batch, 1, sentence): which sentences are there
    question: Float[Tensor, "batch size"]


class Reader(nn.Module, ABC):
    """Makes a fact of each sentence, and a vector of the question."""

    @abstractmethod
    def forward(self, story: Story, question: Question) -> Read:
        """Facts, as many as there are places for sentences."""


class WordByWord(Reader):
    """One gated recurrent unit over all words of the story; a fact is its state after a sentence.

    h_t = GRU(L[w_t], h_{t-1}), the question by the same unit. Ask Me Anything: Dynamic Memory
    Networks, Kumar et al. 2016, sections 2.1 and 2.2. https://arxiv.org/abs/1506.07285
    ``dropout`` is that of the words.
    """

    def __init__(self, vocabulary: int, size: int, *, dropout: Number = 0.0) -> None:
        super().__init__()
        self.embedding = _embedding(vocabulary, size)
        self.dropout = nn.Dropout(dropout)
        self.onwards = GatedRecurrence(size)

    def forward(self, story: Story, question: Question) -> Read:
        check_words(story, question, self.embedding.num_embeddings)
        story = _with_room(story)
        words, length = story.flatten(1), story.shape[2]
        states = read_on(self.onwards, self.dropout(self.embedding(words)), words != 0)
        facts = states[:, length - 1 :: length]  # filling has left them as they were
        asked = self.onwards(_weights(question != 0, facts), self.embedding(question))
        return Read(facts, _sentences(story), asked.squeeze(1))


class SentenceBySentence(Reader):
    """Sentences by the places of their words, then an exchange between them in both directions.

    f_i = sum_j l_j * L[w_j]; facts are forward_i + backward_i of two gated recurrent units over all
    f_i. Dynamic Memory Networks for Visual and Textual Question Answering, Xiong, Merity, Socher
    2016, section 3.1. https://arxiv.org/abs/1603.01417 The question is read word by word by a unit
    of its own. ``dropout`` is that of the f_i. A sentence that a batch has often is made once.
    """

    def __init__(
        self,
        vocabulary: int,
        size: int,
        *,
        dropout: Number = 0.0,
        encoding: SentenceEncoding | None = None,
    ) -> None:
        super().__init__()
        self.encoding = PositionEncoding() if encoding is None else encoding
        self.embedding = _embedding(vocabulary, size)
        self.dropout = nn.Dropout(dropout)
        self.onwards, self.backwards = GatedRecurrence(size), GatedRecurrence(size)
        self.asking = GatedRecurrence(size)

    def forward(self, story: Story, question: Question) -> Read:
        check_words(story, question, self.embedding.num_embeddings)
        story = _with_room(story)
        sentences, there = self.dropout(self.encode(story)), _sentences(story)
        onwards = read_on(self.onwards, sentences, there.squeeze(1))
        backwards = read_on(self.backwards, sentences.flip(1), there.squeeze(1).flip(1)).flip(1)
        asked = self.asking(_weights(question != 0, sentences), self.embedding(question))
        return Read(onwards + backwards, there, asked.squeeze(1))

    def encode(self, story: Story) -> Embedded:
        """f of every sentence; zero where there is none."""
        rows = nn.functional.pad(story.flatten(0, 1), (0, 0, 0, 1))  # one of no words, always there
        sentences, places = distinct(rows)
        words = self.embedding(sentences) * (sentences != 0).unsqueeze(-1)
        made = self.encoding(words, sentences)
        return nn.functional.embedding(places[:-1].view(story.shape[:2]), made)


def read_on(unit: GatedRecurrence, given: Embedded, there: Bool[Tensor, "batch time"]) -> Embedded:
    """The unit's state after each step; what is not ``there`` leaves it as it is."""
    return unit.states(_weights(there, given), given).squeeze(1)


def _weights(there: Bool[Tensor, "batch time"], like: Tensor) -> Float[Tensor, "batch 1 time"]:
    """One where something is there: then a gated recurrence is a gated recurrent unit."""
    return there.unsqueeze(1).to(like.dtype)


def _with_room(story: Story) -> Story:
    """The story with room for a word in each sentence, where there is none."""
    return story if story.shape[2] else nn.functional.pad(story, (0, 1))


def _sentences(story: Story) -> Mask:
    return (story != 0).any(dim=-1).unsqueeze(1)


def _embedding(vocabulary: int, size: int) -> nn.Embedding:
    """Words uniform in +-sqrt(3), variance one, as in Xiong, Merity, Socher 2016."""
    embedding = nn.Embedding(vocabulary, size)
    nn.init.uniform_(embedding.weight, -math.sqrt(3), math.sqrt(3))
    return embedding
