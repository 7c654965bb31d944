"""Halting: a network takes as many steps on one input as it wants, and blends what they gave.

Adaptive Computation Time for Recurrent Neural Networks, Graves 2016, section 2.
https://arxiv.org/abs/1603.08983 The numbers of the equations are the paper's.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import isfinite
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.functional import pad

from regard.counts import check_counts
from regard.shapes import Number

SLACK = 0.01  # epsilon: what may be missing when a step is the last, so that one step can be enough

Probabilities = Float[Tensor, "*batch ponder"]  # h^n: of halting after each step
Taken = Bool[Tensor, "*batch ponder"]  # True for every step up to the last


class Halted(NamedTuple):
    """How the steps on one input share its answer among them."""

    weights: Float[Tensor, "*batch ponder"]  # p^n, which sum to one
    steps: Int[Tensor, "*batch"]  # N
    remainder: Float[Tensor, "*batch"]  # R

    @property
    def ponder(self) -> Float[Tensor, "*batch"]:
        """rho = N + R (eq. 10), of which R has a gradient and N has none."""
        return self.steps + self.remainder


def steps_taken(probabilities: Probabilities, slack: Number = SLACK) -> Taken:
    """Step n is taken unless h^1 + ... + h^{n-1} >= 1 - epsilon (eq. 7).

    The number of steps, N, is how many are taken; where the sum never comes so far, all of them
    are, which is the limit M of eq. 13. So they are behind a NaN, which ``halt`` then shows.
    """
    before = pad(probabilities.detach().cumsum(dim=-1)[..., :-1], (1, 0))
    return (before >= 1 - slack).logical_not()


def halt(probabilities: Probabilities, taken: Taken) -> Halted:
    """p^n = h^n for n < N and R for n = N, with R = 1 - sum_{n<N} h^n (eqs. 6, 8).

    Steps that were not taken weigh nothing, whatever h is there. The remainder carries the gradient
    of the ponder cost: d rho / d h^n = -1 for n < N, and 0 for n = N (eq. 14).

    >>> h = torch.tensor([0.1, 0.3, 0.4, 0.5])
    >>> halted = halt(h, steps_taken(h))
    >>> halted.weights
    tensor([0.1000, 0.3000, 0.4000, 0.2000])
    >>> halted.ponder
    tensor(4.2000)
    """
    earlier = pad(taken[..., 1:], (0, 1))  # n < N
    spent = torch.where(earlier, probabilities, 0)
    remainder = 1 - spent.sum(dim=-1)
    weights = torch.where(taken ^ earlier, remainder.unsqueeze(-1), spent)
    return Halted(weights, taken.sum(dim=-1), remainder)


def choose_states(rows: Bool[Tensor, " batch"], these: Any, others: Any) -> Any:
    """Of every tensor the ``rows`` of these states, and the remaining rows of the others."""
    if isinstance(these, Tensor):
        return torch.where(rows.view(-1, *[1] * (these.dim() - 1)), these, others)
    chosen = [choose_states(rows, *parts) for parts in zip(these, others, strict=True)]
    return getattr(type(these), "_make", type(these))(chosen)


def blend_states(
    weights: Float[Tensor, "batch ponder"],
    states: Sequence[Any],
    taken: Bool[Tensor, "batch ponder"],
) -> Any:
    """s = sum_n p^n s^n (eq. 9) for every tensor of states that are tuples, nested in any way.

    A state whose step was not ``taken`` is not looked at: not even an infinite one matters.
    """
    first = states[0]
    if isinstance(first, Tensor):
        steps = torch.stack(list(states), dim=1)  # batch ponder ...
        steps = torch.where(taken.view(*taken.shape, *[1] * (steps.dim() - 2)), steps, 0)
        blended = weights.unsqueeze(1) @ steps.flatten(2) if steps.dim() > 2 else weights * steps
        return blended.view_as(first) if steps.dim() > 2 else blended.sum(dim=1)
    make = getattr(type(first), "_make", type(first))
    return make([blend_states(weights, parts, taken) for parts in zip(*states, strict=True)])


class Halting(nn.Module, ABC):
    """Says after each step how likely it is to be the last."""

    most: int  # M: the steps that one input may take
    slack: Number = SLACK

    @abstractmethod
    def forward(self, output: Float[Tensor, "batch size"], step: int) -> Float[Tensor, " batch"]:
        """h after so many steps, counted from 1, whose output is given."""


class HaltingUnit(Halting):
    """One unit that sees the network: h^n = sigmoid(W_h s^n + b_h) (eq. 5).

    As in the paper, b_h starts at 1, so that the first networks do not ponder without end; at most
    100 steps, epsilon 0.01.
    """

    def __init__(
        self, size: int, *, most: int = 100, slack: Number = SLACK, bias: Number = 1.0
    ) -> None:
        super().__init__()
        check_counts("HaltingUnit", size=size, most=most)
        if not 0 <= slack < 1:
            raise ValueError(f"slack must lie in [0, 1), but slack={slack}")
        if not isfinite(bias):
            raise ValueError(f"the bias must be finite, but bias={bias}; 1 is the paper's")
        self.most = most
        self.slack = slack
        self.to_probability = nn.Linear(size, 1)
        nn.init.constant_(self.to_probability.bias, bias)

    def forward(self, output: Float[Tensor, "batch size"], step: int) -> Float[Tensor, " batch"]:
        return self.to_probability(output).squeeze(-1).sigmoid()

    def as_unit(self, output: Float[Tensor, "batch size"]) -> tuple[Tensor, Tensor]:
        """W_h and b_h."""
        return self.to_probability.weight.squeeze(0), self.to_probability.bias

    def extra_repr(self) -> str:
        return f"most={self.most}, slack={self.slack}"


class FixedSteps(Halting):
    """The same number of steps on every input, of which the last alone answers.

    One step is the network as it is without halting. More are the "repeat" baseline of Comparing
    Fixed and Adaptive Computation Time for Recurrent Neural Networks, Fojo et al. 2018,
    https://arxiv.org/abs/1803.08165.
    """

    def __init__(self, steps: int = 1) -> None:
        super().__init__()
        check_counts("FixedSteps", steps=steps)
        self.most = steps

    def forward(self, output: Float[Tensor, "batch size"], step: int) -> Float[Tensor, " batch"]:
        return output.new_full((len(output),), float(step == self.most))

    def as_unit(self, output: Float[Tensor, "batch size"]) -> tuple[Tensor, Tensor]:
        """W_h and b_h of a unit that never halts by itself, so that the limit alone does."""
        return output.new_zeros(output.shape[-1]), output.new_full((1,), -torch.inf)

    def extra_repr(self) -> str:
        return f"steps={self.most}"
