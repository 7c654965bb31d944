"""Blends: from weights and values to a context."""

from abc import ABC, abstractmethod

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.kernels import recurrence
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


class Recurrence(Blend):
    """Goes through the values in their order; each moves a state as far as its weight says.

    The context is the last state, from zero on. A value without weight leaves the state as it is,
    so filling costs nothing. What is made of the values alone is made for all before the loop.
    """

    @property
    @abstractmethod
    def maps(self) -> int:
        """How many maps of the state there are, each as large as the state."""

    def __init__(self, size: int, *, value_size: int | None = None) -> None:
        super().__init__()
        value_size = size if value_size is None else value_size
        if size < 1 or value_size < 1:
            raise ValueError(
                f"{type(self).__name__} needs sizes above 0, but size={size} and "
                f"value_size={value_size}"
            )
        self.from_value = nn.Linear(value_size, self.maps * size)
        self.from_state = nn.Parameter(torch.empty(self.maps * size, size))
        for block in self.from_state.data.chunk(self.maps):
            nn.init.orthogonal_(block)

    def states(self, weights: Weights, value: Value) -> Float[Tensor, "*#batch query key size"]:
        """The state after each value, for each query."""
        if value.shape[-1] != self.from_value.in_features:
            raise ValueError(
                f"{type(self).__name__} was made for value_size={self.from_value.in_features}, "
                f"but the values have size {value.shape[-1]}"
            )
        # Steps first while it is made, since the loop reads all examples of a step together.
        given = self.from_value(value.transpose(0, -2)).transpose(0, -2)
        return recurrence.states(given, weights, self.from_state)

    def forward(self, weights: Weights, value: Value) -> Float[Tensor, "*#batch seen size"]:
        """The last state of each query; zero where there are no values."""
        states = self.states(weights, value)
        return states[..., -1, :] if states.shape[-2] else states.sum(dim=-2)


class GatedRecurrence(Recurrence):
    """The weight gates a gated recurrent unit: h' = w GRU(v, h) + (1 - w) h.

    The episode of Dynamic Memory Networks, Kumar et al. 2016, section 2.3.
    https://arxiv.org/abs/1506.07285 The unit is u = sigmoid(W_u v + U_u h), r = sigmoid(W_r v +
    U_r h), n = tanh(W v + r * U h), GRU = u n + (1 - u) h, with biases beside W. Where all weights
    are one, it is that unit and nothing else. U starts orthogonal.
    """

    maps = 3


class AttentionRecurrence(Recurrence):
    """The weight stands for the update gate of a gated recurrent unit: h' = w n + (1 - w) h.

    The attention based GRU of Dynamic Memory Networks for Visual and Textual Question Answering,
    Xiong, Merity, Socher 2016, section 3.3. https://arxiv.org/abs/1603.01417 There is one
    weight for the whole state, where the unit's own gate has one for each of its numbers. U starts
    orthogonal.
    """

    maps = 2
