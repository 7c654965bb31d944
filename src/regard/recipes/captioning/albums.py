"""Images with their captions, as a captioner is taught them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Int, Num
from torch import Tensor

from regard.tasks.pairs import Words
from regard.tasks.scenes import Scene
from regard.vision import FeatureCache

Box = tuple[int, int, int, int]


class Given(NamedTuple):
    """What an encoder is given of some images."""

    inputs: Num[Tensor, "batch ..."]
    sizes: Int[Tensor, "batch 2"]


class Album(ABC):
    """Images by their place in a list, each with one caption or more."""

    captions: Sequence[Sequence[Words]]

    def __len__(self) -> int:
        return len(self.captions)

    @abstractmethod
    def given(self, places: Sequence[int]) -> Given:
        """What an encoder is given of the images at these places."""

    def in_epoch(self, number: int) -> "Album":
        """The album as it is seen in an epoch, counted from 1."""
        return self

    def boxes(self, place: int) -> "Sequence[Box | None]":
        """For each word of the only caption the box of the thing that it names, where known."""
        return ()


class SceneAlbum(Album):
    """Drawn scenes: the encoder is given the pixels."""

    def __init__(self, scenes: Sequence[Scene]) -> None:
        self.scenes = scenes
        self.captions = [(scene.words,) for scene in scenes]

    def given(self, places: Sequence[int]) -> Given:
        images = torch.stack([self.scenes[place].image for place in places])
        return Given(images, torch.tensor([image.shape[-2:] for image in images]))

    def boxes(self, place: int) -> Sequence[Box | None]:
        return self.scenes[place].boxes


class FeatureAlbum(Album):
    """Images whose features were worked out beforehand: a cache and the names of the images.

    An image may have several views, each with a name; the first is shown, and in training one after
    the other, each image beginning with another than the one before it.
    """

    def __init__(
        self,
        views: Sequence[Sequence[str]],
        captions: Sequence[Sequence[Words]],
        features: FeatureCache,
        epoch: int = 0,
    ) -> None:
        self.views = views
        self.captions = captions
        self.features = features
        self.epoch = epoch

    def in_epoch(self, number: int) -> "FeatureAlbum":
        return FeatureAlbum(self.views, self.captions, self.features, number)

    def name(self, place: int) -> str:
        """What the features that are shown of an image are kept under."""
        views = self.views[place]
        return views[(place + self.epoch) % len(views)] if self.epoch else views[0]

    def given(self, places: Sequence[int]) -> Given:
        found = self.features.gather([self.name(place) for place in places])
        rows, columns = self.features.grid
        sizes = torch.tensor([[rows, columns]]).expand(len(found), -1)
        return Given(found.reshape(len(found), rows, columns, -1), sizes)
