"""Where a caption looked: the picture once for each word, bright where the word looked at it."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor

from regard.viewing.figures import empty_figure, put_title
from regard.viewing.fonts import Fonts, choose_fonts
from regard.viewing.labels import Side, side

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

Number = int | float
Box = tuple[Number, Number, Number, Number]  # top, left, bottom, right in pixels; the last excluded

ABOUT = 0.01  # how far the weights of a word may sum from one: half precision rounds
ACROSS = 6  # panels side by side before the next line begins
LONGER = 1.9  # inches of the longer side of a panel
POINTS = 9.0  # the largest letters of a word
PIXELS = 256  # along the longer side of smooth weights
OPACITY = 0.8  # of the weights over the picture
BLUR = 20 / 224  # of the picture's side: the authors blur 20 pixels of 224
LEAST_BLUR = 0.6  # of a cell: with less, the cells show


@dataclass(frozen=True, eq=False)
class PictureSheet:
    """What each word of a caption looked at in its picture.

    ``image`` is (colour, height, width), ``weights`` is (word, row, column) over the cells that the
    picture is divided into, and sums to one for each word. ``chosen`` gives for each word the cell
    that hard attention drew, counted along the rows. ``boxes`` gives for each word the true box of
    what it names, (top, left, bottom, right) in pixels with the last excluded, or None.
    """

    title: str
    image: Tensor
    words: tuple[str, ...]
    weights: Tensor
    chosen: Tensor | None = None
    boxes: tuple[Box | None, ...] | None = None

    def __post_init__(self) -> None:
        self._check_image()
        self._check_weights()
        self._check_sums()
        if self.chosen is not None:
            self._check_chosen(self.chosen)
        if self.boxes is not None:
            self._check_boxes(self.boxes)

    def _check_image(self) -> None:
        shape = tuple(self.image.shape)
        if len(shape) != 3 or shape[0] != 3 or self.image.numel() == 0:
            raise ValueError(
                "a picture is (3, height, width), red, green and blue, but that of the sheet "
                f"{self.title!r} has the shape {shape}"
            )
        if self.image.dtype != torch.uint8:
            raise TypeError(
                "a picture has whole numbers from 0 to 255, torch.uint8, but that of the sheet "
                f"{self.title!r} is {self.image.dtype}; where it goes from 0 to 1, "
                "(255 * image).round().byte() makes it so"
            )

    def _check_weights(self) -> None:
        shape = tuple(self.weights.shape)
        if len(shape) != 3:
            raise ValueError(
                "a caption's weights are (word, row, column), but those of the sheet "
                f"{self.title!r} have the shape {shape}; make one sheet for each picture, and "
                "weights.unflatten(-1, (rows, columns)) divides cells into rows"
            )
        if self.weights.numel() == 0:
            raise ValueError(
                f"there is no weight in the sheet {self.title!r}: its shape is {shape}"
            )
        if not self.weights.is_floating_point():
            raise TypeError(
                f"weights are floating-point numbers, but those of the sheet {self.title!r} are "
                f"{self.weights.dtype}; weights.float() makes them so"
            )
        side("words", self.words, shape[0])

    def _check_sums(self) -> None:
        lowest, highest = self.weights.min().item(), self.weights.float().max().item()
        if not (lowest >= 0 and highest < float("inf")):  # NaN is neither
            raise ValueError(
                "weights are finite and not negative, but those of the sheet "
                f"{self.title!r} go from {lowest:.4g} to {highest:.4g}"
            )
        sums = self.weights.detach().double().sum(dim=(1, 2))
        worst = int((sums - 1).abs().argmax())
        if abs(sums[worst].item() - 1) > ABOUT:
            raise ValueError(
                f"the weights of each word sum to one, but those of {self.words[worst]!r}, word "
                f"{worst} of the sheet {self.title!r}, sum to {sums[worst].item():.4g}; "
                "weights / weights.sum(dim=(1, 2), keepdim=True) makes them so"
            )

    def _check_chosen(self, chosen: Tensor) -> None:
        count, rows, columns = self.weights.shape
        if chosen.dtype != torch.long or tuple(chosen.shape) != (count,):
            raise ValueError(
                f"chosen gives the number of one cell for each of the {count} words, torch.int64, "
                f"but in the sheet {self.title!r} it has the shape {tuple(chosen.shape)} and is "
                f"{chosen.dtype}; weights.flatten(1).argmax(dim=1) gives such numbers"
            )
        lowest, highest = int(chosen.min()), int(chosen.max())
        if lowest < 0 or highest >= rows * columns:
            raise ValueError(
                f"the cells of {rows} rows and {columns} columns are numbered from 0 to "
                f"{rows * columns - 1}, but chosen in the sheet {self.title!r} goes from {lowest} "
                f"to {highest}"
            )

    def _check_boxes(self, boxes: tuple[Box | None, ...]) -> None:
        if len(boxes) != len(self.words):
            raise ValueError(
                f"boxes give a box or None for each of the {len(self.words)} words, but in the "
                f"sheet {self.title!r} there are {len(boxes)}"
            )
        _, height, width = self.image.shape
        for word, box in zip(self.words, boxes, strict=True):
            if box is None:
                continue
            top, left, bottom, right = box
            if not (0 <= top < bottom <= height and 0 <= left < right <= width):
                raise ValueError(
                    "a box is (top, left, bottom, right) within the picture, which is "
                    f"{height} high and {width} wide, but that of {word!r} in the sheet "
                    f"{self.title!r} is {tuple(box)}"
                )

    @property
    def maps(self) -> Float[Tensor, "word row column"]:
        """The weights as float32."""
        return self.weights.detach().to("cpu", torch.float32)


def show_picture(sheet: PictureSheet, *, smooth: bool = True) -> "matplotlib.figure.Figure":
    """Picture where a caption looked: the image, then for each word its weights over the image.

    Figure 2 of Show, Attend and Tell: Neural Image Caption Generation with Visual Attention, Xu et
    al. 2015. https://arxiv.org/abs/1502.03044
    White is where the word looked most, black where it did not look: unlike in the authors' code,
    black stands for zero and not for the smallest weight, so that even weights are even white.
    ``smooth`` weights are blurred as theirs are; otherwise the cells are seen as they are. A cell
    that a word took has a red outline, a true box a dashed blue one.
    """
    _, height, width = sheet.image.shape
    inch = LONGER / max(height, width)
    count = len(sheet.words) + 1
    wide = min(count, ACROSS)
    high = math.ceil(count / wide)
    words = side("words", sheet.words, len(sheet.words)).words
    fonts = choose_fonts(words)
    figure = empty_figure((wide * (width * inch + 0.08), high * (height * inch + 0.26) + 0.3))
    figure.set_layout_engine("compressed", w_pad=0.03, h_pad=0.03, wspace=0.0, hspace=0.0)
    places = [figure.add_subplot(high, wide, number + 1) for number in range(count)]
    for place in places:
        _draw_image(place, sheet.image)
    for number, place in enumerate(places[1:]):
        _draw_weights(place, sheet.maps[number], (height, width), smooth=smooth)
        _outline(place, sheet, number)
        _write_word(place, words[number], fonts, width * inch)
    put_title(figure, sheet.title)
    return figure


def smoothed(
    weights: Float[Tensor, "row column"], size: tuple[int, int]
) -> Float[Tensor, "height width"]:
    """Spread weights over pixels with a Gaussian, as wide as the paper's: 20 pixels of 224.

    On 14 x 14 cells that is 1.25 cells. Each pixel is a mean of the cells around it, those nearer
    counting more, so that even weights stay even up to the edge.
    """
    down, across = (
        _nearness(pixels, cells) for pixels, cells in zip(size, weights.shape, strict=True)
    )
    return (down @ weights.double() @ across.mT).to(weights.dtype)


def _nearness(pixels: int, cells: int) -> Float[Tensor, "pixel cell"]:
    """How much each cell counts for each pixel along one side; the counts of a pixel sum to one."""
    middles = (torch.arange(pixels, dtype=torch.float64) + 0.5) * cells / pixels
    far = middles.unsqueeze(1) - (torch.arange(cells, dtype=torch.float64) + 0.5)
    return (-0.5 * (far / max(LEAST_BLUR, BLUR * cells)) ** 2).softmax(dim=1)


def _draw_image(axes: "matplotlib.axes.Axes", image: Tensor) -> None:
    _, height, width = image.shape
    pixels = image.detach().cpu().permute(1, 2, 0).numpy()
    axes.imshow(pixels, extent=(0, width, height, 0))
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set(color="0.45", linewidth=0.4)


def _draw_weights(
    axes: "matplotlib.axes.Axes", weights: Tensor, size: tuple[int, int], *, smooth: bool
) -> None:
    height, width = size
    fine = PIXELS / max(size)
    pixels = (math.ceil(height * fine), math.ceil(width * fine))
    shown = smoothed(weights, pixels) if smooth else weights
    axes.imshow(
        shown.numpy(),
        cmap="gray",
        vmin=0.0,
        vmax=shown.max().item(),
        alpha=OPACITY,
        extent=(0, width, height, 0),
        interpolation="bilinear" if smooth else "nearest",
    )


def _outline(axes: "matplotlib.axes.Axes", sheet: PictureSheet, number: int) -> None:
    """Mark the cell that was taken and the box of what the word names."""
    from matplotlib.patches import Rectangle

    _, height, width = sheet.image.shape
    _, rows, columns = sheet.weights.shape
    box = None if sheet.boxes is None else sheet.boxes[number]
    if box is not None:
        top, left, bottom, right = box
        corner = (left, top)
        axes.add_patch(
            Rectangle(
                corner, right - left, bottom - top, fill=False, edgecolor="#56b4e9", linestyle="--"
            )
        )
    if sheet.chosen is not None:
        row, column = divmod(int(sheet.chosen[number]), columns)
        high, wide = height / rows, width / columns
        corner = (column * wide, row * high)
        axes.add_patch(Rectangle(corner, wide, high, fill=False, edgecolor="red", linewidth=1.4))


def _write_word(axes: "matplotlib.axes.Axes", word: str, fonts: Fonts, room: float) -> None:
    """Write the word above its panel, in letters so small that it fits."""
    reach = Side([word]).reach
    axes.set_title(
        fonts.drawable(word),
        fontsize=POINTS * room / max(room, reach),
        fontfamily=fonts.families,
        parse_math=False,
        pad=2.5,
    )
