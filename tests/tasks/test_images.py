"""Images of every kind are opened alike, and what is wrong with a file is said by name."""

import io
import struct
import sys
import zlib

import numpy
import pytest
import torch
from PIL import Image, ImageFile

from regard.tasks.images import MOST_PIXELS, ImageError, centre_crop, open_image, to_tensor

RED, WHITE = (255, 0, 0), (255, 255, 255)


def packed(image, kind="PNG", **options):
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def photo(width=7, height=5):
    """Colours that change along both sides."""
    rows, columns = numpy.mgrid[:height, :width]
    colours = [rows * 255 // height, columns * 255 // width, 0 * rows + 90]
    return Image.fromarray(numpy.stack(colours, -1).astype(numpy.uint8))


def close(found, wanted, off=0):
    pixels = [numpy.asarray(image).astype(int) for image in (found, wanted)]
    return pixels[0].shape == pixels[1].shape and abs(pixels[0] - pixels[1]).max() <= off


@pytest.mark.parametrize("kind", ["PNG", "BMP", "TIFF", "PPM", "WEBP"])
def test_an_image_is_opened_from_bytes_and_from_a_path(tmp_path, kind):
    options = {"lossless": True} if kind == "WEBP" else {}
    data = packed(photo(), kind, **options)
    (tmp_path / "photo").write_bytes(data)
    for source in (data, tmp_path / "photo"):
        image = open_image(source, "photo")
        assert (image.mode, image.size) == ("RGB", (7, 5))
        assert close(image, photo())


def test_a_jpeg_is_close_to_what_was_saved():
    smooth = Image.linear_gradient("L").convert("RGB")
    assert close(open_image(packed(smooth, "JPEG", quality=95), "smooth"), smooth, off=4)


@pytest.mark.parametrize("mode", ["L", "1", "P", "CMYK"])
def test_grey_palette_and_print_colours_become_rgb(mode):
    image = photo().convert(mode)
    kind = "TIFF" if mode == "CMYK" else "PNG"
    assert close(open_image(packed(image, kind), mode), image.convert("RGB"))


@pytest.mark.parametrize("dtype", ["<u2", ">u2", "<i4"])
def test_sixteen_bits_are_scaled_and_not_cut_off(dtype):
    grey = numpy.array([[0, 257, 32_896], [65_535, 128, 129]]).astype(dtype)
    image = open_image(packed(Image.fromarray(grey), "TIFF"), "grey")
    assert numpy.asarray(image)[..., 1].tolist() == [[0, 1, 128], [255, 0, 1]]
    assert image.mode == "RGB"


def test_pixels_whose_range_is_unknown_are_refused():
    wide = Image.fromarray(numpy.array([[0, 65_536]], dtype=numpy.int32))
    with pytest.raises(ImageError, match=r"^wide\.tif has pixels from 0 to 65536, but 16 bits"):
        open_image(packed(wide, "TIFF"), "wide.tif")
    real = Image.fromarray(numpy.zeros((3, 5), dtype=numpy.float32))
    with pytest.raises(ImageError, match=r"^real\.tif has real numbers for pixels"):
        open_image(packed(real, "TIFF"), "real.tif")


def test_what_is_transparent_is_laid_over_white():
    image = Image.new("RGBA", (3, 1), (255, 0, 0, 255))
    image.putpixel((1, 0), (255, 0, 0, 0))
    image.putpixel((2, 0), (0, 0, 0, 51))
    wanted = numpy.array([[RED, WHITE, (204, 204, 204)]], dtype=numpy.uint8)
    assert close(open_image(packed(image), "alpha"), Image.fromarray(wanted))
    grey = open_image(packed(image.convert("LA")), "grey and alpha")
    assert [grey.getpixel((1, 0)), grey.getpixel((2, 0))] == [WHITE, (204, 204, 204)]


def test_a_transparent_colour_of_a_palette_is_white():
    image = Image.new("P", (2, 1), 0)
    image.putpalette([255, 0, 0, 0, 0, 255])
    image.putpixel((1, 0), 1)
    for transparency in (1, b"\xff\x00"):
        found = open_image(packed(image, transparency=transparency), "palette")
        assert [found.getpixel((0, 0)), found.getpixel((1, 0))] == [RED, WHITE]


def test_the_first_frame_of_a_moving_image_is_taken():
    frames = [Image.new("RGB", (5, 3), colour) for colour in (RED, (0, 0, 255))]
    data = packed(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert close(open_image(data, "moving"), frames[0])


@pytest.mark.parametrize(
    ("orientation", "turn"),
    [
        (1, None),
        (2, Image.Transpose.FLIP_LEFT_RIGHT),
        (3, Image.Transpose.ROTATE_180),
        (6, Image.Transpose.ROTATE_270),  # held so that the top is at the right: turn clockwise
        (8, Image.Transpose.ROTATE_90),
    ],
)
def test_an_image_is_turned_as_its_camera_says(orientation, turn):
    exif = Image.Exif()
    exif[0x0112] = orientation
    upright = photo() if turn is None else photo().transpose(turn)
    found = open_image(packed(photo(), exif=exif), "turned")
    assert close(found, upright)
    assert found.getexif().get(0x0112, 1) == 1  # nobody turns it again


def test_a_file_that_is_no_image_is_named(tmp_path):
    with pytest.raises(ImageError, match=r"notes\.jpg is not an image that can be read: .* JPEG"):
        open_image(b"some notes, not a picture", "notes.jpg")
    with pytest.raises(ImageError, match=r"none\.jpg is empty: its file has no bytes"):
        open_image(b"", "none.jpg")
    (tmp_path / "empty.jpg").touch()
    with pytest.raises(ImageError, match=r"empty\.jpg is empty"):
        open_image(tmp_path / "empty.jpg", "empty.jpg")


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(ImageError, match=r"gone: the file .*gone\.jpg is missing; name the file"):
        open_image(tmp_path / "gone.jpg", "gone")
    with pytest.raises(ImageError, match=r"this: the file .* is a folder"):
        open_image(tmp_path, "this")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF"])
def test_a_file_cut_short_is_named_wherever_it_is_cut(kind):
    noise = numpy.random.default_rng(0).integers(0, 256, (61, 67, 3), dtype=numpy.uint8)
    data = packed(Image.fromarray(noise), kind)
    for length in range(1, len(data) * 3 // 4, len(data) // 23):
        with pytest.raises(ImageError, match=r"short\.img (is not an image|cannot be)"):
            open_image(data[:length], "short.img")


def png_header(width, height):
    """A PNG that says how large it is and has next to nothing in it."""
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"\0" * 99)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


@pytest.mark.parametrize("side", [7_072, 10_000, 60_000])  # just over, where Pillow warns, stops
def test_an_image_that_would_fill_the_memory_is_refused_by_its_header(side, monkeypatch):
    assert side**2 > MOST_PIXELS
    monkeypatch.setattr(ImageFile.ImageFile, "load", None)  # nothing may be decoded
    with pytest.raises(ImageError, match=r"bomb\.png is too large: .*; make it smaller"):
        open_image(png_header(side, side), "bomb.png")


def test_the_largest_image_that_may_be_is_decoded():
    with pytest.raises(ImageError, match=r"large\.png cannot be decoded"):  # it has no pixels
        open_image(png_header(MOST_PIXELS // 5_000, 5_000), "large.png")


@pytest.mark.parametrize("size", [(0, 5), (5, 0)])
def test_an_image_without_pixels_is_refused(size):
    with pytest.raises(ImageError, match=r"flat\.png is not an image .* or it has no pixels"):
        open_image(png_header(*size), "flat.png")


def test_a_kind_that_starts_another_program_is_not_opened():
    with pytest.raises(ImageError, match=r"page\.eps is not an image that can be read"):
        open_image(packed(photo(), "EPS"), "page.eps")


def test_nothing_of_pillow_is_changed():
    def state():
        return (Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES)

    before = state()
    open_image(packed(photo()), "photo")
    assert state() == before


def test_an_image_becomes_a_tensor_of_bytes():
    tensor = to_tensor(photo(width=7, height=5))
    assert (tensor.dtype, tensor.shape) == (torch.uint8, (3, 5, 7))
    for x, y in [(0, 0), (6, 0), (0, 4), (3, 2)]:
        assert tuple(tensor[:, y, x].tolist()) == photo().getpixel((x, y))
    with pytest.raises(ValueError, match=r"must be in RGB, .* but its mode is L"):
        to_tensor(photo().convert("L"))


@pytest.mark.parametrize("tall", [False, True])
def test_the_middle_is_cut_out_of_the_resized_image(tall):
    image = Image.linear_gradient("L").convert("RGB").resize((512, 300))
    image = image.transpose(Image.Transpose.ROTATE_90) if tall else image
    resized = image.resize((150, 256) if tall else (256, 150))
    left, top = (resized.width - 112) // 2, (resized.height - 112) // 2
    found = centre_crop(image, size=112, shorter=150)
    assert found.size == (112, 112)
    assert close(found, resized.crop((left, top, left + 112, top + 112)), off=2)


def test_a_very_long_image_is_cropped_without_being_enlarged_whole():
    found = centre_crop(Image.new("RGB", (1_000_003, 1), RED), size=224, shorter=256)
    assert close(found, Image.new("RGB", (224, 224), RED))


@pytest.mark.parametrize("size", [0, 257])
def test_a_crop_larger_than_its_image_is_refused(size):
    with pytest.raises(ValueError, match=f"from 1 to shorter, .* size={size} and shorter=256"):
        centre_crop(photo(), size=size, shorter=256)


def test_without_pillow_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r'need the package pillow.* "regard\[vision\]"'):
        open_image(b"any", "any")
