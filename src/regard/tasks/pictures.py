"""Where the files of images are: in a folder, or packed into arrays."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Pictures(ABC):
    """Where the files of images are; what is in them is decoded by ``open_image``."""

    @abstractmethod
    def read(self, name: str) -> bytes:
        """The bytes of an image's file; ValueError if there is no such image."""


class FolderPictures(Pictures):
    """Images in a folder and its folders, named by their path within it."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise ValueError(f"there is no folder {self.folder}; name the one with the images")

    def read(self, name: str) -> bytes:
        if not self.has(name):
            raise ValueError(f"there is no image {self.path(name)}")
        return self.path(name).read_bytes()

    def has(self, name: str) -> bool:
        """Whether there is such a file; one whose name is too long for a file is not there."""
        try:
            return self.path(name).is_file()
        except OSError:
            return False

    def path(self, name: str) -> Path:
        """The image's file; a name that may lead out of the folder is refused."""
        kinds = PurePosixPath(name), PureWindowsPath(name)
        if not name or any(kind.anchor or ".." in kind.parts for kind in kinds):
            raise ValueError(
                f"an image is named by its path within {self.folder}, with no .. in it, but a "
                f"name is {name!r}"
            )
        return self.folder / name


class PackedPictures(Pictures):
    """Images whose files stand one after the other in arrays, as Flickr8k is kept here.

    Each ``.npz`` file has ``data``, the bytes; ``names``; and ``offsets``, where each begins and,
    one more than there are names, where the last ends.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        import numpy

        self._bytes: dict[str, NDArray[numpy.uint8]] = {}
        for path in paths:
            with numpy.load(path, allow_pickle=False) as arrays:
                data, offsets = arrays["data"], arrays["offsets"].tolist()
                names = arrays["names"].tolist()
            for name, begin, end in zip(names, offsets[:-1], offsets[1:], strict=True):
                self._bytes[name] = data[begin:end]

    def read(self, name: str) -> bytes:
        if name not in self._bytes:
            near = get_close_matches(name, self._bytes)
            raise ValueError(
                f"there is no image {name!r} among {len(self._bytes)}"
                + (f"; near it are {', '.join(near)}" if near else "")
            )
        return self._bytes[name].tobytes()
