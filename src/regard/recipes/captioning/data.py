"""Where images and captions come from, as knobs."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from regard.recipes.knobs import COUNT, NOT_NEGATIVE, knob

if TYPE_CHECKING:
    from torch import nn

    from regard.recipes.captioning.albums import Album
    from regard.recipes.captioning.teller import Shown
    from regard.shapes import Number
    from regard.tasks.scenes import Scene

EXAMPLE = "#"  # before the number of a test image, where a name of a file is expected
TESTED = 1_000  # scenes to test on
VALIDATED = 500
CELL = 8  # pixels along a side of what an annotation of ``ConvolutionalGrid`` stands for


class Albums(NamedTuple):
    """Images to learn from, to choose by, and to report."""

    train: "Album"
    valid: "Album"
    tests: "Mapping[str, Album]"


@dataclass(frozen=True)
class CaptionData(ABC):
    """Captioned images, and the encoder that is given them."""

    name: ClassVar[str]
    one_is_right: ClassVar[bool] = False  # whether just one caption of an image is right
    tokens: ClassVar[str] = "lower case, tokens without a letter or digit dropped"
    punctuated: ClassVar[bool] = False  # whether full stops and commas are words of a caption
    has_boxes: ClassVar[bool] = False  # whether it is known where the thing is that a word names

    @abstractmethod
    def albums(self) -> Albums:
        """All images and their captions."""

    @abstractmethod
    def tests(self) -> "Mapping[str, Album]":
        """The test sets alone."""

    @abstractmethod
    def encoder(self, size: int, dropout: "Number") -> "nn.Module":
        """What makes annotations of these images, freshly drawn."""

    @abstractmethod
    def read(self, name: str) -> "Shown":
        """The image of a file, or the test image of a number, as ``#3``."""

    def examples(self) -> list[str]:
        """A few images that the model was not trained on."""
        return [f"{EXAMPLE}{number}" for number in range(6)]


@dataclass(frozen=True)
class DrawnScenes(CaptionData):
    """Scenes that are drawn on the spot; nothing is downloaded."""

    name: ClassVar[str] = "scenes"
    one_is_right: ClassVar[bool] = True
    has_boxes: ClassVar[bool] = True

    scenes: int = knob(80_000, "training scenes that are drawn", COUNT)
    pixels: int = knob(64, "height and width of a scene, a multiple of 8", COUNT)
    data_seed: int = knob(1, "seed of the scenes; the test set hangs on it, too", NOT_NEGATIVE)

    def __post_init__(self) -> None:
        if self.pixels % CELL:  # boxes and pictures would be off by the part of a cell
            raise ValueError(
                f"a cell of the grid is {CELL} x {CELL} pixels, so a scene has a multiple of "
                f"{CELL}, but --pixels is {self.pixels}"
            )

    def albums(self) -> Albums:
        from regard.recipes.captioning.albums import SceneAlbum
        from regard.tasks.scenes import split_scenes

        made = split_scenes(self.scenes, VALIDATED, TESTED, self.data_seed, self.pixels)
        train, valid, test = map(SceneAlbum, made)
        return Albums(train, valid, {"test": test})

    def tests(self) -> "Mapping[str, Album]":
        from regard.recipes.captioning.albums import SceneAlbum

        return {"test": SceneAlbum(self._test())}

    def encoder(self, size: int, dropout: "Number") -> "nn.Module":
        from regard.models import ConvolutionalGrid

        return ConvolutionalGrid(size, dropout=dropout)

    def read(self, name: str) -> "Shown":
        import torch

        from regard.recipes.captioning.albums import Given
        from regard.recipes.captioning.teller import Shown
        from regard.tasks.images import centre_crop, open_image, to_tensor

        number = example_number(name)
        if number is not None:
            check_number(number, TESTED)
            image = self._test(number + 1)[number].image
        else:
            opened = open_image(Path(name), name)
            image = to_tensor(centre_crop(opened, self.pixels, self.pixels))
        return Shown(image, Given(image.unsqueeze(0), torch.tensor([[self.pixels] * 2])))

    def _test(self, count: int | None = None) -> "list[Scene]":
        from regard.tasks.scenes import split_scenes

        return split_scenes(
            0, 0, TESTED if count is None else count, self.data_seed, self.pixels
        ).test


def example_number(name: str) -> int | None:
    """The number of a test image that a name as ``#3`` means; None for the name of a file."""
    digits = name.removeprefix(EXAMPLE)
    return int(digits) if name != digits and digits.isdecimal() else None


def check_number(number: int, count: int) -> None:
    """Raise where there is no test image of this number."""
    from regard.tasks.images import ImageError

    if number >= count:
        raise ImageError(
            f"{EXAMPLE}{number}: there are {count} test images, {EXAMPLE}0 to {EXAMPLE}{count - 1}"
        )
