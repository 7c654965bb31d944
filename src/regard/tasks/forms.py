"""How what upstream gives becomes what a file holds.

Members of archives are read, never extracted: no path of an archive is ever written to.
"""

import io
import tarfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile

from regard.tasks.folders import PIECE, Pieces

MOST_MEMBERS = 1_000  # of an archive that are looked at
LARGEST_MEMBER = 16_000_000  # bytes of each member that are taken over into another archive


class Form(ABC):
    """How what upstream gives becomes what a file holds."""

    @abstractmethod
    def read(self, upstream: Path) -> Pieces:
        """What the file shall hold, piece by piece; ValueError if it is not in ``upstream``."""


@dataclass(frozen=True)
class Plain(Form):
    """Upstream has the file unpacked."""

    def read(self, upstream: Path) -> Pieces:
        with upstream.open("rb") as file:
            while piece := file.read(PIECE):
                yield piece


@dataclass(frozen=True)
class TarMember(Form):
    """Upstream has the file in a tar archive, in whichever folder of it."""

    member: str

    def read(self, upstream: Path) -> Pieces:
        with _tar(upstream) as archive:
            for member in _files(archive):
                if PurePosixPath(member.name).name != self.member:
                    continue
                found = archive.extractfile(member)
                while found is not None and (piece := found.read(PIECE)):
                    yield piece
                return
            raise ValueError(f"the archive has no file {self.member}")


@dataclass(frozen=True)
class TarMembers(Form):
    """Upstream has a tar archive with more in it than the one that is kept.

    What is kept is the same to the last bit whoever makes it: these members and no others, in this
    order, their folders before them, all of one date and of nobody. ``members`` are paths.
    """

    members: tuple[str, ...]
    modified: int  # seconds since 1970

    def read(self, upstream: Path) -> Pieces:
        found: dict[str, bytes] = {}
        with _tar(upstream) as archive:
            for member in _files(archive):
                if member.name in self.members and member.size <= LARGEST_MEMBER:
                    content = archive.extractfile(member)
                    found[member.name] = b"" if content is None else content.read()
        missing = [member for member in self.members if member not in found]
        if missing:
            raise ValueError(f"the archive has no file {missing[0]}")
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for entry in self._entries():
                content_of = found.get(entry.name)
                if content_of is not None:
                    entry.size = len(content_of)
                archive.addfile(entry, None if content_of is None else io.BytesIO(content_of))
        yield packed.getvalue()

    def _entries(self) -> Iterator[tarfile.TarInfo]:
        """A header for each folder, before what is in it, and for each file."""
        told = set()
        for member in self.members:
            for folder in [*PurePosixPath(member).parents][-2::-1]:
                if folder not in told:
                    yield self._entry(str(folder), tarfile.DIRTYPE, 0o755)
                told.add(folder)
            yield self._entry(member, tarfile.REGTYPE, 0o644)

    def _entry(self, name: str, kind: bytes, mode: int) -> tarfile.TarInfo:
        entry = tarfile.TarInfo(name)
        entry.type, entry.mode, entry.mtime = kind, mode, self.modified
        return entry


@dataclass(frozen=True)
class ZipMember(Form):
    """Upstream has the file in a zip archive, in whichever folder of it."""

    member: str

    def read(self, upstream: Path) -> Pieces:
        try:
            with ZipFile(upstream) as archive:
                for member in archive.infolist()[:MOST_MEMBERS]:
                    inside = PurePosixPath(member.filename)
                    if inside.name == self.member and "__MACOSX" not in inside.parts:
                        with archive.open(member) as found:
                            while piece := found.read(PIECE):
                                yield piece
                        return
        except (BadZipFile, EOFError, zlib.error, OSError, NotImplementedError) as wrong:
            raise ValueError(f"it cannot be read as a zip archive ({wrong})") from wrong
        raise ValueError(f"the archive has no file {self.member}")


@contextmanager
def _tar(upstream: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(upstream) as archive:
            yield archive
    except (tarfile.TarError, EOFError, zlib.error, OSError) as wrong:
        raise ValueError(f"it cannot be read as a tar archive ({wrong})") from wrong


def _files(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    for _, member in zip(range(MOST_MEMBERS), archive, strict=False):
        if member.isreg():
            yield member
