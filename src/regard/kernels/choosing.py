"""When a fused kernel must stand back for the plain equation."""

import torch
from torch.autograd import forward_ad


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
