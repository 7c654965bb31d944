"""Whole sequences by one kernel, where heads are as they were made: the one place that picks it."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.modules import module as hooked

from regard.attention import Watch
from regard.kernels import tape
from regard.kernels.choosing import usable
from regard.kernels.tape import Driving, Start
from regard.memory.heads import Heads, WriteHeads

KINDS = (Heads, WriteHeads, Watch, nn.Linear, nn.LSTMCell)
# What somebody may have put in the place of ours, beside "forward".
OWN = {
    "step",
    "prepare",
    "read",
    "as_unit",
    "remember",
    "store",
    "ask",
    "compare",
    "scale",
}
HOOKS = ("_forward_pre_hooks", "_forward_hooks", "_backward_pre_hooks", "_backward_hooks")
EVERYWHERE = tuple("_global" + name for name in HOOKS)


def fusible(machine: nn.Module, given: Sequence[Tensor], *kinds: type[nn.Module]) -> bool:
    """Whether a kernel may stand for what the machine does: only its speed would be noticed.

    ``given`` are the inputs, and the state that the machine begins with.
    Not where somebody listens or has put in something else: a hook (``record`` sets them on every
    ``Watch``), a part of other than the ``kinds``, a parametrised weight, a method of one's own.
    """
    parts = [each for each in machine.modules() if each is not machine]
    return (
        given[0].dim() == 3
        and usable(*given, *machine.parameters())
        and not OWN & vars(machine).keys()
        and as_made(parts, KINDS + kinds)
    )


def as_made(parts: Sequence[nn.Module], kinds: tuple[type[nn.Module], ...]) -> bool:
    """Whether all parts are of these kinds, as they were made, and nobody listens to them."""
    return not any(getattr(hooked, name) for name in EVERYWHERE) and all(
        type(each) in kinds and _untouched(each) for each in parts
    )


def _untouched(module: nn.Module) -> bool:
    return (
        not (OWN | {"forward"}) & vars(module).keys()
        and not any(getattr(module, "bias", True) is each for each in (None, False))
        and not any(getattr(module, name) for name in HOOKS)
    )


def fuse(
    driving: Driving, writers: WriteHeads, readers: Heads, start: Start
) -> Float[Tensor, "batch time feature"]:
    """The controller's output and what was read, side by side, after each step."""
    tellers = writers.going.to_address, writers.to_change, readers.to_address
    address = torch.cat([each.weight for each in tellers])
    bias = torch.cat([each.bias for each in tellers])
    return tape.features(driving, address, bias, start).transpose(0, 1)
