"""Linear maps by matrices that are laid out first, in the blocks that oneDNN reads.

Torch multiplies by MKL. For single precision oneDNN is the faster of the two where the processor is
not Intel's (by 1.1 to 1.2 on the machine of BENCHMARKS.md, and by more where the rows are few), and
laying a matrix out costs about as much as a product with thirty rows.
"""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import linear as plain

from regard.kernels.choosing import equation_wanted

Apply = Callable[[Float[Tensor, "*batch given"]], Float[Tensor, "*batch made"]]
LARGE = 2**18  # numbers of a matrix from which laying it out pays
MANY = 256  # rows from which it pays for a single product
# Torch's own product for models whose weights stay as they are; not there in every build.
THERE = torch.backends.mkldnn.is_available() and hasattr(  # type: ignore[no-untyped-call]
    torch.ops.mkldnn, "_linear_pointwise"
)


def packed(
    weight: Float[Tensor, "made given"], bias: Float[Tensor, " made"] | None = None
) -> Apply:
    """W x + b for many products with few rows each, without gradient.

    The matrix is that of now: later changes of ``weight`` do not show. Where this cannot be done
    (with gradients, in other precisions, under autocast, on other devices), or does not pay, it is
    the plain product, of whatever ``weight`` is then.
    """
    if torch.is_grad_enabled() or not packable(weight):
        return lambda given: plain(given, weight, bias)
    return lay_out(weight, bias)


def lay_out(weight: Float[Tensor, "made given"], bias: Tensor | None = None) -> Apply:
    """W x + b, without gradient, of a matrix that is ``packable``."""
    blocks = torch.ops.mkldnn._reorder_linear_weight(weight.detach(), None)
    added = None if bias is None else bias.detach()

    def apply(given: Tensor) -> Tensor:
        return torch.ops.mkldnn._linear_pointwise(given.detach(), blocks, added, "none", [], "")

    return apply


def packable(weight: Tensor) -> bool:
    """Whether the matrix can be laid out here and now, and is large enough to gain by it."""
    return (
        THERE
        and weight.numel() >= LARGE
        and weight.dtype is torch.float32
        and weight.device.type == "cpu"
        and type(weight) in (Tensor, nn.Parameter)
        and not torch.is_autocast_enabled("cpu")
        and not torch.compiler.is_compiling()
        and not equation_wanted()
    )


def linear(
    given: Float[Tensor, "*batch given"],
    weight: Float[Tensor, "made given"],
    bias: Float[Tensor, " made"] | None = None,
) -> Float[Tensor, "*batch made"]:
    """W x + b with its gradients, for many rows at once; few rows are multiplied plainly."""
    many = given.numel() >= MANY * weight.shape[1]
    if not (many and given.dtype is weight.dtype and type(given) is Tensor and packable(weight)):
        return plain(given, weight, bias)
    return _Linear.apply(given, weight, bias)  # type: ignore[no-untyped-call]


class _Linear(torch.autograd.Function):
    """The product and the gradient of what is given by oneDNN, that of the weight by MKL."""

    @staticmethod
    def forward(ctx: Any, given: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(given, weight)
        return lay_out(weight, bias)(given)

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
        """Dx = W' dy, dW = dy x', db = dy, each summed over all rows."""
        given, weight = ctx.saved_tensors
        to_given, to_weight, to_bias = ctx.needs_input_grad
        rows = slope.flatten(0, -2)
        return (
            _back(slope, weight) if to_given else None,
            rows.T @ given.flatten(0, -2) if to_weight else None,
            rows.sum(dim=0) if to_bias else None,
        )


def _back(slope: Tensor, weight: Tensor) -> Tensor:
    """W' dy; what will be differentiated itself must be made of what torch can follow."""
    return slope @ weight if torch.is_grad_enabled() else lay_out(weight.T)(slope)
