"""Images from files of any common kind, made alike: upright, red, green and blue, eight bits.

Whatever is wrong with a file is an ``ImageError`` that names the image, so that one bad file among
thousands is found. Needs the extra ``pip install "regard[vision]"``.
"""

import io
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, BinaryIO

import torch
from jaxtyping import UInt8
from torch import Tensor

if TYPE_CHECKING:
    import PIL.Image

MOST_PIXELS = 50_000_000  # of an image, by its header: 150 MB once decoded
# What is opened; some others would start another program to be decoded.
FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM")
SIXTEEN_BITS = 65_535
RGB = "RGB"


class ImageError(ValueError):
    """An image cannot be used; says which, and what is wrong with it."""


def open_image(data: bytes | Path, name: str) -> "PIL.Image.Image":
    """The image in a file or in its bytes, in RGB, turned as its EXIF data says.

    Grey, palette, CMYK and 16-bit images are converted, transparent ones laid over white; of a
    moving image it is the first frame. ``name`` is what errors call the image. An image whose
    header says more than MOST_PIXELS is refused before it is decoded.
    """
    module = _pillow()
    with _opened(data, name) as file:
        try:
            image = module.open(file, formats=FORMATS)
        except module.UnidentifiedImageError as wrong:
            raise ImageError(
                f"{name} is not an image that can be read: it is none of {', '.join(FORMATS)}, or "
                "its header is damaged, or it has no pixels"
            ) from wrong
        except (module.DecompressionBombError, module.DecompressionBombWarning) as wrong:
            raise ImageError(
                f"{name} is too large: more than {MOST_PIXELS} pixels in all; make it smaller"
            ) from wrong
        except Exception as wrong:  # decoders raise whatever they stumble over
            raise ImageError(f"{name} cannot be opened ({_told(wrong)})") from wrong
        with image:
            _check_size(image, name)
            return _upright(image, name)


def to_tensor(image: "PIL.Image.Image") -> UInt8[Tensor, "3 height width"]:
    """An RGB image as a tensor, from 0 to 255."""
    import numpy

    if image.mode != RGB:
        raise ValueError(
            f"the image must be in RGB, as open_image gives it, but its mode is {image.mode}"
        )
    return torch.from_numpy(numpy.array(image)).permute(2, 0, 1).contiguous()


def centre_crop(image: "PIL.Image.Image", size: int, shorter: int) -> "PIL.Image.Image":
    """The middle square of ``size`` pixels of the image whose shorter side became ``shorter``.

    Show, Attend and Tell, Xu et al. 2015, takes 224 of 256. https://arxiv.org/abs/1502.03044
    Bicubic, in one step: only the square is resized, so that a very long image costs no more, and
    its middle is not rounded to a whole pixel.
    """
    if not 1 <= size <= shorter:
        raise ValueError(
            "size must be from 1 to shorter, the length of the shorter side that it is cut out "
            f"of, but size={size} and shorter={shorter}"
        )
    module = _pillow()
    side = min(image.size) * size / shorter
    left, top = ((length - side) / 2 for length in image.size)
    box = (left, top, left + side, top + side)
    return image.resize((size, size), module.Resampling.BICUBIC, box=box)


def _opened(data: bytes | Path, name: str) -> AbstractContextManager[BinaryIO]:
    """The file, or a file of the bytes; an ImageError where there is nothing."""
    if not name.strip():
        raise ImageError("an empty name is no file of an image; name one")
    if isinstance(data, bytes):
        size = len(data)
    elif data.is_file():
        size = data.stat().st_size
    else:
        kind = "a folder" if data.is_dir() else "missing"
        raise ImageError(f"{name}: the file {data} is {kind}; name the file of an image")
    if size == 0:
        raise ImageError(f"{name} is empty: its file has no bytes")
    try:
        return io.BytesIO(data) if isinstance(data, bytes) else data.open("rb")
    except OSError as wrong:
        raise ImageError(f"{name} cannot be read ({_told(wrong)})") from wrong


def _check_size(image: "PIL.Image.Image", name: str) -> None:
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise ImageError(
            f"{name} is too large: {width} x {height} pixels, more than {MOST_PIXELS} in all; make "
            "it smaller"
        )


def _upright(image: "PIL.Image.Image", name: str) -> "PIL.Image.Image":
    """Decode, turn and convert."""
    from PIL import ImageOps

    try:
        image.load()
        turned = ImageOps.exif_transpose(image)
        return _coloured(_eight_bits(turned, name))
    except ImageError:
        raise
    except Exception as wrong:  # decoders raise whatever they stumble over
        raise ImageError(
            f"{name} cannot be decoded ({_told(wrong)}); its file is cut short, damaged or of a "
            "rare kind: get it again, or save it anew as JPEG or PNG"
        ) from wrong


def _eight_bits(image: "PIL.Image.Image", name: str) -> "PIL.Image.Image":
    """Grey images of 16 bits brought to eight; Pillow itself would cut off what is over 255."""
    import numpy

    if image.mode == "F":
        raise ImageError(
            f"{name} has real numbers for pixels, whose black and white are unknown; save it with "
            "8 or 16 bits"
        )
    if not image.mode.startswith("I"):
        return image
    values = numpy.asarray(image).astype(numpy.int64)
    if values.min() < 0 or values.max() > SIXTEEN_BITS:
        raise ImageError(
            f"{name} has pixels from {values.min()} to {values.max()}, but 16 bits are from 0 to "
            f"{SIXTEEN_BITS}; save it with 8 or 16 bits"
        )
    return _pillow().fromarray(((values + 128) // 257).astype(numpy.uint8))


def _coloured(image: "PIL.Image.Image") -> "PIL.Image.Image":
    """In RGB, over white where it is transparent."""
    if not image.has_transparency_data:
        return image.convert(RGB)
    over = image.convert("RGBA")
    white = _pillow().new("RGBA", over.size, "white")
    return _pillow().alpha_composite(white, over).convert(RGB)


def _told(wrong: Exception) -> str:
    return str(wrong) or type(wrong).__name__


def _pillow() -> ModuleType:
    """Pillow's module of images, imported when it is first used: it is an extra."""
    try:
        from PIL import Image
    except ImportError as missing:
        raise ImportError(
            'images need the package pillow, which comes with pip install "regard[vision]"'
        ) from missing
    return Image
