"""Where the data sets are, and whether their files are the right ones."""

import gzip
import hashlib
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Generator
from pathlib import Path
from typing import IO, Any, NamedTuple

from regard.tasks.checksums import CHECKSUMS

VARIABLE = "REGARD_DATA"
PIECE = 65_536  # bytes that are read at once
Pieces = Generator[bytes, None, None]
PACKED: dict[str, Callable[..., IO[Any]]] = {".gz": gzip.open, ".xz": lzma.open}
_KNOWN: dict[tuple[Path, int, int], str] = {}  # path, size, time of change -> sha256


def cache_folder() -> Path:
    """The user's cache, which ``regard data get`` fills."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "regard" / "data"


class Place(NamedTuple):
    """A folder that holds data sets, each in a folder of its name, and why it is that one."""

    path: Path
    origin: str


def place(folder: str | Path | None = None) -> Place:
    """Where the data sets are: in ``folder`` if given, else in REGARD_DATA, else in the cache."""
    if folder is not None:
        return Place(Path(folder), "the folder that was given")
    if os.environ.get(VARIABLE):
        return Place(Path(os.environ[VARIABLE]), f"the folder that {VARIABLE} names")
    return Place(cache_folder(), "the cache")


def check_name(name: str) -> None:
    """Refuse a data set that nobody knows."""
    if name not in CHECKSUMS:
        raise ValueError(f"there is no data set {name!r}; there are {', '.join(CHECKSUMS)}")


def data_folder(name: str, folder: str | Path | None = None) -> Path:
    """The folder of a data set; ``place`` says where it is looked for."""
    check_name(name)
    base, origin = place(folder)
    if not (base / name).is_dir():
        raise ValueError(
            f"the data set {name} is not in {base} ({origin}); fetch it by: regard data get {name}"
            f" (or let {VARIABLE} name a folder that has {name}/ in it)"
        )
    return base / name


def data_file(name: str, file: str, folder: str | Path | None = None) -> Path:
    """A file of a data set, its checksum compared the first time that it is used."""
    path = data_folder(name, folder) / file
    if file not in CHECKSUMS[name]:
        raise ValueError(
            f"the data set {name} has no file {file!r}; it has {', '.join(CHECKSUMS[name])}"
        )
    if not path.is_file():
        raise ValueError(f"there is no file {path}; fetch it by: regard data get {name}")
    wanted = CHECKSUMS[name][file]
    try:
        found = checksum(path)
    except ValueError as wrong:
        raise ValueError(f"{wrong}; fetch it again by: regard data get {name}") from wrong
    if found != wanted:
        raise ValueError(
            f"{path} is not the file that it should be: its sha256 is {found}, not {wanted}; "
            f"fetch it again by: regard data get {name}"
        )
    return path


def checksum(path: Path) -> str:
    """The sha256 of what a file holds, worked out once per process while the file stays."""
    state = path.stat()
    key = path.resolve(), state.st_size, state.st_mtime_ns
    if key not in _KNOWN:
        digest = hashlib.sha256()
        for piece in unpacked(path):
            digest.update(piece)
        _KNOWN[key] = digest.hexdigest()
    return _KNOWN[key]


def unpacked(path: Path) -> Pieces:
    """What a file holds, piece by piece, unpacked where its name ends in ``.gz`` or ``.xz``."""
    try:
        with PACKED.get(path.suffix, open)(path, "rb") as file:
            while piece := file.read(PIECE):
                yield piece
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as wrong:
        raise ValueError(
            f"{path} cannot be unpacked as its ending {path.suffix} says ({wrong}); it is cut "
            "short or damaged"
        ) from wrong
