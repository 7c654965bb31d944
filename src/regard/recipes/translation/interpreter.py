"""A trained translator at work: sentences in, sentences out, and what each word looked at."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.models import Encoded, Marks, Translator, Written, beam, sample
from regard.recipes.translation.data import Data
from regard.tasks import BEGIN, END, UNKNOWN, Batch, Encoding, Pair, collate
from regard.viewing import Sheet

MARKS = Marks(BEGIN, END)
TOGETHER = 64  # sentences that are translated side by side

Search = Callable[..., list[Written]]


@dataclass(frozen=True)
class Translated:
    """A translation, with everything that a picture of it needs."""

    text: str
    numbers: tuple[int, ...]  # the entries that were written, the end left out
    words: tuple[str, ...]  # of the translation, not in pieces
    source_labels: tuple[str, ...]  # entries that were read, unknown ones as typed, the end last
    target_labels: tuple[str, ...]  # the entries that were written
    weights: Float[Tensor, "target source"]  # what each entry saw when it was written
    log_probability: float
    unknown: tuple[str, ...]  # words of the source that training never saw
    trouble: ClassVar[str] = ""  # any text can be translated

    def __str__(self) -> str:
        return self.text

    @property
    def aligned(self) -> bool:
        """Whether there was a choice of source entries to look at."""
        return self.weights.shape[1] == len(self.source_labels)

    def remarks(self) -> list[str]:
        """What a reader should know about this translation."""
        if not self.unknown:
            return []
        return [f"never seen in training, so read as unknown: {', '.join(self.unknown)}"]

    def to_json(self) -> dict[str, Any]:
        """As plain data, with the weights as lists."""
        return {
            "output": self.text,
            "source": list(self.source_labels),
            "target": list(self.target_labels),
            "weights": [[round(weight, 5) for weight in row] for row in self.weights.tolist()],
            "log_probability": round(self.log_probability, 4),
            "unknown": list(self.unknown),
        }


class Interpreter:
    """A translator with the entries of its two languages; call it with a sentence."""

    names_files = False

    def __init__(
        self,
        model: Translator,
        source: Encoding,
        target: Encoding,
        data: Data,
        search: Search = beam,
    ) -> None:
        self.model = model
        self.source = source
        self.target = target
        self.data = data
        self.search = search

    def __call__(self, text: str) -> Translated:
        """The translation of one sentence."""
        if not isinstance(text, str):
            raise TypeError(
                f"give one sentence as text, but it is a {type(text).__name__}; many sentences go "
                "through lines([...])"
            )
        return self.translate([self.data.to_words(text)])[0]

    def lines(self, texts: Sequence[str]) -> Iterator[Translated]:
        """The translations of many sentences, in their order, some at a time."""
        for start in range(0, len(texts), TOGETHER):
            some = texts[start : start + TOGETHER]
            yield from self.translate([self.data.to_words(text) for text in some])

    def translate(self, sentences: Sequence[Sequence[str]]) -> list[Translated]:
        """Sentences in words; those of one length are worked on together.

        How long a translation may grow follows from the length, so none depends on its neighbours.
        """
        numbers = [self.numbers(words) for words in sentences]
        found: dict[int, Translated] = {}
        for places in _by_length(numbers):
            several = self._search([numbers[place] for place in places])
            for place, written in zip(places, several, strict=True):
                found[place] = self._put(sentences[place], numbers[place], written)
        return [found[place] for place in range(len(sentences))]

    def sampling(self, temperature: float, seed: int) -> "Interpreter":
        """The same translator, drawing its words."""
        torch.manual_seed(seed)
        return self.searching(partial(sample, temperature=temperature))

    def searching(self, search: Search) -> "Interpreter":
        """The same translator, finding its words in another way."""
        return Interpreter(self.model, self.source, self.target, self.data, search)

    def sheet(self, text: str) -> Sheet:
        """Every weight of a translation: one map, or one for each layer and head."""
        found = self(text)
        words = self.data.to_words(text)
        looks = self.looks([(self.numbers(words), found.numbers)])
        columns = found.source_labels if found.aligned else ("the whole sentence",)
        rows = (*found.target_labels, *self.target.labels([END]))
        title = f"{text} \N{RIGHTWARDS ARROW} {found.text}"
        return Sheet(title, looks[0], rows, columns, remarks=found.remarks())

    @torch.no_grad()
    def looks(
        self, pairs: Sequence[tuple[Sequence[int], Sequence[int]]]
    ) -> Float[Tensor, "batch *maps target source"]:
        """What every entry of given translations saw, and the end last."""
        batch = collate(pairs)
        encoded = encode(self.model, batch)
        _, looks = self.model.decoder(encoded, batch.target_in.to(encoded.annotations.device))
        maps: Tensor = self.model.decoder.maps(looks)  # type: ignore[operator]
        return maps.cpu()

    def numbers(self, words: Sequence[str]) -> list[int]:
        """A source sentence as the model reads it, with its end."""
        return [*self.source.encode(words), END]

    def pair(self, pair: Pair) -> tuple[list[int], list[int]]:
        """A pair of sentences as the model reads and writes it."""
        return self.numbers(pair.source), self.target.encode(pair.target)

    def vectors(self, sentences: Sequence[Sequence[str]]) -> Float[Tensor, "sentence size"]:
        """Each sentence as one vector: the mean of its annotations."""
        found = []
        for start in range(0, len(sentences), TOGETHER):
            numbers = [self.numbers(words) for words in sentences[start : start + TOGETHER]]
            encoded = encode(self.model, collate([(row, ()) for row in numbers]))
            there = encoded.mask.mT.to(encoded.annotations.dtype)
            found.append((encoded.annotations * there).sum(dim=1) / there.sum(dim=1))
        return torch.cat(found).cpu()

    def _search(self, numbers: Sequence[Sequence[int]]) -> list[Written]:
        encoded = encode(self.model, collate([(row, ()) for row in numbers]))
        longest = 2 * len(numbers[0]) + 10
        return self.search(self.model.decoder, encoded, MARKS, longest=longest)

    def _put(self, sentence: Sequence[str], numbers: Sequence[int], written: Written) -> Translated:
        written_numbers = written.words if sentence else []  # nothing in, nothing out
        words = self.target.decode(written_numbers)
        unknown = [word for word in sentence if UNKNOWN in self.source.encode([word])]
        as_typed = iter(unknown)
        read = [
            next(as_typed, label) if number == UNKNOWN else label
            for number, label in zip(numbers, self.source.labels(numbers), strict=True)
        ]
        return Translated(
            self.data.to_text(words),
            tuple(written_numbers),
            words,
            tuple(read),
            tuple(self.target.labels(written_numbers)),
            written.weights[: len(written_numbers), : len(numbers)].cpu(),
            written.log_probability if sentence else 0.0,
            tuple(dict.fromkeys(unknown)),
        )


def _by_length(numbers: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The places of the sentences of one length after the other, not too many at once."""
    places: dict[int, list[int]] = {}
    for place, row in enumerate(numbers):
        places.setdefault(len(row), []).append(place)
    for alike in places.values():
        for start in range(0, len(alike), TOGETHER):
            yield alike[start : start + TOGETHER]


def encode(model: nn.Module, batch: Batch) -> Encoded:
    """What the encoder makes of a batch, on the model's device and without gradients."""
    device = next(model.parameters()).device
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            encoded: Encoded = model.encoder(  # type: ignore[operator]
                batch.source.to(device), batch.source_lengths.to(device)
            )
            return encoded
    finally:
        model.train(was_training)
