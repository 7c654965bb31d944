"""A linear map whose matrix is laid out once, for a loop that multiplies by it at every step."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import linear

from regard.kernels.choosing import equation_wanted

Apply = Callable[[Float[Tensor, "*batch given"]], Float[Tensor, "*batch made"]]
LARGE = 2**18  # numbers of a matrix from which laying it out pays
# Torch's own product for models whose weights stay as they are; not there in every build.
THERE = torch.backends.mkldnn.is_available() and hasattr(  # type: ignore[no-untyped-call]
    torch.ops.mkldnn, "_linear_pointwise"
)


def packed(
    weight: Float[Tensor, "made given"], bias: Float[Tensor, " made"] | None = None
) -> Apply:
    """W x + b for many products with few rows each, without gradient.

    A product of a few rows with a large matrix waits for the matrix; laid out in the blocks that
    oneDNN reads, it is 1.1 to 3 times as fast, and laying it out costs about as much as one
    product. The matrix is that of now: later changes of ``weight`` do not show. Where this cannot
    be done (with gradients, in other precisions, under autocast, on other devices), or does not
    pay, it is the plain product, of whatever ``weight`` is then.
    """
    if not packable(weight):
        return lambda given: linear(given, weight, bias)
    blocks = torch.ops.mkldnn._reorder_linear_weight(weight.detach(), None)
    added = None if bias is None else bias.detach()

    def apply(given: Tensor) -> Tensor:
        return torch.ops.mkldnn._linear_pointwise(given, blocks, added, "none", [], "")

    return apply


def packable(weight: Tensor) -> bool:
    """Whether the matrix can be laid out here and now, and is large enough to gain by it."""
    return (
        THERE
        and weight.numel() >= LARGE
        and weight.dtype is torch.float32
        and weight.device.type == "cpu"
        and not torch.is_grad_enabled()
        and not torch.is_autocast_enabled("cpu")
        and not torch.compiler.is_compiling()
        and not equation_wanted()
    )
