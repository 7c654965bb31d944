"""One process at a time in a folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
