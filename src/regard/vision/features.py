"""Features of images kept on disk: worked out once, then read in the training loop.

A folder holds pieces. Each is a ``.npy`` of float16, opened as a memory map, and a ``.json`` beside
it that says of which images and by which encoder; a piece is there when its ``.json`` is. Nothing
is shared between pieces, so processes that write to one folder need not wait for each other.
"""

import hashlib
import io
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy
import torch
from jaxtyping import Float, Float16
from torch import Tensor

from regard.files import write_whole

PIECE = 256  # images to a file: what an interruption can lose
Read = Callable[[str], Tensor]  # name -> uint8 (3, height, width)
Features = Float16[Tensor, "image cell channel"]


@runtime_checkable
class Encoder(Protocol):
    """What turns images ``(batch, 3, height, width)`` into features ``(batch, cell, channel)``."""

    @property
    def fingerprint(self) -> str:
        """Another one for every encoder that gives other features."""

    @property
    def grid(self) -> tuple[int, int]:
        """How many cells there are down and across."""

    @property
    def channels(self) -> int:
        """The size of the feature vector of a cell."""

    def __call__(self, images: Tensor) -> Tensor:
        """The features of some images."""


class LeftOut(NamedTuple):
    """An image that could not be read, and why."""

    name: str
    reason: str


class Piece(NamedTuple):
    """Some images and their features, which stay on the disk until they are read."""

    grid: tuple[int, int]
    digests: dict[str, str]  # name -> sha256 of the image's pixels, in the order of the features
    features: Features


class FeatureCache:
    """The features of named images by one encoder, in a folder.

    ``cache[name]`` is ``(cell, channel)``, ``cache.gather(names)`` is ``(image, cell, channel)``,
    both float32.
    """

    def __init__(self, folder: str | Path, fingerprint: str) -> None:
        self.folder = Path(folder)
        self.fingerprint = fingerprint
        self._pieces: dict[Path, Piece] = {}
        self._rows: dict[str, Tensor] = {}
        self._digests: dict[str, str] = {}
        self._look()

    @property
    def grid(self) -> tuple[int, int]:
        """How many cells there are down and across."""
        return self._first().grid

    @property
    def channels(self) -> int:
        """The size of the feature vector of a cell."""
        return self._first().features.shape[-1]

    @property
    def names(self) -> list[str]:
        """The images that are kept."""
        return list(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def __getitem__(self, name: str) -> Float[Tensor, "cell channel"]:
        return self.gather([name])[0]

    def gather(self, names: Sequence[str]) -> Float[Tensor, "image cell channel"]:
        """The features of some images, in the order of their names."""
        missing = [name for name in names if name not in self._rows]
        if missing and not self._look().issuperset(missing):
            raise KeyError(
                f"{str(self.folder)!r} has no features of {missing[:3]}, only of "
                f"{len(self)} other images; call keep with these names first"
            )
        if not names:
            return torch.empty(0, self._first().features.shape[1], self.channels)
        return torch.stack([self._rows[name] for name in names]).float()

    def keep(
        self,
        names: Sequence[str],
        read: Read,
        encoder: Encoder,
        batch: int = 16,
        progress: Callable[[int, int], None] | None = None,
        part: tuple[int, int] = (0, 1),
    ) -> list[LeftOut]:
        """Work out the features that are missing, and say which images were left out and why.

        An image is left out where ``read`` raises ValueError. Every 256 images are written in one
        move: an interrupted call loses those under way, and the next one goes on from there.
        ``progress`` is told how many images are done and of how many. Two processes share the work
        by ``part=(0, 2)`` and ``part=(1, 2)``, with the same names in the same order.
        """
        if batch < 1:
            raise ValueError(f"batch must be at least 1, but is {batch}")
        self._check_encoder(encoder.fingerprint, "the encoder given to keep")
        self.folder.mkdir(parents=True, exist_ok=True)
        share, known = list(dict.fromkeys(names))[_slice(part)], self._look()
        missing = [name for name in share if name not in known]
        left_out: list[LeftOut] = []
        done = 0
        for some in _chunks(missing, PIECE):
            images: dict[str, str] = {}
            found: list[Tensor] = []
            for chunk in _chunks(some, batch):
                pixels = _read_all(chunk, read, images, left_out)
                found += [_encode(pixels, encoder)] if pixels else []
                done += len(chunk)
                if progress is not None:
                    progress(done, len(missing))
            if found:
                self._write(images, torch.cat(found), encoder.grid)
        self._look()
        return left_out

    def changed(self, names: Sequence[str], read: Read) -> list[str]:
        """Those of the kept images whose pixels are no longer those that their features are of."""
        self._look()
        return [
            name for name in names if name in self and _digest(read(name)) != self._digests[name]
        ]

    def _write(self, digests: dict[str, str], features: Features, grid: tuple[int, int]) -> None:
        """Write a piece: the features first, so that what names them names something whole."""
        about = {
            "fingerprint": self.fingerprint,
            "grid": list(grid),
            "channels": features.shape[-1],
            "images": digests,
        }
        content = json.dumps(about, indent=1) + "\n"
        path = self.folder / hashlib.sha256(content.encode()).hexdigest()[:16]
        packed = io.BytesIO()
        numpy.save(packed, features.numpy(), allow_pickle=False)
        write_whole(path.with_suffix(".npy"), packed.getvalue())
        write_whole(path.with_suffix(".json"), content.encode())

    def _look(self) -> set[str]:
        """Open the pieces that were written since, by whatever process, and name all images."""
        for path in sorted(self.folder.glob("*.json")):
            if path not in self._pieces:
                piece = self._open(path)
                self._pieces[path] = piece
                self._digests |= piece.digests
                self._rows |= dict(zip(piece.digests, piece.features, strict=True))
        return set(self._rows)

    def _open(self, path: Path) -> Piece:
        try:
            about = json.loads(path.read_text(encoding="utf-8"))
            made_by = str(about["fingerprint"])
            grid, channels = tuple(about["grid"]), int(about["channels"])
            digests = dict(about["images"])
            shape = len(digests), grid[0] * grid[1], channels
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise ValueError(
                f"{str(path)!r} is cut short or not what keep wrote: {error!r}; {_remedy(path)}"
            ) from error
        self._check_encoder(made_by, "the encoder that made the features there")
        return Piece(grid, digests, _map(path.with_suffix(".npy"), shape))

    def _check_encoder(self, fingerprint: str, owner: str) -> None:
        if fingerprint != self.fingerprint:
            raise ValueError(
                f"the cache in {str(self.folder)!r} was opened for the encoder with fingerprint "
                f"{self.fingerprint!r}, but {owner} has {fingerprint!r}, so their features differ; "
                "give each encoder a folder of its own, or delete the older folder"
            )

    def _first(self) -> Piece:
        if not self._pieces and not self._look():
            raise ValueError(f"{str(self.folder)!r} holds no features yet; call keep first")
        return next(iter(self._pieces.values()))


def _slice(part: tuple[int, int]) -> slice:
    index, of = part
    if not 0 <= index < of:
        raise ValueError(
            f"part must be (index, of) with index from 0 to of - 1, but is {part}; two processes "
            "take (0, 2) and (1, 2)"
        )
    return slice(index, None, of)


def _chunks(names: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (names[start : start + size] for start in range(0, len(names), size))


def _read_all(
    names: Sequence[str], read: Read, digests: dict[str, str], left_out: list[LeftOut]
) -> list[Tensor]:
    """The images that can be read; their digests and those left out go into the lists."""
    images: list[Tensor] = []
    for name in names:
        try:
            image = read(name)
        except ValueError as error:
            left_out.append(LeftOut(name, str(error)))
            continue
        if image.dtype != torch.uint8 or image.dim() != 3:
            raise TypeError(
                "read must give a uint8 tensor (3, height, width), but gave "
                f"{image.dtype} {tuple(image.shape)} for {name!r}"
            )
        images.append(image)
        digests[name] = _digest(image)
    return images


def _digest(image: Tensor) -> str:
    return hashlib.sha256(image.contiguous().numpy().tobytes()).hexdigest()


def _encode(images: list[Tensor], encoder: Encoder) -> Features:
    shapes = {tuple(image.shape) for image in images}
    if len(shapes) > 1:
        raise TypeError(f"read must give images of one size, but gave {sorted(shapes)}")
    with torch.no_grad():
        features = encoder(torch.stack(images))
    cells = encoder.grid[0] * encoder.grid[1]
    if features.shape != (len(images), cells, encoder.channels):
        raise ValueError(
            f"the encoder must give ({len(images)}, {cells}, {encoder.channels}), as its grid and "
            f"channels say, but gave {tuple(features.shape)}"
        )
    halved = features.to("cpu", torch.float16)
    if not halved.isfinite().all():
        raise ValueError(
            "features are kept as float16, up to 65504, but the encoder gave up to "
            f"{features.abs().max().item():.4g}; scale them down"
        )
    return halved


def _map(path: Path, shape: tuple[int, ...]) -> Features:
    """A file's features as a tensor over a memory map; what is written to it stays in memory."""
    wanted = f"float16 {shape}"
    try:
        array: Any = numpy.load(path, mmap_mode="c", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ValueError(
            f"{str(path)!r} is missing, cut short or not what keep wrote ({error}), but must hold "
            f"{wanted}; {_remedy(path)}"
        ) from error
    if array.dtype != numpy.float16 or array.shape != shape:
        raise ValueError(
            f"{str(path)!r} holds {array.dtype} {array.shape}, but must hold {wanted}; "
            f"{_remedy(path)}"
        )
    return torch.from_numpy(array)


def _remedy(path: Path) -> str:
    return (
        f"delete {path.with_suffix('.json').name!r} and {path.with_suffix('.npy').name!r}, and "
        "keep works them out again"
    )
