"""What a decoder is given, and recurrent encoders of words."""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from regard.masks import padding
from regard.recurrence import GatedUnit
from regard.shapes import Mask, Number

Words = Int[Tensor, "batch source"]
Lengths = Int[Tensor, " batch"]
Sequence = Float[Tensor, "batch source size"]


class Encoded(NamedTuple):
    """What any encoder gives any decoder."""

    annotations: Sequence  # what can be looked at
    mask: Mask  # (batch, 1, source): which of it is there
    summary: Float[Tensor, "batch summary"]  # what the decoder starts from
    grid: tuple[int, int] | None = None  # of an image: how many rows and columns of annotations


def check_encoded(encoded: object) -> None:
    """Raise where what an encoder gave is nothing that a decoder can take."""
    if not isinstance(encoded, Encoded):
        raise TypeError(
            "a decoder takes an Encoded (regard.models), but was given a "
            f"{type(encoded).__name__}; AnyGrid(network) makes one of a network of images that "
            "gives (batch, size, row, column)"
        )


class BidirectionalEncoder(nn.Module):
    """Reads the source both ways; every word's annotation is what both have seen up to it.

    h_j = [forward h_j; backward h_j], the summary is the backward state at the first word.
    Neural Machine Translation by Jointly Learning to Align and Translate, Bahdanau, Cho, Bengio
    2015, appendix A.2.1. https://arxiv.org/abs/1409.0473
    """

    def __init__(
        self,
        vocabulary: int,
        *,
        word_size: int,
        state_size: int,
        dropout: Number = 0.0,
        forgetting: Number = 0.0,
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, word_size)
        self.dropout = nn.Dropout(dropout)
        self.onwards, self.backwards = (
            GatedUnit(input_size=word_size, state_size=state_size, forgetting=forgetting)
            for _ in range(2)
        )

    def forward(self, words: Words, lengths: Lengths) -> Encoded:
        """Annotations (batch, source, 2 state_size) of the words."""
        mask = padding(lengths, words.shape[1])
        embedded = self.dropout(self.embedding(words))
        onwards = self.onwards.run(embedded)
        backwards = turn(self.backwards.run(turn(embedded, lengths)), lengths)
        annotations = self.dropout(torch.cat([onwards, backwards], dim=-1))
        return Encoded(annotations, mask, nothing_if_empty(backwards[:, 0], lengths))


class LastStateEncoder(nn.Module):
    """Reads the source once and keeps one vector, its last state: all that a decoder will see.

    v = h_T. Sequence to Sequence Learning with Neural Networks, Sutskever, Vinyals, Le 2014,
    https://arxiv.org/abs/1409.3215; Cho et al. 2014, https://arxiv.org/abs/1406.1078 (RNNencdec).
    The vector is given as a sentence of one annotation, so that a decoder that looks has nothing
    to choose from.
    """

    def __init__(
        self,
        vocabulary: int,
        *,
        word_size: int,
        state_size: int,
        dropout: Number = 0.0,
        forgetting: Number = 0.0,
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, word_size)
        self.dropout = nn.Dropout(dropout)
        self.onwards = GatedUnit(input_size=word_size, state_size=state_size, forgetting=forgetting)

    def forward(self, words: Words, lengths: Lengths) -> Encoded:
        """One annotation (batch, 1, state_size): the state after the last word."""
        padding(lengths, words.shape[1])  # says what is wrong with lengths that do not fit
        states = self.onwards.run(self.dropout(self.embedding(words)))
        last = nothing_if_empty(
            states[torch.arange(len(words), device=words.device), lengths - 1], lengths
        )
        one = lengths.clamp(max=1)  # an empty sentence has nothing, not even this
        return Encoded(self.dropout(last).unsqueeze(1), padding(one, 1), last)


def nothing_if_empty(
    summary: Float[Tensor, "batch summary"], lengths: Lengths
) -> Float[Tensor, "batch summary"]:
    """Zero for a sentence without words: what was read there is filling."""
    return torch.where(lengths.unsqueeze(1) > 0, summary, 0)


def turn(sequence: Sequence, lengths: Lengths) -> Sequence:
    """Each sequence back to front, its filling left at the end."""
    place = torch.arange(sequence.shape[1], device=sequence.device)
    turned = lengths.unsqueeze(1) - 1 - place
    order = torch.where(turned >= 0, turned, place)
    return sequence.gather(1, order.unsqueeze(-1).expand_as(sequence))
