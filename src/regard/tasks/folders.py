"""Where the data sets are, and whether their files are the right ones."""

import hashlib
import os
import sys
from pathlib import Path

from regard.tasks.checksums import CHECKSUMS

VARIABLE = "REGARD_DATA"
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


def data_folder(name: str, folder: str | Path | None = None) -> Path:
    """The folder of a data set: ``folder`` if given, else in REGARD_DATA, else in the cache.

    ``folder`` and REGARD_DATA hold the data sets, each in a folder of its name.
    """
    if name not in CHECKSUMS:
        raise ValueError(f"there is no data set {name!r}; there are {', '.join(CHECKSUMS)}")
    if folder is not None:
        base, origin = Path(folder), "the folder that was given"
    elif os.environ.get(VARIABLE):
        base, origin = Path(os.environ[VARIABLE]), f"the folder that {VARIABLE} names"
    else:
        base, origin = cache_folder(), "the cache"
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
    found, wanted = checksum(path), CHECKSUMS[name][file]
    if found != wanted:
        raise ValueError(
            f"{path} is not the file that it should be: its sha256 is {found}, not {wanted}; "
            f"delete it and fetch it again by: regard data get {name}"
        )
    return path


def checksum(path: Path) -> str:
    """The sha256 of a file, worked out once per process while the file stays as it is."""
    state = path.stat()
    key = path.resolve(), state.st_size, state.st_mtime_ns
    if key not in _KNOWN:
        with path.open("rb") as file:
            _KNOWN[key] = hashlib.file_digest(file, "sha256").hexdigest()
    return _KNOWN[key]
