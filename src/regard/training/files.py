"""Files that appear whole or not at all, and stay when the power goes."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

UNFINISHED = ".unfinished"


def write_durably(path: Path, content: bytes) -> None:
    """Write a file and wait until the disk has it."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def settle(folder: Path) -> None:
    """Wait until the disk knows what files a folder has; systems other than POSIX do so alone."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in its place in one move; a failure leaves the older one as it was."""
    unfinished = path.with_name(f".{path.name}{UNFINISHED}")
    try:
        write_durably(unfinished, content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    settle(path.parent)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep other processes from training in a folder; a killed process lets go by itself."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with (folder / ".held").open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(
                f"another process is training in {str(folder)!r} at this moment; wait for it or "
                "stop it, then try again"
            ) from None
        yield
