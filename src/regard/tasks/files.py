"""The user's own pairs: a table with a tab between the columns, or two files line by line.

Every error is a ValueError that names the file, the line, what is wrong and what would work.
"""

import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from pathlib import Path

from regard.tasks.pairs import Pair

OPENERS: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.decompress, ".xz": lzma.decompress}
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_pairs(path: str | Path, target: str | Path | None = None) -> list[Pair]:
    """Pairs from one table (source, tab, target), or from a source and a target file."""
    return read_table(path) if target is None else read_parallel(path, target)


def read_table(path: str | Path, columns: tuple[int, int] | None = None) -> list[Pair]:
    """Pairs from a table with tabs: source and target, nothing else.

    ``columns`` picks the source's and the target's column, counted from 0, out of a table with
    more of them, or swaps the two.
    """
    path = Path(path)
    pairs = []
    for number, line in enumerate(read_lines(path), 1):
        cells = line.split("\t")
        if columns is None and len(cells) != 2:
            raise ValueError(
                f"{path}, line {number}: {_counted(len(cells))} instead of two; each line "
                "is a source sentence, one tab and its translation"
                + ("" if len(cells) > 1 else " (or give the two languages as two files)")
            )
        if columns is not None and len(cells) <= max(columns):
            raise ValueError(
                f"{path}, line {number}: {_counted(len(cells))}, but columns "
                f"{columns[0] + 1} and {columns[1] + 1} are wanted"
            )
        source, target = (cells[column] for column in columns or (0, 1))
        for side, text in (("source", source), ("target", target)):
            if not text.strip():
                raise ValueError(
                    f"{path}, line {number}: the {side} sentence is empty; fill it, or delete "
                    "the line"
                )
        pairs.append(Pair(tuple(source.split()), tuple(target.split())))
    return pairs


def read_parallel(source: str | Path, target: str | Path) -> list[Pair]:
    """Pairs from two files: line 1 of one belongs to line 1 of the other, and so on."""
    sources, targets = read_lines(source), read_lines(target)
    if len(sources) != len(targets):
        raise ValueError(
            f"{source} has {len(sources)} lines, but {target} has {len(targets)}; line by line "
            "they must be translations of each other"
        )
    return [
        Pair(tuple(first.split()), tuple(second.split()))
        for first, second in zip(sources, targets, strict=True)
    ]


def read_lines(path: str | Path, *, blank: bool = False) -> list[str]:
    """The lines of a text file; ``.gz`` and ``.xz`` are unpacked.

    None of them may be empty, unless ``blank`` lines are wanted, too.
    """
    path = Path(path)
    lines = list(_decoded(path, _content(path)))
    if not any(map(str.strip, lines)):
        raise ValueError(f"{path} is empty; it needs one sentence on each line")
    for number, line in enumerate(lines, 1):
        if not blank and not line.strip():
            raise ValueError(
                f"{path}, line {number}: the line is empty; each line needs a sentence, so fill "
                "it or delete it (in parallel files on both sides)"
            )
    return lines


def _decoded(path: Path, content: bytes) -> Iterator[str]:
    rows = content.removeprefix(BYTE_ORDER_MARK).split(b"\n")
    for number, row in enumerate(rows if rows[-1] else rows[:-1], 1):
        try:
            line = row.decode("utf-8").removesuffix("\r")
        except UnicodeDecodeError as wrong:
            raise ValueError(
                f"{path}, line {number}: byte {wrong.start + 1} of the line "
                f"(0x{row[wrong.start]:02x}) is not UTF-8; save the file as UTF-8, for example "
                f"by iconv -f ENCODING -t UTF-8 with the encoding that it has now"
            ) from wrong
        yield line


def _content(path: Path) -> bytes:
    """The bytes of a file, unpacked by its ending."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder; name a file in it")
    if not path.exists():
        raise ValueError(f"there is no file {path}{_near(path)}")
    unpack = OPENERS.get(path.suffix.lower(), bytes)
    try:
        return unpack(path.read_bytes())
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as wrong:
        raise ValueError(
            f"{path} cannot be unpacked as its ending {path.suffix} says ({wrong}); it may be cut "
            "short or not be packed at all"
        ) from wrong


def _near(path: Path) -> str:
    """The names in the same folder that look like the one asked for."""
    if not path.parent.is_dir():
        return f", nor the folder {path.parent}"
    names = get_close_matches(path.name, [entry.name for entry in path.parent.iterdir()])
    return f"; its folder has {', '.join(sorted(names))}" if names else ""


def _counted(columns: int) -> str:
    return "one column" if columns == 1 else f"{columns} columns"
