"""Scores by distance: in space (Euclidean, inverse) or in the sequence (linear bias)."""

import torch
from jaxtyping import Float
from torch import Tensor

from regard.masks import positions_apart
from regard.scores.base import Score, positive
from regard.shapes import Key, Number, Query, Scores, broadcast


class Metric(Score):
    """Scores made of the distance |q - k| alone."""

    def prepare(self, key: Key) -> Key:
        """The key as it is."""
        return key

    def distance(self, query: Query, key: Key) -> Scores:
        """|q - k| for every pair, by differences: exact where the two nearly meet."""
        if query.shape[-1] != key.shape[-1]:
            raise ValueError(
                f"{type(self).__name__} measures the distance between query and key, so their "
                f"sizes must be equal, but the query has {query.shape[-1]} and the key has "
                f"{key.shape[-1]}; project one of them first"
            )
        if torch.compiler.is_exporting():  # other runtimes know no cdist
            return (query.unsqueeze(-2) - key.unsqueeze(-3)).norm(dim=-1)
        batch = broadcast(query.shape[:-2], key.shape[:-2])
        exact = torch.promote_types(query.dtype, torch.float32)  # cdist knows no half precision
        return torch.cdist(
            query.expand(*batch, *query.shape[-2:]).to(exact),
            key.expand(*batch, *key.shape[-2:]).to(exact),
            compute_mode="donot_use_mm_for_euclid_dist",
        ).to(query.dtype)


class Euclidean(Metric):
    """Similarity that falls with distance: 1 / (1 + |q - k|), one where they meet."""

    def compare(self, query: Query, prepared: Key) -> Scores:
        """1 / (1 + |q - k|)."""
        return 1 / (1 + self.distance(query, prepared))


class InverseDistance(Metric):
    """Similarity 1 / |q - k|, the lectures' look-up of a box's price by its size.

    Distances below ``epsilon`` count as that, since where query and key meet there is no inverse:
    the weights then go to that key.

    >>> from regard import Attention
    >>> from regard.normalisers import Proportional
    >>> look = Attention(InverseDistance(), Proportional())
    >>> sizes, prices = torch.tensor([[300.0], [400.0]]), torch.tensor([[30.0], [40.0]])
    >>> seen = look(torch.tensor([[360.0]]), sizes, prices)
    >>> seen.weights, seen.context
    (tensor([[0.4000, 0.6000]]), tensor([[36.]]))
    """

    def __init__(self, *, epsilon: Number = 1e-9) -> None:
        super().__init__()
        positive("InverseDistance", epsilon=epsilon)
        self.epsilon = epsilon

    def compare(self, query: Query, prepared: Key) -> Scores:
        """1 / max(|q - k|, epsilon)."""
        # The inverse must stay a number of its type; half precision ends at 65,504.
        smallest = max(self.epsilon, 2 / torch.finfo(query.dtype).max)
        return 1 / self.distance(query, prepared).clamp_min(smallest)


class Distance(Score):
    """A penalty on far positions: -slope |i - j|, to be added to another score.

    Train Short, Test Long: Attention with Linear Biases, Press, Smith, Lewis 2022.
    https://arxiv.org/abs/2108.12409 Positions are aligned at the last key, as in ``causal``.
    """

    def __init__(self, slope: Number) -> None:
        super().__init__()
        self.slope = slope

    def prepare(self, key: Key) -> Float[Tensor, "*#batch key 0"]:
        """Nothing of the key but its place."""
        return key[..., :0]

    def compare(self, query: Query, prepared: Float[Tensor, "*#batch key 0"]) -> Scores:
        """-slope |i - j|."""
        apart = positions_apart(query.shape[-2], prepared.shape[-2], device=query.device)
        batch = broadcast(query.shape[:-2], prepared.shape[:-2])
        return (-self.slope * apart.abs().to(query.dtype)).expand(*batch, -1, -1)

    def extra_repr(self) -> str:
        return f"slope={self.slope}"
