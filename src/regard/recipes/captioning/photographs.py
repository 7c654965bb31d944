"""Photographs: a frozen network's features of them, worked out once and kept on disk."""

import hashlib
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from regard.recipes.captioning.data import Albums, CaptionData, check_number, example_number
from regard.recipes.knobs import Limits, knob, path_knob

if TYPE_CHECKING:
    from jaxtyping import UInt8
    from torch import Tensor, nn

    from regard.recipes.captioning.albums import Album
    from regard.recipes.captioning.teller import Shown
    from regard.shapes import Number
    from regard.tasks.captioned import Captioned, CaptionedSplit
    from regard.vision import EfficientNetGrid, FeatureCache

    Image = UInt8[Tensor, "3 height width"]

SIDE = 224  # pixels of what the network sees
CHANNELS = 1280  # of the features that it gives
MIRRORED = " mirrored"  # behind what the features of a mirror image are kept under


@dataclass(frozen=True)
class Photographs(CaptionData):
    """Captioned photographs of any size.

    A mirror image keeps the captions of its photograph, left and right among them.
    """

    name: ClassVar[str] = "photographs"

    views: int = knob(
        1, "views of a training image: 1 as it is, 2 its mirror image in turn", Limits(1, 3)
    )

    @abstractmethod
    def split(self) -> "CaptionedSplit":
        """The images and their captions."""

    @abstractmethod
    def key(self) -> str:
        """A name for the folder of the features: another one for other images."""

    def albums(self) -> Albums:
        split = self.split()
        tests = self.tests()  # what is wrong with them is said before anything is learned
        valid = self._album(split, split.valid)
        train = self._album(split, split.train, ("", MIRRORED)[: self.views])
        return Albums(train, valid, tests)

    def tested(self) -> "CaptionedSplit":
        """The images to test on, and where they are."""
        return self.split()

    def tests(self) -> "Mapping[str, Album]":
        split = self.tested()
        return {"test": self._album(split, split.test)}

    def examples(self) -> list[str]:
        return super().examples()[: len(self.tested().test)]

    def encoder(self, size: int, dropout: "Number") -> "nn.Module":
        from regard.models import FeatureGrid

        return FeatureGrid(CHANNELS, size, dropout=dropout)

    def read(self, name: str) -> "Shown":
        import torch

        from regard.recipes.captioning.albums import Given
        from regard.recipes.captioning.teller import Shown

        number = example_number(name)
        if number is None:
            image = _prepared(Path(name), name)
        else:
            split = self.tested()
            check_number(number, len(split.test))
            image = _prepared(split.pictures.read(split.test[number].name), name)
        network = _network()
        grid = network(image.unsqueeze(0)).reshape(1, *network.grid, -1)
        return Shown(image, Given(grid, torch.tensor([network.grid])))

    def _album(
        self, split: "CaptionedSplit", part: "Sequence[Captioned]", views: Sequence[str] = ("",)
    ) -> "Album":
        from regard.recipes.captioning.albums import FeatureAlbum

        keys = {each.name: _key(each.name, split) for each in part}
        names = {keys[each.name] + view: each.name for view in views for each in part}
        kept, left_out = _features(self.key(), split, names)
        told = [
            ([keys[each.name] + view for view in views], each.captions)
            for each in part
            if keys[each.name] + views[0] not in left_out
        ]
        if not told:
            parts = {"train on": split.train, "choose by": split.valid, "test on": split.test}
            empty = next((use for use, those in parts.items() if those is part), "use")
            raise ValueError(
                f"{self.name}: there is no image to {empty}; each of the three parts (train, val "
                "and test of a Karpathy JSON) needs one or more"
            )
        shown, captions = zip(*told, strict=True)
        return FeatureAlbum(shown, captions, kept)


@dataclass(frozen=True)
class Flickr8k(Photographs):
    """Flickr8k with its own splits."""

    name: ClassVar[str] = "flickr8k"
    tokens: ClassVar[str] = "all tokens of Flickr8k.token.txt in lower case, full stops among them"
    punctuated: ClassVar[bool] = True

    def split(self) -> "CaptionedSplit":
        from regard.tasks.captions import flickr8k

        return flickr8k()

    def key(self) -> str:
        return self.name


@dataclass(frozen=True)
class OwnPictures(Photographs):
    """A folder of images and a file of captions."""

    name: ClassVar[str] = "own pictures"

    captions: str = path_knob(
        "", "your captions: a TSV of image name and caption, or a Karpathy JSON"
    )
    images: str = path_knob("", "the folder with your images")
    test: tuple[str, ...] = path_knob(
        (), "captions to test on, instead of a tenth of yours, and their folder if it is another"
    )

    def tested(self) -> "CaptionedSplit":
        from regard.tasks.captions import read_test_captions

        if not self.test:
            return self.split()
        captions, images, *more = (*self.test, self.images)
        if len(more) > 1:
            raise ValueError(
                f"--test takes a file of captions and the folder of its images, but there are "
                f"{len(self.test)}: {', '.join(self.test)}"
            )
        return read_test_captions(captions, images)

    def split(self) -> "CaptionedSplit":
        from regard.tasks.captions import read_captions

        if not (self.captions and self.images):
            raise ValueError("give your captions and images: --captions FILE --images FOLDER")
        return read_captions(self.captions, self.images)

    def key(self) -> str:
        place = str(Path(self.images).resolve()).encode()
        return f"own-{hashlib.sha256(place).hexdigest()[:12]}"


def _prepared(data: "bytes | Path", name: str) -> "Image":
    """The middle of the image, as the network takes it."""
    from regard.tasks.images import centre_crop, open_image, to_tensor

    return to_tensor(centre_crop(open_image(data, name), SIDE, SIDE))


def _seen(image: "Image", key: str) -> "Image":
    """The view of the image whose features are kept under this key."""
    return image.flip(-1) if key.endswith(MIRRORED) else image


@cache
def _network() -> "EfficientNetGrid":
    from regard.vision import LAST, EfficientNetGrid

    return EfficientNetGrid(LAST)


def _key(name: str, split: "CaptionedSplit") -> str:
    """What features are kept under: another one when the file behind the name has changed."""
    return f"{name} {hashlib.sha256(split.pictures.read(name)).hexdigest()[:16]}"


def _features(
    folder_name: str, split: "CaptionedSplit", names: "Mapping[str, str]"
) -> "tuple[FeatureCache, set[str]]":
    """The features of these images, made where they are missing, and the images without any.

    ``names`` is what each is kept under, and its name.
    """
    import sys
    import warnings

    from tqdm import tqdm  # type: ignore[import-untyped]

    from regard.tasks import cache_folder
    from regard.vision import FeatureCache

    network = _network()
    folder = cache_folder().parent / "features" / f"{folder_name}-{SIDE}-{network.fingerprint}"
    kept = FeatureCache(folder, network.fingerprint)
    missing = [each for each in names if each not in kept]
    if not missing:
        return kept, set()
    with tqdm(total=len(missing), desc="features", unit="image", file=sys.stderr) as bar:
        left_out = kept.keep(
            missing,
            lambda each: _seen(_prepared(split.pictures.read(names[each]), names[each]), each),
            network,
            progress=lambda done, _: bar.update(done - bar.n),
        )
    for each in left_out:
        warnings.warn(f"{names[each.name]} is left out: {each.reason}", stacklevel=2)
    return kept, {each.name for each in left_out}
