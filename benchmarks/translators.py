"""Translators: a step of training and a batch translated, against peers of the same sizes.

A step is forward, cross-entropy and backward, without an optimiser. Weights are untrained and all
sentences of one length, so that both ways do the same number of steps over no filling.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from eager_peer import EagerTranslator
from joeynmt_peer import JoeyTranslator
from measuring import Comparison, Work
from regard.models import Marks, RNNSearch, Transformer, beam, greedy
from torch_peer import TorchTranslator

MARKS = Marks(begin=2, end=3)
FIRST_WORD = 4  # below it are the marks
NEVER = -100.0  # a score by which the end is never chosen


@dataclass(frozen=True)
class Sizes:
    """What a translator and its batch measure; ``readout`` is RNNsearch's maxout layer."""

    vocabulary: int = 8000
    size: int = 512
    readout: int = 512
    batch: int = 64
    length: int = 30


# With 360 maxout units RNNSearch has as many parameters as JoeyNMT, 19.9 million; with 512 it has
# 21.7 million, and a fifth more to multiply.
FULL, EVEN = Sizes(), Sizes(readout=360)


class Sentences:
    """Random source and target words, and the words to foretell."""

    def __init__(self, sizes: Sizes) -> None:
        torch.manual_seed(0)
        shape = (sizes.batch, sizes.length)
        drawn = torch.randint(FIRST_WORD, sizes.vocabulary, (3, *shape))
        self.source, self.target, self.following = drawn.unbind()
        self.lengths = torch.full(shape[:1], sizes.length)

    def train(self, model: nn.Module, logits: Callable[[], Tensor]) -> Tensor:
        """One step; the loss, without its graph."""
        model.zero_grad()
        loss = cross_entropy(logits().flatten(0, 1), self.following.flatten())
        loss.backward()  # type: ignore[no-untyped-call]
        return loss.detach()


def rnnsearch(sizes: Sizes) -> RNNSearch:
    """Ours, whose end is never the likeliest word."""
    model = RNNSearch(
        source_vocabulary=sizes.vocabulary,
        target_vocabulary=sizes.vocabulary,
        word_size=sizes.size,
        state_size=sizes.size,
        hidden_size=sizes.readout,
    )
    bias = model.decoder.get_parameter("readout.to_words.bias")
    bias.data[MARKS.end] = NEVER
    return model


def against_eager(sizes: Sizes) -> tuple[Work, Work]:
    """A training step, either way."""
    words = Sentences(sizes)
    eager, ours = EagerTranslator(sizes.vocabulary, sizes.size), rnnsearch(sizes)
    return (
        lambda: words.train(eager, lambda: eager(words.source, words.target)),
        lambda: words.train(ours, lambda: ours(words.source, words.lengths, words.target)[0]),
    )


def against_joey(sizes: Sizes) -> tuple[Work, Work]:
    """A training step, either way."""
    words = Sentences(sizes)
    joey, ours = JoeyTranslator(sizes.vocabulary, sizes.size), rnnsearch(sizes)
    given = words.source, words.lengths, words.target
    return (
        lambda: words.train(joey.model, lambda: joey.logits(*given)),
        lambda: words.train(ours, lambda: ours(*given)[0]),
    )


def searching(sizes: Sizes, beams: int) -> tuple[Work, Work]:
    """The batch translated, ``length`` words to a sentence; greedily with one beam."""
    words = Sentences(sizes)
    joey, ours = JoeyTranslator(sizes.vocabulary, sizes.size), rnnsearch(sizes).eval()
    given = words.source, words.lengths
    decoder: Any = ours.decoder

    @torch.no_grad()
    def search() -> object:
        encoded = ours.encoder(*given)
        if beams == 1:
            return greedy(decoder, encoded, MARKS, longest=sizes.length)
        return beam(decoder, encoded, MARKS, longest=sizes.length, beams=beams)

    return lambda: joey.translate(*given, sizes.length, beams), search


def against_torch(sizes: Sizes, heads: int, layers: int, dropout: float) -> tuple[Work, Work]:
    """A training step of two Transformers with the same weights, inner size four times the size."""
    words = Sentences(sizes)
    ours = Transformer(
        source_vocabulary=sizes.vocabulary,
        target_vocabulary=sizes.vocabulary,
        size=sizes.size,
        heads=heads,
        inner_size=4 * sizes.size,
        layers=layers,
        dropout=dropout,
        longest=sizes.length,
    )
    theirs = TorchTranslator(ours, heads, layers, dropout)
    given = words.source, words.lengths, words.target
    return (
        lambda: words.train(theirs, lambda: theirs(*given)),
        lambda: words.train(ours, lambda: ours(*given)[0]),
    )


def joey_row(
    name: str,
    at_least: float,
    make: Callable[[], tuple[Work, Work]],
    environment: tuple[tuple[str, str], ...] = (),
) -> Comparison:
    """A row that is left out where JoeyNMT is not installed."""
    return Comparison(name, "JoeyNMT 2.3", make, at_least, environment=environment, needs="joeynmt")


# Freed memory is kept for the next step, as ``regard.training`` asks of the C library; both ways.
KEPT = (
    (
        "GLIBC_TUNABLES",
        "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=2147483647"
        ":glibc.malloc.top_pad=268435456",
    ),
)
SMALL = replace(FULL, size=256)
EAGER, TORCH = "eager PyTorch", "nn.Transformer"
TRAIN, GREEDY, BEAMS = (f"RNNSearch 512, {what}64x30" for what in ("", "greedy, ", "5 beams, "))
LESS = ", as many parameters as the peer"
COMPARISONS = [
    Comparison(TRAIN, EAGER, lambda: against_eager(FULL), at_least=1.9, environment=KEPT),
    joey_row(TRAIN, 1.1, lambda: against_joey(FULL), KEPT),
    joey_row(TRAIN + LESS, 1.1, lambda: against_joey(EVEN), KEPT),
    joey_row(f"{GREEDY}, inference", 2, lambda: searching(FULL, 1)),
    joey_row(f"{GREEDY}, inference{LESS}", 2, lambda: searching(EVEN, 1)),
    joey_row(f"{BEAMS}, inference", 2, lambda: searching(FULL, 5)),
    joey_row(f"{BEAMS}, inference{LESS}", 2, lambda: searching(EVEN, 5)),
    Comparison(
        "Transformer 256, 64x30", TORCH, lambda: against_torch(SMALL, 4, 3, 0.0), at_most=1.1
    ),
    Comparison(
        "Transformer 256, 64x30, dropout", TORCH, lambda: against_torch(SMALL, 4, 3, 0.1), None, 1.1
    ),
]
