"""The sequence as a function that torch can differentiate, twice.

Where gradients are looked at themselves, or many of them are wanted at once, they come from the
plain equations, at their price.
"""

# ruff: noqa: PLR0913, PLR0917  (torch prescribes the arguments)

from typing import Any

from torch import Tensor
from torch.autograd import Function

from regard.kernels.following import by_equations, followed
from regard.kernels.pondering import plain
from regard.kernels.pondering.passes import Events, descend, run

TENSORS = 7  # among what is taken


class Sequence(Function):
    """Outputs, remainders and steps of all inputs."""

    @staticmethod
    def forward(
        ctx: Any,
        raised: Tensor,
        lowered: Tensor,
        feedback: Tensor,
        hidden: Tensor,
        cell: Tensor,
        halting: Tensor,
        bias: Tensor,
        most: int,
        slack: float,
        keep: bool,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Without ``keep`` there is no way back."""
        tensors = raised, lowered, feedback, hidden, cell, halting, bias
        made = run(*tensors, most, slack, keep)
        if keep:
            ctx.save_for_backward(*tensors, *made.events)
            ctx.segments, ctx.limits = made.segments, (most, slack)
        ctx.mark_non_differentiable(made.counts)
        return made.outputs, made.remainder, made.counts

    @staticmethod
    def backward(
        ctx: Any, to_outputs: Tensor, to_remainder: Tensor, _: Tensor
    ) -> tuple[Tensor | None, ...]:
        """By the equations where the gradients themselves are looked at, or are many at once."""
        kept = ctx.saved_tensors  # asked for once: checkpointing allows no more
        inputs, events = kept[:TENSORS], Events(*kept[TENSORS:])
        slopes = to_outputs, to_remainder
        if followed(slopes):
            most, slack = ctx.limits
            found = by_equations(
                lambda *each: plain.ponder(*each, most, slack)[:2],  # type: ignore[call-arg]
                inputs,
                slopes,
            )
            return *found, None, None, None
        whole = to_outputs.contiguous(), to_remainder.contiguous()
        return *descend(*whole, inputs[2], inputs[5], events, ctx.segments), None, None, None
