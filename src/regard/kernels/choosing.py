"""When a fused kernel must stand back for the plain equation."""

import torch
from torch import Tensor
from torch.autograd import forward_ad

from regard.kernels.compiling import available


def equation_wanted() -> bool:
    """Whether the plain equation must run: it alone is understood by everybody.

    While exporting, since other runtimes know no kernels of ours; inside vmap, grad and the like,
    and in forward mode, for which kernels have no rules.
    """
    return (
        torch.compiler.is_exporting()
        or torch._C._functorch.maybe_current_level() is not None
        or forward_ad._current_level >= 0
    )


def usable(*tensors: Tensor) -> bool:
    """Whether a kernel over sequences takes these tensors here and now; else the equation runs."""
    return (
        not torch.compiler.is_compiling()
        and not equation_wanted()
        and not torch.is_autocast_enabled("cpu")
        and len({each.dtype for each in tensors}) == 1
        and tensors[0].dtype in (torch.float32, torch.float64)
        and all(type(each) in (Tensor, torch.nn.Parameter) for each in tensors)
        and all(each.device.type == "cpu" and each.numel() > 0 for each in tensors)
        and available()
    )
