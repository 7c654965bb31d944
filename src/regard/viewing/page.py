"""One self-contained HTML page of attention maps: no network, nothing to install, any browser."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from regard.files import whole
from regard.viewing.assembling import assemble, in_letters
from regard.viewing.packing import FULL, Packed, Precision, fit, written
from regard.viewing.sheets import Sheet

MOST_BYTES = 2_000_000
MODULES = ("weights.js", "drawing.js", "view.js", "chart.js", "grid.js", "page.js")  # imports first
DIGITS = 0.0005  # the most that writing four digits changes a number, as a share of itself


def write_page(
    path: str | Path,
    sheets: Sequence[Sheet],
    *,
    title: str = "Attention",
    most_bytes: int = MOST_BYTES,
) -> Path:
    """Write the maps of one or more sentences into one HTML file, and return its path.

    The file needs no network and appears whole or not at all. See ``page`` for what is in it.
    """
    path = Path(path)
    if path.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"a page is saved as .html, but the name is {path.name!r}")
    text = page(sheets, title=title, most_bytes=most_bytes)
    with whole(path) as file:
        file.write(text.encode("ascii"))
    return path


def page(sheets: Sequence[Sheet], *, title: str = "Attention", most_bytes: int = MOST_BYTES) -> str:
    """Put the maps of one or more sentences into an HTML page of less than ``most_bytes``.

    Sentences are stored as float32. Where that is too much, weights lose digits, and where that is
    not enough, only the largest are stored; the page says which, and shows the others as less than
    a bound, never as a wrong number. Small sheets keep all when a large one beside them cannot.
    """
    if not sheets:
        raise ValueError("a page shows one sheet or more, but there is none")
    empty = _assemble(
        title, [_describe(sheet, Packed([], Precision(FULL), 1.0)) for sheet in sheets]
    )
    room = most_bytes - len(empty) - 400 * len(sheets)  # the rest: notes, which differ in length
    packed: dict[int, Packed] = {}
    for place in sorted(range(len(sheets)), key=lambda place: sheets[place].weights.numel()):
        found = fit(sheets[place].maps, room // (len(sheets) - len(packed)))
        if found is None:
            raise ValueError(
                f"the sheet {sheets[place].title!r} has {math.prod(sheets[place].grid)} maps of "
                f"{' x '.join(map(str, sheets[place].weights.shape[-2:]))}, of which not even the "
                f"largest weight of each row fits into a page of {most_bytes:,} bytes; take fewer "
                "sheets, layers or heads, or a larger most_bytes"
            )
        packed[place] = found
        room -= sum(map(written, found.maps))
    return _assemble(title, [_describe(sheet, packed[at]) for at, sheet in enumerate(sheets)])


def _describe(sheet: Sheet, packed: Packed) -> dict[str, Any]:
    """What the page knows of one sheet."""
    precision = packed.precision
    height, width = sheet.weights.shape[-2:]
    return {
        "title": sheet.title,
        "rows": None if sheet.rows is None else list(sheet.rows),
        "columns": None if sheet.columns is None else list(sheet.columns),
        "height": height,
        "width": width,
        "axes": list(sheet.axes),
        "reading": sheet.reading,
        "arrow": sheet.arrow,
        "grid": list(sheet.grid),
        "bits": precision.bits,
        "least": precision.least,
        "tolerance": _tolerance(precision),
        "note": _note(packed),
        "highest": sheet.weights.max().item(),
        "maps": [in_letters(one) for one in packed.maps],
    }


def _tolerance(precision: Precision) -> str:
    """How far a number that is shown may be from the weight, rounded up; empty if not at all."""
    if precision.bits == FULL:
        return ""
    return f"{_upwards(100 * (precision.tolerance + DIGITS), 1)} %"


def _upwards(number: float, digits: int) -> str:
    """Write a number that must not be understated, rounded up."""
    step = 10.0 ** (math.floor(math.log10(number)) - digits + 1)
    return f"{math.ceil(number / step) * step:.{digits}g}"


def _note(packed: Packed) -> str:
    precision = packed.precision
    if precision.bits == FULL:
        return "Every weight is stored as float32 and shown to four digits."
    if precision.least == 0:
        return f"Every weight is stored, true to within {_tolerance(precision)} of itself."
    share = math.floor(1000 * packed.share) / 10
    return (
        f"Stored are the weights from {_upwards(precision.threshold, 2)} up and the largest of "
        f"each row: {share:.1f} % of all weight, each true to within {_tolerance(precision)} of "
        "itself. The smaller weights are not stored: their cells are blue, and show a number that "
        "they are below."
    )


def _assemble(title: str, sheets: list[dict[str, Any]]) -> str:
    data = {"title": title, "sheets": sheets}
    return assemble("page.html", data, styles=("page.css",), modules=MODULES)
