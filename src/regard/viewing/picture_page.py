"""One self-contained HTML page of pictures and where their captions looked, word by word."""

import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Int16, UInt8
from torch import Tensor

from regard.files import whole
from regard.viewing.assembling import assemble, in_letters
from regard.viewing.packing import FULL, encode, pack
from regard.viewing.pictures import BLUR, LEAST_BLUR, OPACITY, PictureSheet

STYLES = ("page.css", "pictures.css")
MODULES = ("weights.js", "pictures.js")  # imports first
EVERY = 0  # the code from which on a weight is stored


def write_picture_page(
    path: str | Path, sheets: Sequence[PictureSheet], title: str = "Captions"
) -> Path:
    """Write pictures and where their captions looked into one HTML file, and return its path.

    The file needs no network and appears whole or not at all. See ``picture_page`` for what is in
    it.
    """
    path = Path(path)
    if path.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"a page is saved as .html, but the name is {path.name!r}")
    text = picture_page(sheets, title)
    with whole(path) as file:
        file.write(text.encode("ascii"))
    return path


def picture_page(sheets: Sequence[PictureSheet], title: str = "Captions") -> str:
    """Put pictures into an HTML page that shows where the word that is pointed at looked.

    Every pixel and every weight, as float32, is in the page. A photograph of 224 x 224 pixels takes
    about 0.1 megabytes, so make large pictures smaller before.
    """
    if not sheets:
        raise ValueError("a page shows one sheet or more, but there is none")
    return _assemble(title, [_describe(sheet) for sheet in sheets])


def png(image: UInt8[Tensor, "3 height width"]) -> bytes:
    """Write an image as a PNG file, with nothing but zlib.

    Portable Network Graphics, third edition, W3C 2025. https://www.w3.org/TR/png-3/
    Of the five filters, each line takes the one that leaves the smallest numbers (section 12.7).
    """
    pixels = image.detach().cpu().permute(1, 2, 0).numpy().astype(np.int16)
    height, width, _ = pixels.shape
    filtered = (pixels - _guesses(pixels)).astype(np.uint8)  # kind height width colour, modulo 256
    sizes = np.abs(filtered.view(np.int8).astype(np.int16)).sum(axis=(2, 3))
    kinds = sizes.argmin(axis=0)
    lines = filtered[kinds, np.arange(height)].reshape(height, -1)
    data = np.concatenate([kinds.astype(np.uint8)[:, None], lines], axis=1).tobytes()
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # eight bits, red green blue
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(data, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + name + content + struct.pack(">I", _check(name, content))
        for name, content in chunks
    )


def _check(name: bytes, content: bytes) -> int:
    return zlib.crc32(content, zlib.crc32(name))


def _guesses(
    pixels: Int16[np.ndarray, "height width 3"],
) -> Int16[np.ndarray, "5 height width 3"]:
    """What each filter expects at each pixel: nothing, left, above, their mean, or Paeth's."""
    before = np.pad(pixels, ((1, 0), (1, 0), (0, 0)))
    left, above, corner = before[1:, :-1], before[:-1, 1:], before[:-1, :-1]
    slope = left + above - corner
    far_left, far_above, far_corner = (abs(slope - one) for one in (left, above, corner))
    nearest = np.where(far_above <= far_corner, above, corner)
    paeth = np.where((far_left <= far_above) & (far_left <= far_corner), left, nearest)
    return np.stack([np.zeros_like(pixels), left, above, (left + above) // 2, paeth])


def _describe(sheet: PictureSheet) -> dict[str, Any]:
    """What the page knows of one sheet."""
    _, rows, columns = sheet.weights.shape
    maps = [pack(encode(one.numpy(), FULL), EVERY) for one in sheet.maps]
    return {
        "title": sheet.title,
        "words": list(sheet.words),
        "png": in_letters(png(sheet.image)),
        "size": list(sheet.image.shape[1:]),
        "height": rows,
        "width": columns,
        "bits": FULL,
        "least": EVERY,
        "maps": [in_letters(one) for one in maps],
        "chosen": None if sheet.chosen is None else sheet.chosen.tolist(),
        "boxes": None if sheet.boxes is None else [box and list(box) for box in sheet.boxes],
    }


def _assemble(title: str, sheets: list[dict[str, Any]]) -> str:
    look = {"opacity": OPACITY, "blur": BLUR, "leastBlur": LEAST_BLUR}
    data = {"title": title, "look": look, "sheets": sheets}
    images = "img-src data:; "
    return assemble("pictures.html", data, styles=STYLES, modules=MODULES, allowed=images)
