"""Sentences as vectors: how much each word counts in them, and each distinct one made only once."""

from abc import ABC, abstractmethod
from functools import cache
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from regard.counts import check_counts

Sentences = Int[Tensor, "sentence word"]  # 0 = no word, at the end of a sentence
Shares = Float[Tensor, "own word size"]  # l_j, by how many words the sentence has of its own


class SentenceEncoding(nn.Module, ABC):
    """How much each unit of each word counts: m = sum_j l_j * A x_j, elementwise.

    End-To-End Memory Networks, Sukhbaatar, Szlam, Weston, Fergus 2015, section 4.1.
    https://arxiv.org/abs/1503.08895
    """

    @abstractmethod
    def shares(self, length: int, size: int) -> Shares:
        """l_j for sentences of 0, 1, ... ``length`` words; one row where that changes nothing."""

    def time_shares(self, size: int) -> Float[Tensor, " size"]:
        """How much each unit of the time at which a sentence was said counts."""
        return torch.ones(size, dtype=torch.float64)

    def forward(
        self, words: Float[Tensor, "sentence word *table size"], sentences: Sentences
    ) -> Float[Tensor, "sentence *table size"]:
        """The sentences, given the vectors of their words; those of word 0 are zero."""
        shares = self.shares(sentences.shape[1], words.shape[-1]).to(words)
        if len(shares) > 1:
            shares = shares[own_lengths(sentences)]
        between = (1,) * (words.dim() - 3)
        return (words * shares.view(*shares.shape[:2], *between, words.shape[-1])).sum(dim=1)


class BagOfWords(SentenceEncoding):
    """Every word counts alike, wherever it stands: m = sum_j A x_j."""

    def shares(self, length: int, size: int) -> Shares:
        return torch.ones(1, length, size, dtype=torch.float64)

    def forward(
        self, words: Float[Tensor, "sentence word *table size"], sentences: Sentences
    ) -> Float[Tensor, "sentence *table size"]:
        return words.sum(dim=1)


class PositionEncoding(SentenceEncoding):
    """The paper's: l_kj = (1 - j/J) - (k/d) (1 - 2j/J), so that order matters.

    j = 1..J counts the words of the sentence itself, k = 1..d the units. The time is added as it
    is, after the sum.
    """

    def shares(self, length: int, size: int) -> Shares:
        return _by_own_length(length, size)


class ReleasedPositionEncoding(SentenceEncoding):
    """That of the authors' own code: l_kj = 1 + 4 (k - (d+1)/2) (j - (J+1)/2) / (d J).

    J is the same for all sentences: the ``longest`` number of words and one more, since the time
    counts as the last word of every sentence. github.com/facebookarchive/MemNN, build_model.m
    """

    def __init__(self, longest: int) -> None:
        super().__init__()
        if longest < 1:
            raise ValueError(f"the longest sentence has one word or more, but longest={longest}")
        self.longest = longest

    def shares(self, length: int, size: int) -> Shares:
        _check_length(self, length, self.longest)
        return released_shares(self.longest + 1, size)[:length].unsqueeze(0)

    def time_shares(self, size: int) -> Float[Tensor, " size"]:
        return released_shares(self.longest + 1, size)[-1]

    def extra_repr(self) -> str:
        return f"longest={self.longest}"


class LearnedPositionEncoding(SentenceEncoding):
    """l_kj is learned for every place j and unit k; it starts as ``ReleasedPositionEncoding`` is.

    Both formulas of the paper tell places apart by two numbers, sum_j A x_j and sum_j j A x_j; here
    every place has its own.
    """

    def __init__(self, longest: int, size: int) -> None:
        super().__init__()
        check_counts("LearnedPositionEncoding", longest=longest, size=size)
        self.table = nn.Parameter(released_shares(longest + 1, size)[:longest].float())

    def shares(self, length: int, size: int) -> Shares:
        longest, own = self.table.shape
        _check_length(self, length, longest)
        if size != own:
            raise ValueError(f"words have size {size}, but LearnedPositionEncoding has size={own}")
        return self.table[:length].unsqueeze(0)

    def extra_repr(self) -> str:
        longest, size = self.table.shape
        return f"longest={longest}, size={size}"


def _check_length(encoding: SentenceEncoding, length: int, longest: int) -> None:
    if length > longest:
        raise ValueError(
            f"sentences have up to {length} words, but longest={longest}; "
            f"{type(encoding).__name__}(longest={length}, ...) takes them"
        )


def position_shares(length: int, size: int) -> Float[Tensor, "word size"]:
    """(1 - j/J) - (k/d) (1 - 2j/J)."""
    j = torch.arange(1, length + 1, dtype=torch.float64).unsqueeze(1) / length
    k = torch.arange(1, size + 1, dtype=torch.float64) / size
    return (1 - j) - k * (1 - 2 * j)


@cache
def released_shares(length: int, size: int) -> Float[Tensor, "word size"]:
    """1 + 4 (k - (d+1)/2) (j - (J+1)/2) / (d J)."""
    with torch.inference_mode(False):  # kept for those who learn, too
        j = torch.arange(1, length + 1, dtype=torch.float64).unsqueeze(1) - (length + 1) / 2
        k = torch.arange(1, size + 1, dtype=torch.float64) - (size + 1) / 2
        return 1 + 4 * k * j / (size * length)


@cache
def _by_own_length(length: int, size: int) -> Shares:
    with torch.inference_mode(False):
        rows = torch.zeros(length + 1, length, size, dtype=torch.float64)
        for own in range(1, length + 1):
            rows[own, :own] = position_shares(own, size)
        return rows


def own_lengths(sentences: Sentences) -> Int[Tensor, " sentence"]:
    """How many words each sentence has, up to its last that is not 0."""
    position = torch.arange(1, sentences.shape[1] + 1, device=sentences.device)
    return (sentences.ne(0) * position).amax(dim=1)


def check_words(story: Tensor, question: Tensor, vocabulary: int) -> None:
    """Say what cannot be a story and its question, before a wrong row is looked up."""
    for name, words, axes in (
        ("story", story, ("batch", "sentence", "word")),
        ("question", question, ("batch", "word")),
    ):
        if words.dim() != len(axes):
            raise ValueError(
                f"the {name} must be ({', '.join(axes)}), but its shape is {tuple(words.shape)}"
            )
        if words.dtype not in (torch.int64, torch.int32):
            raise TypeError(f"the {name} holds the numbers of words, but it is {words.dtype}")
        lowest, highest = map(int, words.aminmax()) if words.numel() else (0, 0)
        if lowest < 0 or highest >= vocabulary:
            raise ValueError(
                f"the {name} has the word {lowest if lowest < 0 else highest}, but "
                f"vocabulary={vocabulary}: words are 1 to {vocabulary - 1}, and 0 is none"
            )
    if len(story) != len(question):
        raise ValueError(
            f"every story has one question, but there are {len(story)} stories and "
            f"{len(question)} questions"
        )


class Distinct(NamedTuple):
    """The sentences that differ, and which of them stands where."""

    sentences: Sentences
    places: Int[Tensor, " row"]


def distinct(rows: Sentences) -> Distinct:
    """Each sentence once, in any order.

    Rows are told apart by a number made of their words, which is far quicker than comparing them
    word by word; should different rows have got the same number, they are compared after all.
    """
    numbers = (rows * _factors(rows.shape[1]).to(rows)).sum(dim=1)
    found, places = torch.unique(numbers, return_inverse=True)
    first = torch.empty_like(found).scatter_(0, places, torch.arange(len(rows), device=rows.device))
    sentences = rows[first]
    if torch.equal(sentences[places], rows):
        return Distinct(sentences, places)
    return Distinct(*torch.unique(rows, dim=0, return_inverse=True))


@cache
def _factors(length: int) -> Int[Tensor, " word"]:
    """Large numbers without a pattern; that products overflow does no harm."""
    with torch.inference_mode(False):
        return torch.randint(2**62, (length,), generator=torch.Generator().manual_seed(0))
