"""Captioners: a step of training, captions found, and what hard attention costs beside soft.

Annotations are given, as those of a frozen network are: 196 cells of width 512, captions of 20
words, 32 images, a vocabulary of 8,000. Weights are untrained, and the end is never likeliest.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from caption_peer import EagerCaptioner
from measuring import Comparison, Work
from regard import Attention
from regard.blends import Blend, Pick, WeightedSum
from regard.models import Captioner, Encoded, Marks, beam, greedy
from regard.models.images import as_encoded
from regard.normalisers import Hard, Normaliser, Softmax
from regard.scores import Additive

IMAGES, ROWS, SIZE, WORDS, VOCABULARY = 32, 14, 512, 20, 8_000
MARKS = Marks(begin=2, end=3)
NEVER = -100.0  # a score by which the end is never chosen


class AsGiven(nn.Module):
    """An encoder of what is encoded already."""

    def forward(self, annotations: Tensor, sizes: Tensor) -> Encoded:
        """The cells as they are."""
        there = torch.ones(len(annotations), 1, annotations.shape[1], dtype=torch.bool)
        return as_encoded(annotations, there, (ROWS, ROWS))


def captioner(normaliser: Normaliser, blend: Blend) -> Captioner:
    """Ours, all sizes alike."""
    look = Attention(Additive(query_size=SIZE, key_size=SIZE, hidden_size=SIZE), normaliser, blend)
    model = Captioner(
        AsGiven(),
        look,
        vocabulary=VOCABULARY,
        annotation_size=SIZE,
        word_size=SIZE,
        state_size=SIZE,
    )
    model.decoder.get_parameter("readout.to_words.bias").data[MARKS.end] = NEVER
    return model


def soft() -> Captioner:
    """With the expected context."""
    return captioner(Softmax(), WeightedSum())


def drawn() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Annotations, their sizes, words and the words that follow."""
    torch.manual_seed(0)
    words, following = torch.randint(4, VOCABULARY, (2, IMAGES, WORDS)).unbind()
    sizes = torch.full((IMAGES, 2), ROWS)
    return torch.randn(IMAGES, ROWS * ROWS, SIZE).relu(), sizes, words, following


def training() -> tuple[Work, Work]:
    """Forward, cross-entropy and backward."""
    annotations, sizes, words, following = drawn()
    eager, ours = EagerCaptioner(VOCABULARY, SIZE), soft()

    def learn(model: nn.Module, logits: Tensor) -> Tensor:
        model.zero_grad()
        loss = cross_entropy(logits.flatten(0, 1), following.flatten())
        loss.backward()  # type: ignore[no-untyped-call]
        return loss.detach()

    return (
        lambda: learn(eager, eager(annotations, words)),
        lambda: learn(ours, ours(annotations, sizes, words)[0]),
    )


def telling(beams: int) -> tuple[Work, Work]:
    """20 words for each of 32 images; the peer always greedily."""
    annotations, sizes, _, _ = drawn()
    eager, ours = EagerCaptioner(VOCABULARY, SIZE).eval(), soft().eval()

    @torch.no_grad()
    def search() -> object:
        encoded = ours.encoder(annotations, sizes)
        if beams == 1:
            return greedy(ours.decoder, encoded, MARKS, longest=WORDS)
        return beam(ours.decoder, encoded, MARKS, longest=WORDS, beams=beams)

    return lambda: eager.greedy(annotations, MARKS.begin, WORDS), search


def hard_beside_soft() -> tuple[Work, Work]:
    """The same captioner: every cell blended into the context, or one cell picked."""
    annotations, sizes, _, _ = drawn()
    models = soft().eval(), captioner(Hard(), Pick()).eval()

    def tell(model: Captioner) -> object:
        with torch.no_grad():
            encoded = model.encoder(annotations, sizes)
            return greedy(model.decoder, encoded, MARKS, longest=WORDS)

    return lambda: tell(models[0]), lambda: tell(models[1])


EAGER = "eager PyTorch"
COMPARISONS = [
    Comparison("Captioner 512, 32x196x20", EAGER, training, at_least=2),
    Comparison("Captioner, 32 images, greedy, inference", EAGER, lambda: telling(1), at_least=2),
    Comparison("Captioner, 32 images, 5 beams, inference", "eager PyTorch, greedy",
               lambda: telling(5)),
    Comparison("Captioner, hard: 1 of 196 cells read a word, inference", "soft: all 196",
               hard_beside_soft),
]  # fmt: skip
