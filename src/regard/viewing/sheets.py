"""A sheet: the maps of one sentence, which share their words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from regard.viewing.labels import Words, side


@dataclass(frozen=True, eq=False)
class Sheet:
    """What one sentence looked at: one map, or one for each head, or for each layer and head.

    ``weights`` is (row, column), (head, row, column) or (layer, head, row, column); leading axes of
    one are passed over. ``rows`` and ``columns`` are the words of the queries and of the keys;
    without them positions are numbered. ``axes`` names what the leading axes count, and ``remarks``
    are what a reader should know beside it. ``reading`` says what rows and columns are, and
    ``arrow`` from which of them to the other it is looked.
    """

    reading: ClassVar[str] = "A row is what looks, a column is what is looked at"
    arrow: ClassVar[str] = "\u2192"

    title: str
    weights: Tensor
    rows: Words = None
    columns: Words = None
    axes: tuple[str, str] = ("layer", "head")
    remarks: Sequence[str] = ()

    def __post_init__(self) -> None:
        shape = tuple(self.weights.shape)
        if len(self._leading()) > 2 or len(shape) < 2:
            raise ValueError(
                "a sheet holds the maps of one sentence, (row, column), (head, row, column) or "
                f"(layer, head, row, column), but the weights of {self.title!r} have the shape "
                f"{shape}; make one sheet for each sentence"
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
        side("rows", self.rows, shape[-2])
        side("columns", self.columns, shape[-1])
        lowest, highest = self.weights.min().item(), self.weights.float().max().item()
        if not (lowest >= 0 and highest < float("inf")):  # NaN is neither
            raise ValueError(
                "a page shows weights, which are finite and not negative, but those of the sheet "
                f"{self.title!r} go from {lowest:.4g} to {highest:.4g}; draw(..., scale=...) "
                "shows other numbers"
            )

    def _leading(self) -> tuple[int, ...]:
        leading = tuple(self.weights.shape[:-2])
        while leading and leading[0] == 1:
            leading = leading[1:]
        return leading

    @property
    def grid(self) -> tuple[int, int]:
        """How many maps there are down (layers) and across (heads)."""
        down, across = (1, 1, *self._leading())[-2:]
        return down, across

    @property
    def maps(self) -> Float[Tensor, "map row column"]:
        """The maps one after the other, as float32."""
        return self.weights.detach().to("cpu", torch.float32).reshape(-1, *self.weights.shape[-2:])
