"""Fetch data sets, check what is there, list what there is.

A file gets its name only after its checksum was compared, so that no half and no wrong file is
ever found under it; until then it is a ``.part-...`` beside it, removed on any error and on Ctrl-C.
"""

import hashlib
import os
import secrets
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import quote

from regard.tasks.checksums import CHECKSUMS
from regard.tasks.downloading import (
    FetchError,
    FolderError,
    Progress,
    check_address,
    download,
    writing,
)
from regard.tasks.folders import PACKED, Pieces, check_name, checksum, place, unpacked
from regard.tasks.forms import Form
from regard.tasks.sources import SOURCES, ByHand, File

MIRROR = "REGARD_MIRROR"
PART = ".part-"
MARGIN = 65_536  # bytes that a download may be longer than what its files hold
ABANDONED = 86_400.0  # seconds after which a part belongs to nobody


class FileState(NamedTuple):
    """A file of a data set: as it should be, something else, or not there."""

    file: str
    state: Literal["right", "wrong", "missing"]
    path: Path


class Listed(NamedTuple):
    """A data set, and how much of it is here; ``folder`` is None if nothing is."""

    name: str
    title: str
    licence: str
    homepage: str
    size: int  # bytes on the disk, when all files are here
    files: int
    here: int  # files that are here, their checksums not compared
    folder: Path | None


def listing(folder: str | Path | None = None) -> list[Listed]:
    """Every data set, and whether it is in ``folder`` (``place`` says where if none is given)."""
    rows = []
    for name, source in SOURCES.items():
        where = place(folder).path / name
        here = sum((where / file.name).is_file() for file in source.files)
        facts = source.title, source.licence, source.homepage, source.size, len(source.files)
        rows.append(Listed(name, *facts, here, where if here else None))
    return rows


def check(name: str, folder: str | Path | None = None) -> list[FileState]:
    """The state of every file of a data set, all checksums compared."""
    check_name(name)
    where = place(folder).path / name
    return [_state(file, where / file, wanted) for file, wanted in CHECKSUMS[name].items()]


def fetch(
    name: str,
    into: str | Path | None = None,
    mirror: str | None = None,
    progress: Progress | None = None,
) -> Path:
    """Get the files of a data set that are missing or wrong; gives the folder they are in.

    They go where they are looked for: into ``into`` if given, else into REGARD_DATA if set, else
    into the cache, in a folder of the data set's name. ``mirror`` (else REGARD_MIRROR) is the
    address of such a folder of data sets on another server: all files come from there instead,
    as they are kept. ``progress`` is told the file, its bytes so far, and in all where known.
    """
    wanted = [found.file for found in check(name, into) if found.state != "right"]
    folder = place(into).path / name
    if not wanted:
        return folder
    files = [file for file in SOURCES[name].files if file.name in wanted]
    addresses, by_hand = _addresses(name, files, mirror or os.environ.get(MIRROR) or None)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder)
    for url, forms in addresses.items():
        try:
            _get(url, forms, folder, progress)
        except FolderError:
            raise
        except FetchError as wrong:
            raise FetchError(
                f"{wrong}; try later, let {MIRROR} name a server that has {name}/, or put "
                f"{_names(forms)} into {folder} by hand ({SOURCES[name].homepage} has more)"
            ) from wrong
    if by_hand:
        raise FetchError(
            "; ".join(f"no address gives {file}: {steps}" for file, steps in by_hand.items())
            + f"; put it into {folder}, or let {MIRROR} name a server that has {name}/ with it in; "
            f"all other files of {name} are there and can be used"
        )
    return folder


def _state(file: str, path: Path, wanted: str) -> FileState:
    if not path.is_file():
        return FileState(file, "missing", path)
    try:
        return FileState(file, "right" if checksum(path) == wanted else "wrong", path)
    except ValueError:  # it cannot even be unpacked
        return FileState(file, "wrong", path)


def _addresses(
    name: str, files: list[File], mirror: str | None
) -> tuple[dict[str, dict[File, Form | None]], dict[str, str]]:
    """The addresses to ask and what each is good for, and what has to be done by hand."""
    addresses: dict[str, dict[File, Form | None]] = defaultdict(dict)
    by_hand = {}
    if mirror is not None:
        check_address(mirror)
    for file in files:
        if mirror is not None:
            addresses[f"{mirror.rstrip('/')}/{name}/{quote(file.name)}"][file] = None
        elif isinstance(file.origin, ByHand):
            by_hand[file.name] = file.origin.steps
        else:
            addresses[file.origin.url][file] = file.origin.form
    return addresses, by_hand


def _get(url: str, forms: dict[File, Form | None], folder: Path, progress: Progress | None) -> None:
    """Download one address and make of it every file that it is good for."""
    upstream = _part(folder, next(iter(forms)))
    try:
        download(url, upstream, sum(file.size for file in forms) + MARGIN, progress)
        for file, form in forms.items():
            try:
                _keep(file, upstream, form, folder)
            except FolderError:
                raise
            except ValueError as wrong:
                raise FetchError(f"{url} does not give {file.name} ({wrong})") from wrong
    finally:
        upstream.unlink(missing_ok=True)


def _keep(file: File, upstream: Path, form: Form | None, folder: Path) -> None:
    """Bring what was downloaded into the form that is kept, compare it, and give it its name."""
    part = upstream if form is None else _part(folder, file)
    try:
        if form is not None:
            with writing(folder), PACKED.get(part.suffix, open)(part, "xb") as packed:
                for piece in _at_most(file.size, form.read(upstream)):
                    packed.write(piece)
        digest = hashlib.sha256()
        for piece in _at_most(file.size, unpacked(part)):
            digest.update(piece)
        wanted = CHECKSUMS[folder.name][file.name]
        if digest.hexdigest() != wanted:
            raise ValueError(f"the sha256 is {digest.hexdigest()}, not {wanted}")
        with writing(folder):
            part.replace(folder / file.name)
    finally:
        part.unlink(missing_ok=True)


def _at_most(size: int, pieces: Pieces) -> Iterator[bytes]:
    """The pieces, as long as they do not exceed what a file holds: nothing unpacks without end."""
    seen = 0
    with closing(pieces):
        for piece in pieces:
            seen += len(piece)
            if seen > size:
                raise ValueError(f"it holds more than the {size} bytes that it should")
            yield piece


def _part(folder: Path, file: File) -> Path:
    """A name that no other process uses, with the ending that says how the file is packed."""
    return folder / f"{PART}{secrets.token_hex(4)}-{file.name}"


def _sweep(folder: Path) -> None:
    """Remove the parts of processes that were killed."""
    for part in folder.glob(f"{PART}*"):
        with suppress(FileNotFoundError):  # another process has just finished with it
            if time.time() - part.stat().st_mtime > ABANDONED:
                part.unlink()


def _names(files: Iterable[File]) -> str:
    return " and ".join(file.name for file in files)
