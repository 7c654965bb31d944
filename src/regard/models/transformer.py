"""The Transformer: encoder and decoder made of attention alone."""

from collections.abc import Iterable
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from regard.attention import Attended, Attention, Memory, MultiHead
from regard.blends import WeightedSum
from regard.linear import WideLinear
from regard.masks import causal, padding
from regard.models.encoding import Encoded
from regard.models.translating import Translator
from regard.scores import ScaledDot
from regard.shapes import Number

Words = Float[Tensor, "batch length size"]


def positions(length: int, size: int) -> Float[Tensor, "length size"]:
    """PE(p, 2i) = sin(p / 10000^(2i/size)), PE(p, 2i+1) = cos of the same (section 3.5).

    >>> positions(2, 4)
    tensor([[0.0000, 1.0000, 0.0000, 1.0000],
            [0.8415, 0.5403, 0.0100, 0.9999]])
    """
    place = torch.arange(length).unsqueeze(1)
    angle = place * 10_000 ** (-torch.arange(0, size, 2) / size)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)[:, :size]


class Embedding(nn.Module):
    """Words times sqrt(size), plus where they stand, with dropout (sections 3.4, 3.5).

    Places up to ``longest`` are worked out in advance; a longer sentence has its own worked out.
    """

    def __init__(self, vocabulary: int, size: int, dropout: Number, longest: int) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, size)
        nn.init.normal_(self.words.weight, std=size**-0.5)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("places", positions(longest, size), persistent=False)
        self.places: Tensor

    def forward(self, words: Int[Tensor, "batch length"], first: int = 0) -> Words:
        """Words of which the first stands at place ``first``."""
        last, size = first + words.shape[1], self.words.embedding_dim
        places = self.places if last <= len(self.places) else positions(last, size).to(self.places)
        return self.dropout(self.words(words) * size**0.5 + places[first:last])


class Block(nn.Module):
    """What follows every look: LayerNorm(x + Dropout(sublayer(x))) (section 3.1, post-norm)."""

    def __init__(self, size: int, dropout: Number) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, words: Words, change: Words) -> Words:
        """The words with a change taken in."""
        return self.norm(words + self.dropout(change))


class FeedForward(nn.Module):
    """max(0, x W_1 + b_1) W_2 + b_2, word by word (eq. 2)."""

    def __init__(self, size: int, inner_size: int, dropout: Number) -> None:
        super().__init__()
        self.widen = WideLinear(size, inner_size)
        self.narrow = WideLinear(inner_size, size)
        self.block = Block(size, dropout)

    def forward(self, words: Words) -> Words:
        """The words, each by itself."""
        return self.block(words, self.narrow(self.widen(words).relu()))


class SelfLook(nn.Module):
    """The words look at each other."""

    def __init__(self, size: int, heads: int, dropout: Number) -> None:
        super().__init__()
        look = Attention(ScaledDot(), blend=WeightedSum(dropout))
        self.attention = MultiHead(look, size=size, heads=heads)
        self.block = Block(size, dropout)

    def forward(self, words: Words, memory: Memory) -> Words:
        """The words, after a look at a memory of themselves."""
        return self.block(words, self.attention(words, memory).context)


class EncoderLayer(nn.Module):
    """The words look at each other, then each is worked on by itself."""

    def __init__(self, size: int, heads: int, inner_size: int, dropout: Number) -> None:
        super().__init__()
        self.own = SelfLook(size, heads, dropout)
        self.feed_forward = FeedForward(size, inner_size, dropout)

    def forward(self, words: Words, mask: Tensor) -> Words:
        """The next layer's words."""
        memory = self.own.attention.remember(words, mask=mask)
        return self.feed_forward(self.own(words, memory))


class DecoderLayer(nn.Module):
    """The target looks at its own past, then at the source."""

    def __init__(self, size: int, heads: int, inner_size: int, dropout: Number) -> None:
        super().__init__()
        self.own = SelfLook(size, heads, dropout)
        look = Attention(ScaledDot(), blend=WeightedSum(dropout))
        self.attention = MultiHead(look, size=size, heads=heads)
        self.block = Block(size, dropout)
        self.feed_forward = FeedForward(size, inner_size, dropout)

    def forward(self, words: Words, past: Memory, source: Memory) -> tuple[Words, Attended]:
        """The next layer's words, and what they saw of the source."""
        words = self.own(words, past)
        seen = self.attention(words, source)
        return self.feed_forward(self.block(words, seen.context)), seen


class TransformerEncoder(nn.Module):
    """A stack of layers over the source; the top layer's words are the annotations."""

    def __init__(self, embedding: Embedding, layers: list[EncoderLayer]) -> None:
        super().__init__()
        self.embedding = embedding
        self.layers: Iterable[EncoderLayer] = nn.ModuleList(layers)  # type: ignore[assignment]

    def forward(
        self, words: Int[Tensor, "batch source"], lengths: Int[Tensor, " batch"]
    ) -> Encoded:
        """Annotations (batch, source, size); the summary is their mean."""
        mask = padding(lengths, words.shape[1])
        encoded = self.embedding(words)
        for layer in self.layers:
            encoded = layer(encoded, mask)
        there = mask.mT.to(encoded.dtype)
        summary = (encoded * there).sum(dim=1) / there.sum(dim=1).clamp(min=1)
        return Encoded(encoded, mask, summary)


class Past(NamedTuple):
    """What the decoder has written so far: a cache for each layer, rows of examples in a row."""

    length: int
    rows: int
    layers: tuple[Memory, ...]


class TransformerDecoder(nn.Module):
    """Writes the target; every layer looks at the past and at the source."""

    def __init__(
        self, embedding: Embedding, layers: list[DecoderLayer], readout: nn.Linear
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.layers: Iterable[DecoderLayer] = nn.ModuleList(layers)  # type: ignore[assignment]
        self.readout = readout

    def begin(self, encoded: Encoded) -> tuple[Past | None, tuple[Memory, ...]]:
        """Nothing written yet, and the source as each layer will look at it."""
        return None, self._source(encoded)

    def step(
        self, state: Past | None, word: Int[Tensor, "batch row"], memory: tuple[Memory, ...]
    ) -> tuple[Past, Float[Tensor, "batch row vocabulary"], Attended]:
        """One step after ``word``, beams on the query axis of the looks at the source."""
        batch, rows = word.shape
        first = 0 if state is None else state.length
        words = self.embedding(word.reshape(-1, 1), first)  # batch*row 1 size
        caches = []
        for number, layer in enumerate(self.layers):
            newest = layer.own.attention.remember(words)
            cache = newest if state is None else state.layers[number].append(newest)
            caches.append(cache)
            words = layer.own(words, cache).view(batch, rows, words.shape[-1])
            seen = layer.attention(words, memory[number])
            words = layer.feed_forward(layer.block(words, seen.context))
            words = words.view(batch * rows, 1, words.shape[-1])
        logits = self.readout(words.view(batch, rows, words.shape[-1]))
        return Past(first + 1, rows, tuple(caches)), logits, seen

    def pick(self, state: Past, rows: Int[Tensor, "batch row"]) -> Past:
        """The pasts of these rows of each example."""
        offset = torch.arange(len(rows), device=rows.device).unsqueeze(1) * state.rows
        flat = (rows + offset).flatten()
        layers = tuple(memory.select(flat) for memory in state.layers)
        return Past(state.length, rows.shape[1], layers)

    def keep(
        self, state: Past, memory: tuple[Memory, ...], examples: Int[Tensor, " kept"]
    ) -> tuple[Past, tuple[Memory, ...]]:
        """The pasts and the memories of these examples alone, the others being done."""
        rows = examples.unsqueeze(1) * state.rows + torch.arange(state.rows, device=examples.device)
        layers = tuple(layer.select(rows.flatten()) for layer in state.layers)
        kept = tuple(layer.select(examples) for layer in memory)
        return Past(state.length, state.rows, layers), kept

    def alignment(self, seen: Attended) -> Float[Tensor, "batch row source"]:
        """The mean of the top layer's heads."""
        return seen.weights.mean(dim=-3)

    def alignments(self, looks: list[Attended]) -> Float[Tensor, "batch target source"]:
        """What each word saw of the source, from the looks that ``forward`` gave."""
        return self.alignment(looks[-1])

    def maps(self, looks: list[Attended]) -> Float[Tensor, "batch layer head target source"]:
        """Every weight of the looks that ``forward`` gave, for pictures."""
        return torch.stack([seen.weights for seen in looks], dim=1)

    def forward(
        self, encoded: Encoded, words: Int[Tensor, "batch target"]
    ) -> tuple[Float[Tensor, "batch target vocabulary"], list[Attended]]:
        """Scores of the word after each of ``words``, and what each layer saw of the source."""
        mask, looks = causal(words.shape[1], device=words.device), []
        written = self.embedding(words)
        for layer, source in zip(self.layers, self._source(encoded), strict=True):
            past = layer.own.attention.remember(written, mask=mask)
            written, seen = layer(written, past, source)
            looks.append(seen)
        return self.readout(written), looks

    def _source(self, encoded: Encoded) -> tuple[Memory, ...]:
        return tuple(
            layer.attention.remember(encoded.annotations, mask=encoded.mask)
            for layer in self.layers
        )


class Transformer(Translator):
    """An encoder and a decoder of nothing but looks and word-wise layers.

    Attention Is All You Need, Vaswani et al. 2017. https://arxiv.org/abs/1706.03762
    The paper's base: size 512, heads 8, inner_size 2048, layers 6, dropout 0.1, one vocabulary of
    37,000 for source and target together. Here the two vocabularies are apart, and only the
    target's embedding is also the readout's. Train it with a warm-up: post-norm needs one.
    """

    def __init__(
        self,
        *,
        source_vocabulary: int,
        target_vocabulary: int,
        size: int,
        heads: int,
        inner_size: int,
        layers: int,
        dropout: Number = 0.1,
        longest: int = 512,
    ) -> None:
        super().__init__(
            source_vocabulary=source_vocabulary,
            target_vocabulary=target_vocabulary,
            size=size,
            heads=heads,
            inner_size=inner_size,
            layers=layers,
            dropout=dropout,
            longest=longest,
        )
        shape = (size, heads, inner_size, dropout)
        self.encoder = TransformerEncoder(
            Embedding(source_vocabulary, size, dropout, longest),
            [EncoderLayer(*shape) for _ in range(layers)],
        )
        embedding = Embedding(target_vocabulary, size, dropout, longest)
        readout = WideLinear(size, target_vocabulary, bias=False)
        readout.weight = embedding.words.weight  # section 3.4
        self.decoder = TransformerDecoder(
            embedding, [DecoderLayer(*shape) for _ in range(layers)], readout
        )
