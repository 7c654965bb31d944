"""Windows: where a query may look, and how its weights fade towards the edge."""

from abc import ABC, abstractmethod

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.shapes import Mask, Number, Query, Taper, Weights


class Window(nn.Module, ABC):
    """Narrows what each query may see, by the query itself."""

    @abstractmethod
    def forward(self, query: Query, mask: Mask | None, length: int) -> tuple[Mask | None, Taper]:
        """What may be seen of ``length`` keys, and what becomes of the weights inside."""


class Everywhere(Window):
    """No window: every permitted key, and the weights as they are."""

    def forward(self, query: Query, mask: Mask | None, length: int) -> tuple[Mask | None, Taper]:
        """The mask as it came."""
        return mask, _unchanged


class Predictive(Window):
    """Luong's local-p: each query predicts a place, sees ``radius`` around it, and fades outwards.

    p_t = S sigmoid(v_p . tanh(W_p q)), weights times exp(-(s - p_t)^2 / (2 sigma^2)) with
    sigma = radius / 2. Effective Approaches to Attention-based Neural Machine Translation,
    Luong, Pham, Manning 2015, eqs. (9), (10). https://arxiv.org/abs/1508.04025
    S is the number of keys that the query may see, not the padded length, and s counts these from
    zero. As in the paper the weights are not brought back to sum to one.
    """

    def __init__(self, *, query_size: int, radius: Number, hidden_size: int | None = None) -> None:
        super().__init__()
        hidden_size = query_size if hidden_size is None else hidden_size
        for name, size in (
            ("query_size", query_size), ("radius", radius), ("hidden_size", hidden_size)
        ):  # fmt: skip
            if not size > 0:
                raise ValueError(f"Predictive needs {name} above 0, but {name}={size}")
        self.radius = radius
        self.from_query = nn.Linear(query_size, hidden_size, bias=False)  # W_p
        self.to_place = nn.Linear(hidden_size, 1, bias=False)  # v_p

    def forward(self, query: Query, mask: Mask | None, length: int) -> tuple[Mask, Taper]:
        """The keys within the radius of the predicted place, and the Gaussian around it."""
        permitted = query.new_ones(1, length, dtype=torch.bool) if mask is None else mask
        place = permitted.cumsum(dim=-1) - 1  # s, counted over the permitted keys
        # Half precision cannot tell neighbours beyond the 256th, so places are never in it.
        with torch.autocast(query.device.type, enabled=False):
            distance = place - self.centre(query, permitted)
            gaussian = torch.exp(-2 * (distance / self.radius).square())  # sigma = radius / 2
        near = distance.abs() <= self.radius
        return permitted & near, lambda weights: weights * gaussian.to(weights.dtype)

    def centre(self, query: Query, permitted: Mask) -> Float[Tensor, "*#batch query 1"]:
        """p_t, the place that each query predicts."""
        if query.shape[-1] != self.from_query.in_features:
            raise ValueError(
                f"Predictive was made for query_size={self.from_query.in_features}, but the query "
                f"has size {query.shape[-1]}"
            )
        seen = permitted.sum(dim=-1, keepdim=True)  # S
        exact = torch.promote_types(query.dtype, torch.float32)
        hidden = nn.functional.linear(query.to(exact), self.from_query.weight.to(exact)).tanh()
        return seen * nn.functional.linear(hidden, self.to_place.weight.to(exact)).sigmoid()

    def extra_repr(self) -> str:
        return f"radius={self.radius}"


def _unchanged(weights: Weights) -> Weights:
    return weights
