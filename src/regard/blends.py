"""Blends: from weights and values to a context."""

from abc import ABC, abstractmethod

from torch import nn

from regard.shapes import Context, Number, Value, Weights, broadcast


class Blend(nn.Module, ABC):
    """Makes one context per query out of the values and their weights."""

    @abstractmethod
    def forward(self, weights: Weights, value: Value) -> Context:
        """The context of each query."""


class WeightedSum(Blend):
    """The usual blend: c_i = sum_j w_ij v_j.

    ``dropout`` leaves out that share of the weights while training (Attention Is All You Need
    drops them here, too); the weights shown and recorded are those before it.
    """

    def __init__(self, dropout: Number = 0.0) -> None:
        super().__init__()
        if not 0 <= dropout < 1:
            raise ValueError(f"dropout must lie in [0, 1), but dropout={dropout}")
        self.dropout = dropout

    @property
    def drops(self) -> bool:
        """Whether weights are being left out now."""
        return self.training and self.dropout > 0

    def forward(self, weights: Weights, value: Value) -> Context:
        """w v, one matrix product."""
        return nn.functional.dropout(weights, self.dropout, self.training) @ value

    def extra_repr(self) -> str:
        return f"dropout={self.dropout}" if self.dropout else ""


class Modulate(Blend):
    """Scales instead of summing: every value stays in its place, times its own weight.

    c_j = w_j v_j. For masks over channels or pixels (Residual Attention Network, Wang et al.
    2017). With one query the context has a row per key; more queries have no one place to go,
    which is an error.
    """

    def forward(self, weights: Weights, value: Value) -> Context:
        """w_j v_j, a row per key."""
        if weights.shape[-2] != 1:
            raise ValueError(
                "Modulate scales each value by one weight, so there must be one query, "
                f"but there are {weights.shape[-2]}; WeightedSum() takes any number"
            )
        return weights.mT * value


class Pick(Blend):
    """One value for each query, that of the largest weight, times the weight: c_i = w_ij v_j.

    For one-hot weights, as ``Hard()`` gives, it equals ``WeightedSum`` and reads one value instead
    of all: what hard attention saves when it is used. The gradient of weights that were not picked
    is zero.
    """

    def forward(self, weights: Weights, value: Value) -> Context:
        """w_ij v_j of the best j; zero where there are no values."""
        if value.shape[-2] == 0:
            return weights @ value
        most, place = weights.max(dim=-1, keepdim=True)
        shape = broadcast(weights.shape[:-2], value.shape[:-2])
        place = place.expand(*shape, -1, value.shape[-1])
        picked = value.expand(*shape, *value.shape[-2:]).gather(-2, place)
        return most * picked
