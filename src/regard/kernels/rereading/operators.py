"""The hops as a function that torch can differentiate, twice."""

from typing import Any

from torch import Tensor
from torch.autograd import Function

from regard.kernels.following import by_equations, followed
from regard.kernels.rereading import plain
from regard.kernels.rereading.passes import descend, run

Four = tuple[Tensor, Tensor, Tensor, Tensor]


class Rereading(Function):
    """The last state, and contexts, scores and weights of each hop."""

    @staticmethod
    def forward(
        ctx: Any,
        table: Tensor,
        times: Tensor,
        turn: Tensor,
        words: Tensor,
        straight: int,
        hops: int,
        asked: float,
    ) -> Four:
        """See the package."""
        made = run(table, times, turn, words, straight, hops, asked)
        ctx.save_for_backward(table, times, turn, words, made.states, made.weights)
        ctx.numbers = straight, hops, asked
        return made.states[:, -1].clone(), made.contexts, made.scores, made.weights

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple[Tensor | None, ...]:
        """By the equations where the gradients themselves are looked at, or are many at once."""
        # Asked for once: checkpointing allows no more.
        table, times, turn, words, states, weights = ctx.saved_tensors
        straight, hops, asked = ctx.numbers
        if followed(slopes):
            found = by_equations(
                lambda *each: plain.reread(each[0], each[1], each[2], words, straight, hops, asked),
                (table, times, turn),
                slopes,
            )
        else:
            found = descend(table, times, turn, words, straight, states, weights, slopes)
        return *found, None, None, None, None
