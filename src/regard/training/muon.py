"""Muon: recurrent matrices change by a direction whose strength is the same every way."""

from collections.abc import Callable, Iterable
from math import inf
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.optim import Optimizer

from regard.shapes import Number

Squares = Float[Tensor, "square size size"]
CUBIC, QUINTIC = -4.7750, 2.0315  # beside 3.4445: steepest at zero, where small directions are


class Muon(Optimizer):
    """Momentum whose singular values are all made about one, for matrices; Adam for the rest.

    m' = momentum m + g, w' = w - matrix_rate UV' of g + momentum m' = U S V'. Muon: An optimizer
    for hidden layers in neural networks, Jordan et al. 2024, https://kellerjordan.github.io/posts/muon
    A recurrent network that must tell close numbers apart needs large weights in directions that
    its gradient is hardly ever strong in, which Adam reaches late. ``matrices`` says which these
    are: any that are made of squares, one on the other, as the gates of a recurrent unit are, or
    side by side, as a map of several vectors joined is; each square is taken by itself. Where it is
    not given, all of the first kind are. All else is changed as by Adam: biases, tables of words,
    and the matrices of inputs and outputs unless they are of such a shape, too. Parameters are
    given one by one, not in groups.
    """

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        *,
        rate: Number = 0.001,
        matrix_rate: Number = 0.02,
        momentum: Number = 0.95,
        betas: tuple[float, float] = (0.9, 0.999),
        matrices: Iterable[nn.Parameter] | None = None,
    ) -> None:
        for name, value in (("rate", rate), ("matrix_rate", matrix_rate)):
            if not 0 < value < inf:
                raise ValueError(f"{name} must be above 0 and finite, but it is {value}")
        for name, share in (("momentum", momentum), *(("each of betas", beta) for beta in betas)):
            if not 0 <= share < 1:
                raise ValueError(f"{name} must lie in [0, 1), but it is {share}")
        given = _each(parameters)
        chosen = filter(_in_a_column, given) if matrices is None else _each(matrices)
        turned = {id(each): each for each in chosen}
        for each in turned.values():
            if not of_squares(each):
                raise ValueError(
                    "Muon turns matrices that are made of squares, but one of matrices has the "
                    f"shape {tuple(each.shape)}; leave it to Adam"
                )
        groups: list[dict[str, Any]] = [
            {
                "params": [each for each in given if id(each) in turned],
                "lr": matrix_rate,
                "momentum": momentum,
            },
            {
                "params": [each for each in given if id(each) not in turned],
                "lr": rate,
                "betas": betas,
            },
        ]
        super().__init__(groups, {})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """One update by the gradients that are there."""
        loss = None if closure is None else torch.enable_grad()(closure)()
        turned, others = self.param_groups
        for each in turned["params"]:
            if each.grad is not None:
                self._turn(each, each.grad, turned["lr"], turned["momentum"])
        for each in others["params"]:
            if each.grad is not None:
                self._adapt(each, each.grad, others["lr"], others["betas"])
        return loss

    def _turn(self, matrix: Tensor, slope: Tensor, rate: float, momentum: float) -> None:
        state = self.state[matrix]
        if not state:
            state["momentum"] = torch.zeros_like(matrix)
        state["momentum"].mul_(momentum).add_(slope)
        ahead = slope + momentum * state["momentum"]
        column, upright = (ahead, matrix) if _tall(matrix) else (ahead.mT, matrix.mT)
        size = column.shape[1]
        turned = orthogonal(column.reshape(-1, size, size))
        upright.sub_(turned.view(upright.shape), alpha=rate)

    def _adapt(
        self, vector: Tensor, slope: Tensor, rate: float, betas: tuple[float, float]
    ) -> None:
        """Adam: A Method for Stochastic Optimization, Kingma, Ba 2015, algorithm 1."""
        state = self.state[vector]
        if not state:
            state["steps"] = 0
            state["mean"], state["square"] = torch.zeros_like(vector), torch.zeros_like(vector)
        state["steps"] += 1
        for name, moment, beta in zip(
            ("mean", "square"), (slope, slope.square()), betas, strict=True
        ):
            state[name].lerp_(moment, 1 - beta)
        first, second = (1 - beta ** state["steps"] for beta in betas)
        spread = (state["square"] / second).sqrt_().add_(1e-8)
        vector.addcdiv_(state["mean"], spread, value=-rate / first)


def of_squares(parameter: Tensor) -> bool:
    """Whether a matrix is a square, or several in a column or a row; a vector is none."""
    if parameter.dim() != 2 or min(parameter.shape) < 2:
        return False
    return max(parameter.shape) % min(parameter.shape) == 0


def _in_a_column(parameter: Tensor) -> bool:
    return of_squares(parameter) and _tall(parameter)


def _tall(matrix: Tensor) -> bool:
    return matrix.shape[0] >= matrix.shape[1]


def _each(parameters: Iterable[nn.Parameter]) -> list[nn.Parameter]:
    given = list(parameters)
    if not given:
        raise ValueError(
            "there is no parameter to change; model.parameters() gives those there are"
        )
    for each in given:
        if not isinstance(each, Tensor):
            raise TypeError(
                f"Muon takes parameters one by one, as model.parameters() gives them, but one of "
                f"them is a {type(each).__name__}: it finds its two groups itself"
            )
    return given


def orthogonal(squares: Squares, iterations: int = 5) -> Squares:
    """About U V' of each square U S V', by x' = 3.4445 x - 4.775 (xx')x + 2.0315 (xx')^2 x.

    After five times, singular values come to between 0.68 and 1.13 where they had been 0.005 of the
    length of the square or more, which changes little against one and is soon there; weaker ones
    stay below. A square of zeros stays one.
    """
    found = squares / (torch.linalg.matrix_norm(squares, keepdim=True) + 1e-7)
    for _ in range(iterations):
        gram = found @ found.mT
        steeper = torch.baddbmm(gram, gram, gram, beta=CUBIC, alpha=QUINTIC)
        found = torch.baddbmm(found, steeper, found, beta=3.4445)
    return found
