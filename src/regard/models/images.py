"""Encoders of images: whatever gives a grid of annotations, one for each cell."""

from collections.abc import Mapping

import torch
from jaxtyping import Bool, Float, Int, Num
from torch import Tensor, nn

from regard.linear import WideLinear
from regard.models.encoding import Encoded
from regard.models.renormalising import Renormalise
from regard.shapes import Number
from regard.vision.pixels import check_brightness

Images = Num[Tensor, "batch colour height width"]  # 0 to 255
Sizes = Int[Tensor, "batch 2"]  # height and width of what is there; the rest is filling
PIXELS = (2, 2, 4, 4, 8)  # to a cell after each step of ``ConvolutionalGrid``


class ConvolutionalGrid(nn.Module):
    """A small convolutional network, trained from scratch: 8 x 8 pixels to an annotation.

    Three convolutions, each followed by a halving, and a last one that also sees two channels with
    the cell's own place, down and across from -1 to 1, so that relations can be told. Each is
    normalised over many batches (``Renormalise``): normalised by itself, an image with a small
    thing on a wide ground taught nothing; by a batch of captions of one length, it can tell that
    length by the images that it came with. Images of different sizes are filled up to the right
    and below; what fills up is cleared in every layer by their true sizes in pixels (in training
    it still counts in the means of a batch).
    """

    def __init__(self, size: int, *, dropout: Number = 0.0) -> None:
        super().__init__()
        if size < 2 or size % 2:
            raise ValueError(f"size must be a multiple of 2, but size={size}")
        self.steps = nn.ModuleList(
            [
                _convolve(3, size // 2, width=5, stride=2),
                _convolve(size // 2, size // 2),
                nn.MaxPool2d(2, ceil_mode=True),
                _convolve(size // 2, size),
                nn.MaxPool2d(2, ceil_mode=True),
            ]
        ).to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # a fifth faster
        self.placed = _convolve(size + 2, size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, images: Images, sizes: Sizes) -> Encoded:
        """Annotations (batch, cell, size), cells row by row; the summary is their mean."""
        check_inputs("images (batch, 3, height, width)", images, sizes, {1: 3})
        check_sizes(sizes, *images.shape[-2:])
        if images.is_floating_point():  # whole numbers are as they were in the file
            check_brightness(_cleared(images, sizes))
        extents = sizes
        grid = _cleared(images.to(next(self.parameters()).dtype) / 127.5 - 1, extents)
        for step, pixels in zip(self.steps, PIXELS, strict=True):
            extents = torch.div(sizes + pixels - 1, pixels, rounding_mode="floor")
            grid = _cleared(step(grid), extents)  # what fills up is as nothing beyond the image
        rows, columns = grid.shape[-2:]
        places = _places(extents, rows, columns).to(grid.dtype)
        grid = self.placed(_cleared(torch.cat([grid, places], dim=1), extents))
        there = cells(extents, rows, columns)
        return as_encoded(self.dropout(grid.flatten(2).mT), there, (rows, columns))


class FeatureGrid(nn.Module):
    """Features that a frozen network has made of images beforehand, brought to a width.

    a_i = relu(W f_i + b). The features of each cell are normalised first, for networks differ in
    the size of what they give.
    """

    def __init__(self, channels: int, size: int, *, dropout: Number = 0.0) -> None:
        super().__init__()
        self.normalise = nn.LayerNorm(channels, elementwise_affine=False)  # W, b scale and shift
        self.to_annotation = WideLinear(channels, size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, features: Float[Tensor, "batch row column channel"], sizes: Sizes) -> Encoded:
        """Annotations (batch, cell, size); ``sizes`` are rows and columns that are there."""
        channels = self.to_annotation.in_features
        wanted = f"features (batch, row, column, {channels})"
        check_inputs(wanted, features, sizes, {3: channels})
        rows, columns = features.shape[1:3]
        check_sizes(sizes, rows, columns)
        there = cells(sizes, rows, columns)
        flat = features.to(self.to_annotation.weight.dtype).flatten(1, 2)
        shown = self.normalise(torch.where(there.mT, flat, 0))
        annotations = self.dropout(self.to_annotation(shown).relu())
        return as_encoded(annotations, there, (rows, columns))


class AnyGrid(nn.Module):
    """The grid of any network of images as a decoder takes it: ``Captioner(AnyGrid(own), ...)``.

    ``network(images)`` gives (batch, size, row, column), its cells shares of equal height and width
    of what it was given. Of images that are filled up to the right and below, the cells that lie
    behind them wholly are not there; what the network itself makes of the filling is its own.
    """

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, images: Images, sizes: Sizes) -> Encoded:
        """Annotations (batch, cell, size), cells row by row; the summary is their mean."""
        check_inputs("images (batch, colour, height, width)", images, sizes, {})
        check_sizes(sizes, *images.shape[-2:])
        grid = self.network(images)
        if not isinstance(grid, Tensor) or grid.dim() != 4 or len(grid) != len(images):
            found = tuple(grid.shape) if isinstance(grid, Tensor) else type(grid).__name__
            raise ValueError(
                "the network of an AnyGrid gives (batch, size, row, column), but for "
                f"{len(images)} images this one gave {found}"
            )
        rows, columns = grid.shape[-2:]
        height, width = images.shape[-2:]
        counts, whole = sizes.new_tensor([rows, columns]), sizes.new_tensor([height, width])
        extents = torch.div(sizes * counts + whole - 1, whole, rounding_mode="floor")
        return as_encoded(grid.flatten(2).mT, cells(extents, rows, columns), (rows, columns))


def check_inputs(wanted: str, given: Tensor, sizes: Sizes, widths: Mapping[int, int]) -> None:
    """Raise where an encoder is given something of another shape, or other sizes than images."""
    fits = given.dim() == 4 and all(given.shape[axis] == width for axis, width in widths.items())
    if not fits or len(given) != len(sizes):
        raise ValueError(
            f"the encoder takes {wanted} and a size for each, but was given the shape "
            f"{tuple(given.shape)} and {len(sizes)} sizes"
        )


def check_sizes(sizes: Sizes, height: int, width: int) -> None:
    """Raise where sizes are not the heights and widths of images in a batch of this size."""
    if sizes.dim() != 2 or sizes.shape[1] != 2:
        raise ValueError(
            "sizes holds the height and the width of each image, (batch, 2), but its shape is "
            f"{tuple(sizes.shape)}"
        )
    outside = ((sizes < 1) | (sizes > sizes.new_tensor([height, width]))).any(dim=1)
    if bool(outside.any()):
        place = int(outside.nonzero()[0])
        raise ValueError(
            f"the images are filled up to {height} x {width}, but sizes[{place}] is "
            f"{tuple(sizes[place].tolist())}"
        )


def cells(sizes: Sizes, rows: int, columns: int) -> Bool[Tensor, "batch 1 cell"]:
    """Which cells of a grid are there, where each image has its own number of rows and columns."""
    down = torch.arange(rows, device=sizes.device) < sizes[:, :1]
    across = torch.arange(columns, device=sizes.device) < sizes[:, 1:]
    return (down.unsqueeze(2) & across.unsqueeze(1)).flatten(1).unsqueeze(1)


def as_encoded(
    annotations: Float[Tensor, "batch cell size"],
    there: Bool[Tensor, "batch 1 cell"],
    grid: tuple[int, int],
) -> Encoded:
    """What a decoder is given of an image: the summary is the mean of the cells that are there."""
    shown = torch.where(there.mT, annotations, 0)
    mean = shown.sum(dim=1) / there.sum(dim=-1).clamp(min=1)
    return Encoded(shown, there, mean, grid)


def _cleared(
    grid: Float[Tensor, "batch channel row column"], extents: Sizes
) -> Float[Tensor, "batch channel row column"]:
    """Zero where an image has ended, as a convolution sees it beyond the border."""
    there = cells(extents, *grid.shape[-2:]).unflatten(-1, grid.shape[-2:])  # type: ignore[no-untyped-call]
    return torch.where(there, grid, 0)


def _places(extents: Sizes, rows: int, columns: int) -> Float[Tensor, "batch 2 row column"]:
    """From -1 to 1 down and across each image, whatever is filled up behind it."""
    last = (extents - 1).clamp(min=1).unsqueeze(-1)
    down = torch.arange(rows, device=extents.device) / last[:, 0] * 2 - 1
    across = torch.arange(columns, device=extents.device) / last[:, 1] * 2 - 1
    shape = (len(extents), rows, columns)
    return torch.stack([down.unsqueeze(2).expand(shape), across.unsqueeze(1).expand(shape)], dim=1)


def _convolve(wide: int, size: int, *, width: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(wide, size, width, stride=stride, padding=width // 2, bias=False),
        Renormalise(size),
        nn.ReLU(),
    )
