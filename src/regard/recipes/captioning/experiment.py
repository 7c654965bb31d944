"""A captioner and its album, as the loop sees them."""

from collections import defaultdict
from collections.abc import Sequence
from random import Random

import torch
from torch import nn

from regard.metrics import caption_bleu, exact
from regard.models import Captioner
from regard.normalisers import Normaliser
from regard.recipes.captioning.albums import Album
from regard.recipes.captioning.lessons import CaptionBatch, Lesson
from regard.recipes.captioning.teller import Teller
from regard.tasks import BEGIN, END, Encoding
from regard.training import Experiment, Loss

LONGEST = 40  # words of a caption in training; longer ones are cut


class Taught(nn.Module):
    """A captioner, and what its lesson remembers: checkpoints keep both."""

    def __init__(self, captioner: Captioner, lesson: Lesson) -> None:
        super().__init__()
        self.captioner = captioner
        self.lesson = lesson


class Batches(Sequence[CaptionBatch]):
    """Batches whose images are fetched when they are asked for."""

    def __init__(self, album: Album, items: Sequence[Sequence[tuple[int, list[int]]]]) -> None:
        self._album = album
        self._items = items

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, number: int) -> CaptionBatch:  # type: ignore[override]
        places, captions = zip(*self._items[number], strict=True)
        given = self._album.given(places)
        words = torch.tensor([[BEGIN, *caption] for caption in captions])
        following = torch.tensor([[*caption, END] for caption in captions])
        boxes = torch.zeros(*words.shape, 4, dtype=torch.long)
        for row, place in enumerate(places):
            for word, box in enumerate(self._album.boxes(place)):
                if box is not None:
                    boxes[row, word] = torch.tensor(box)
        return CaptionBatch(given.inputs, given.sizes, words, following, boxes)


class Telling(Experiment[CaptionBatch]):
    """Captions of equal length to a batch, judged by what is said freely of validation images."""

    model: Taught
    higher_is_better = True

    def __init__(
        self,
        taught: Taught,
        teller: Teller,
        train: Album,
        valid: Album,
        *,
        batch: int,
        seed: int,
        telling: Normaliser | None = None,
    ) -> None:
        self.model = taught
        self.teller = teller
        self.telling = telling or taught.captioner.normaliser
        self.train_album = train
        self.valid_album = valid
        self.items = _items(train, teller.words)
        self.batch = batch
        self.seed = seed
        self.selected_by = "exact" if teller.data.one_is_right else "BLEU-4"

    def epoch(self, number: int) -> Sequence[CaptionBatch]:
        """Every caption once, those of one length together."""
        random = Random(f"{self.seed}/{number}")
        by_length = defaultdict(list)
        for item in self.items:
            by_length[len(item[1])].append(item)
        batches = []
        for alike in by_length.values():
            random.shuffle(alike)
            batches += [
                alike[start : start + self.batch] for start in range(0, len(alike), self.batch)
            ]
        random.shuffle(batches)
        self.model.lesson.epoch = number
        return Batches(self.train_album.in_epoch(number), batches)

    @property
    def ready(self) -> bool:
        return self.model.lesson.ready

    def loss(self, batch: CaptionBatch) -> Loss:
        device = next(self.model.parameters()).device
        there = CaptionBatch(*(part.to(device) for part in batch))
        loss: Loss = self.model.lesson(self.model.captioner, there)
        return loss

    def validate(self) -> dict[str, float]:
        trained_by = self.model.captioner.normaliser
        self.model.captioner.tell_by(self.telling)
        try:
            said = [told.words for told in self.teller.tell(self.valid_album)]
        finally:
            self.model.captioner.tell_by(trained_by)
        wanted = self.valid_album.captions
        if self.selected_by == "exact":
            return {"exact": 100 * exact(said, [captions[0] for captions in wanted])}
        scores = caption_bleu(said, wanted)
        named = {f"BLEU-{order}": score for order, score in enumerate(scores, 1)}
        return {self.selected_by: named[self.selected_by], **named}


def _items(album: Album, words: Encoding) -> list[tuple[int, list[int]]]:
    return [
        (place, words.encode(caption)[:LONGEST])
        for place, captions in enumerate(album.captions)
        for caption in captions
    ]
