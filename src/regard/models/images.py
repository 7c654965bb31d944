"""Encoders of images: whatever gives a grid of annotations, one for each cell."""

import torch
from jaxtyping import Bool, Float, Int, Num
from torch import Tensor, nn

from regard.models.encoding import Encoded
from regard.shapes import Number

Images = Num[Tensor, "batch colour height width"]  # 0 to 255
Sizes = Int[Tensor, "batch 2"]  # height and width of what is there; the rest is filling
STRIDE = 8  # pixels to a cell of ``ConvolutionalGrid``, down and across


class ConvolutionalGrid(nn.Module):
    """A small convolutional network, trained from scratch: 8 x 8 pixels to an annotation.

    Four convolutions and three halvings, so that a cell sees 31 x 31 pixels, and a last one within
    the cell that also sees two channels with its place, down and across from -1 to 1, so that
    relations can be told: were it wider, a look could learn as much beside a thing as on it. Each
    is normalised over the batch: normalised by itself, an image with a small thing on a wide ground
    taught nothing. Images of different sizes are filled up to the right and below; their true sizes
    in pixels say which cells are there.
    """

    def __init__(self, size: int, *, dropout: Number = 0.0) -> None:
        super().__init__()
        if size < 4 or size % 4:
            raise ValueError(f"size must be a multiple of 4, but size={size}")
        self.steps = nn.Sequential(
            _convolve(3, size // 4, width=5, stride=2),
            _convolve(size // 4, size // 2),
            nn.MaxPool2d(2, ceil_mode=True),
            _convolve(size // 2, 2 * size // 3),
            _convolve(2 * size // 3, size),
            nn.MaxPool2d(2, ceil_mode=True),
        ).to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # a fifth faster
        self.placed = _convolve(size + 2, size, width=1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, images: Images, sizes: Sizes) -> Encoded:
        """Annotations (batch, cell, size), cells row by row; the summary is their mean."""
        grid = self.steps(images.to(next(self.parameters()).dtype) / 127.5 - 1)
        rows, columns = grid.shape[-2:]
        down = torch.linspace(-1, 1, rows, device=grid.device, dtype=grid.dtype)
        across = torch.linspace(-1, 1, columns, device=grid.device, dtype=grid.dtype)
        places = torch.stack(torch.meshgrid(down, across, indexing="ij"))
        grid = self.placed(torch.cat([grid, places.expand(len(grid), -1, -1, -1)], dim=1))
        there = cells(torch.div(sizes + STRIDE - 1, STRIDE, rounding_mode="floor"), rows, columns)
        return as_encoded(self.dropout(grid.flatten(2).mT), there, (rows, columns))


class FeatureGrid(nn.Module):
    """Features that a frozen network has made of images beforehand, brought to a width.

    a_i = relu(W f_i + b). The features of each cell are normalised first, for networks differ in
    the size of what they give.
    """

    def __init__(self, channels: int, size: int, *, dropout: Number = 0.0) -> None:
        super().__init__()
        self.normalise = nn.LayerNorm(channels)
        self.to_annotation = nn.Linear(channels, size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, features: Float[Tensor, "batch row column channel"], sizes: Sizes) -> Encoded:
        """Annotations (batch, cell, size); ``sizes`` are rows and columns that are there."""
        rows, columns = features.shape[1:3]
        flat = self.normalise(features.to(self.to_annotation.weight.dtype).flatten(1, 2))
        annotations = self.dropout(self.to_annotation(flat).relu())
        return as_encoded(annotations, cells(sizes, rows, columns), (rows, columns))


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
    share = there.to(annotations.dtype)
    mean = (share @ annotations)[:, 0] / share.sum(dim=-1).clamp(min=1)
    return Encoded(annotations, there, mean, grid)


def _convolve(wide: int, size: int, *, width: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(wide, size, width, stride=stride, padding=width // 2, bias=False),
        nn.BatchNorm2d(size),
        nn.ReLU(),
    )
