"""Kernels that work on each row of scores by itself, and the mask that goes with each row."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from regard.kernels.compiling import available
from regard.kernels.threads import spread

PIECE = 131_072  # entries of a piece that one thread works off
STEPS = 16  # an entry is passed over about so often; makes entries comparable with other work


def fused(tensor: Tensor) -> bool:
    """Whether a compiled kernel takes this tensor; anything else goes through plain torch."""
    return tensor.device.type == "cpu" and tensor.numel() > 0 and available()


def bare(tensor: Tensor) -> Tensor:
    """Without its history, in a precision to work in: half precision is computed in single."""
    return tensor.detach().to(torch.float64 if tensor.dtype == torch.float64 else torch.float32)


def working(tensor: Tensor) -> Tensor:
    """As rows that the kernels know."""
    return bare(tensor).reshape(-1, tensor.shape[-1]).contiguous()


def permissions(mask: Tensor | None, scores: Tensor) -> tuple[Any, Any]:
    """Rows of the mask, and for each row of scores the number of its row there; or nothing.

    A mask that broadcasts is thus never copied to the size of the scores.
    """
    if mask is None:
        return torch.ones(0, 0, dtype=torch.bool).numpy(), torch.zeros(0, dtype=torch.int64).numpy()
    mask = mask.expand(*mask.shape[:-1], scores.shape[-1])
    rows = mask.reshape(-1, scores.shape[-1]).contiguous()
    number = torch.arange(rows.shape[0]).view(mask.shape[:-1])
    return rows.numpy(), number.expand(scores.shape[:-1]).reshape(-1).contiguous().numpy()


def each_row(kernel: Callable[..., None], rows: Tensor, *others: Any) -> Tensor:
    """Run ``kernel(rows, *others, result, first, last)`` over all rows, in pieces."""
    result = torch.empty_like(rows)
    if rows.numel() == 0:
        return result
    step = max(1, PIECE // rows.shape[1])
    arrays = rows.numpy(), *others, result.numpy()

    def work(piece: int) -> None:
        kernel(*arrays, piece * step, min((piece + 1) * step, rows.shape[0]))

    spread(work, -(-rows.shape[0] // step), rows.numel() * STEPS)
    return result
