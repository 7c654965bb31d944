"""A trained captioner at work: images in, captions out, and where each word looked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, UInt8
from torch import Tensor

from regard.models import Captioner, Encoded, Marks, Written, beam, sample
from regard.recipes.captioning.albums import Album, Given
from regard.recipes.captioning.data import CaptionData
from regard.tasks import BEGIN, END, PADDING, Encoding
from regard.viewing import PictureSheet

MARKS = Marks(BEGIN, END)
SILENT = (PADDING, BEGIN)  # what a poor model may write, and nobody reads
TOGETHER = 64  # images that are told side by side
LONGEST = 30  # words of a caption

Search = Callable[..., list[Written]]


@dataclass(frozen=True)
class Told:
    """A caption, with everything that a picture of it needs."""

    words: tuple[str, ...]
    weights: Float[Tensor, "word row column"]  # where each word looked
    log_probability: float = 0.0
    trouble: str = ""  # why there is no caption

    def __str__(self) -> str:
        return " ".join(self.words)

    def remarks(self) -> list[str]:
        """What a reader should know about this caption."""
        return [self.trouble] if self.trouble else []

    def to_json(self) -> dict[str, Any]:
        """As plain data, with the weights as lists."""
        return {
            "output": str(self),
            "words": list(self.words),
            "weights": [
                [[round(weight, 5) for weight in row] for row in look]
                for look in self.weights.tolist()
            ],
            "log_probability": round(self.log_probability, 4),
            "trouble": self.trouble,
        }


class Shown(NamedTuple):
    """An image as a person sees it and as the encoder is given it."""

    image: UInt8[Tensor, "3 height width"]
    given: Given


class Teller:
    """A captioner with its words; call it with the name of an image."""

    names_files = True  # its inputs are files, not lines of text

    def __init__(
        self, model: Captioner, words: Encoding, data: CaptionData, search: Search = beam
    ) -> None:
        self.model = model
        self.words = words
        self.data = data
        self.search = search

    def __call__(self, name: str) -> Told:
        """The caption of one image; raises where it cannot be read."""
        return self._tell(self.data.read(name).given)[0]

    def lines(self, names: Sequence[str]) -> Iterator[Told]:
        """The captions of many images in their order; one that cannot be read stops no other."""
        for start in range(0, len(names), TOGETHER):
            yield from self._lines(names[start : start + TOGETHER])

    def _lines(self, names: Sequence[str]) -> list[Told]:
        found: dict[int, Told] = {}
        read: dict[int, Given] = {}
        for place, name in enumerate(names):
            try:
                read[place] = self.data.read(name).given
            except ValueError as problem:
                found[place] = Told((), torch.zeros(0, 1, 1), trouble=str(problem))
        if read:
            given = Given(*(torch.cat(parts) for parts in zip(*read.values(), strict=True)))
            found |= zip(read, self._tell(given), strict=True)
        return [found[place] for place in range(len(names))]

    def tell(self, album: Album) -> list[Told]:
        """The captions of all images of an album."""
        found: list[Told] = []
        for start in range(0, len(album), TOGETHER):
            places = range(start, min(start + TOGETHER, len(album)))
            found += self._tell(album.given(places))
        return found

    def sampling(self, temperature: float, seed: int) -> "Teller":
        """The same captioner, drawing its words."""
        torch.manual_seed(seed)
        return self.searching(partial(sample, temperature=temperature))

    def searching(self, search: Search) -> "Teller":
        """The same captioner, finding its words in another way."""
        return Teller(self.model, self.words, self.data, search)

    def sheet(self, name: str) -> PictureSheet:
        """The image once for each word of its caption, and where that word looked."""
        shown = self.data.read(name)
        told = self._tell(shown.given)[0]
        if not told.words:
            raise ValueError(
                f"{name}: the model says nothing about it, so there is nothing to draw"
            )
        chosen = told.weights.flatten(1).argmax(dim=-1) if self.model.chooses else None
        return PictureSheet(str(told), shown.image, told.words, told.weights, chosen)

    @torch.no_grad()
    def encode(self, given: Given) -> Encoded:
        """What the encoder makes of some images, in evaluation mode."""
        device = next(self.model.parameters()).device
        was_training = self.model.training
        if was_training:
            self.model.eval()
        try:
            encoded: Encoded = self.model.encoder(given.inputs.to(device), given.sizes.to(device))
            return encoded
        finally:
            if was_training:
                self.model.train()

    def _tell(self, given: Given) -> list[Told]:
        encoded = self.encode(given)
        rows, columns = encoded.grid or (1, encoded.annotations.shape[1])
        found = self.search(self.model.decoder, encoded, MARKS, longest=LONGEST)
        return [self._told(written, rows, columns) for written in found]

    def _told(self, written: Written, rows: int, columns: int) -> Told:
        """The words, each with its look; marks that say nothing are dropped with theirs."""
        said = torch.tensor([number not in SILENT for number in written.words], dtype=torch.bool)
        weights = written.weights.cpu()[said].reshape(-1, rows, columns)
        return Told(self.words.decode(written.words), weights, written.log_probability)
