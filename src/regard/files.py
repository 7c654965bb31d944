"""Files that appear whole or not at all, and stay when the power goes."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from uuid import uuid4

UNFINISHED = ".unfinished"


@contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that appears at ``path`` when all is written, and not at all after a failure.

    It is written beside its place, under a name that no other process uses, and then moved there;
    a failure leaves the older file as it was.
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {str(path.parent)!r} to save {path.name!r} in")
    unfinished = path.with_name(f".{path.name}.{uuid4().hex}{UNFINISHED}")
    try:
        with unfinished.open("xb") as file:
            yield file
            _settle_file(file)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    settle(path.parent)


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in its place in one move; a failure leaves the older one as it was."""
    with whole(path) as file:
        file.write(content)


def write_durably(path: Path, content: bytes) -> None:
    """Write a file and wait until the disk has it."""
    with path.open("wb") as file:
        file.write(content)
        _settle_file(file)


def settle(folder: Path) -> None:
    """Wait until the disk knows what files a folder has; systems other than POSIX do so alone."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _settle_file(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())
