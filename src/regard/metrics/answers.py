"""What answers that are choices cost, and which are wrong."""

import math

from jaxtyping import Bool, Float, Int
from torch import Tensor

Choices = Float[Tensor, "batch time answer choice"]
Right = Int[Tensor, "batch time answer"]
Judged = Bool[Tensor, " time"]


def nats_per_sequence(choices: Choices, targets: Right, counts: Judged) -> Float[Tensor, " batch"]:
    """-sum ln p of the right choices of all answers at the steps that count, for each sequence."""
    likely = choices[:, counts].log_softmax(dim=-1)
    right = likely.gather(-1, targets[:, counts].unsqueeze(-1))
    return -right.sum(dim=(1, 2, 3))


def wrong_answers(choices: Choices, targets: Right, counts: Judged) -> Bool[Tensor, "batch judged"]:
    """Which answers of each sequence are wrong when the likeliest choice is taken for each."""
    wrong = choices[:, counts].argmax(dim=-1) != targets[:, counts]
    return wrong.flatten(1)


def slope(places: Float[Tensor, " point"], values: Float[Tensor, " point"]) -> float:
    """How much values rise where their places rise by one, by least squares.

    >>> from torch import tensor
    >>> slope(tensor([1.0, 2.0, 3.0]), tensor([5.0, 7.0, 9.0]))
    2.0
    """
    different = len(set(places.tolist()))
    if len(places) != len(values) or different < 2:
        raise ValueError(
            f"a slope takes two places or more, with a value each, but there are {len(places)} "
            f"places ({different} of them different) and {len(values)} values"
        )
    away = places - places.mean()
    return float((away * values).sum() / away.square().sum())


def correlation(first: Float[Tensor, " point"], second: Float[Tensor, " point"]) -> float:
    """Pearson's r, from -1 to 1; 0 where one of both is the same everywhere.

    >>> from torch import tensor
    >>> correlation(tensor([1.0, 2.0, 3.0]), tensor([9.0, 7.0, 5.0]))
    -1.0
    """
    one, other = first - first.mean(), second - second.mean()
    both = float(one.square().sum() * other.square().sum())
    return float((one * other).sum()) / math.sqrt(both) if both else 0.0
