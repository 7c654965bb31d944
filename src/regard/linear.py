"""Linear maps made for how they are used: over many rows at once, or once per step of a loop."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from regard.kernels.packed import Apply, lay_out, linear, packable, packed

__all__ = ["Apply", "LoopLinear", "WideLinear"]


class WideLinear(nn.Linear):
    """``nn.Linear``, faster where it is given many rows at once: W x + b by ``kernels.packed``.

    It is meant for large maps over whole sequences, such as the scores of all words.
    """

    def forward(self, given: Float[Tensor, "*batch given"]) -> Float[Tensor, "*batch made"]:
        """W x + b."""
        return linear(given, self.weight, self.bias)


class LoopLinear(nn.Module):
    """A linear map without bias, y = W x, that a loop uses once per step.

    ``over(steps, rows)`` gives the same map for one loop whose share of the gradient of W is worked
    out in a single product after the loop has gone back, instead of one thin product per step.
    """

    def __init__(self, in_size: int, out_size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(out_size, in_size))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, given: Float[Tensor, "*batch given"]) -> Float[Tensor, "*batch made"]:
        """W x."""
        return nn.functional.linear(given, self.weight)

    def over(self, steps: int, rows: int) -> Apply:
        """W x for each of ``steps`` steps of ``rows`` rows in all, in this order."""
        if not torch.is_grad_enabled():
            return packed(self.weight)
        if not self.weight.requires_grad or _one_by_one(self.weight):
            return self
        given: list[Tensor] = []
        places = iter(_afterwards(self.weight, given, steps, rows).unbind(0))
        there, back = _both_ways(self.weight)

        def apply(step: Tensor) -> Tensor:
            flat = step.flatten(0, -2)
            given.append(flat.detach())
            made = _step(flat, next(places), there, back)
            return made.view(*step.shape[:-1], self.weight.shape[0])

        return apply


def _both_ways(weight: Tensor) -> tuple[Apply, Apply]:
    """W x and W' y for all steps of a loop, without gradients; the second is made when wanted."""
    bare = weight.detach()
    if not packable(bare):
        return (lambda given: given @ bare.T), (lambda slope: slope @ bare)
    backwards: list[Apply] = []

    def back(slope: Tensor) -> Tensor:
        if not backwards:
            backwards.append(lay_out(bare.T))
        return backwards[0](slope)

    return lay_out(bare), back


def _one_by_one(weight: Tensor) -> bool:
    """Whether every step must have its own gradient of the weight.

    While compiling, since a backward pass that is traced ahead finds no steps yet; under autocast,
    since what the steps were given is of another precision than the weight.
    """
    return torch.compiler.is_compiling() or torch.is_autocast_enabled(weight.device.type)


class _GradientAfterwards(torch.autograd.Function):
    """A place for each step, to which the gradient of the step's result goes; it holds nothing."""

    @staticmethod
    def forward(
        ctx: Any, weight: Tensor, given: list[Tensor], steps: int, rows: int
    ) -> Float[Tensor, "step row made"]:
        ctx.given = given
        return weight.new_zeros(()).expand(steps, rows, weight.shape[0])

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, None, None, None]:
        """DW = sum over steps and rows of dy x'."""
        used = len(ctx.given)
        together = torch.cat(ctx.given)
        return slope[:used].flatten(0, 1).T @ together, None, None, None


class _Step(torch.autograd.Function):
    """One step of a loop: its gradient goes on to what it was given, and to its place."""

    @staticmethod
    def forward(ctx: Any, given: Tensor, _: Tensor, there: Apply, back: Apply) -> Tensor:
        ctx.back = back
        return there(given)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor | None, Tensor, None, None]:
        """Dx = W' dy."""
        return ctx.back(slope) if ctx.needs_input_grad[0] else None, slope, None, None


def _afterwards(weight: Tensor, given: list[Tensor], steps: int, rows: int) -> Tensor:
    return _GradientAfterwards.apply(weight, given, steps, rows)  # type: ignore[no-untyped-call]


def _step(given: Tensor, place: Tensor, there: Apply, back: Apply) -> Tensor:
    return _Step.apply(given, place, there, back)  # type: ignore[no-untyped-call]
