"""Scores that are one inner product: dot, scaled dot, general, cosine."""

from abc import abstractmethod

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.scores.base import Score, check_size, positive
from regard.shapes import Key, Number, Query, Scores

Asked = Float[Tensor, "*#batch query size"]  # queries and keys where they meet: equally wide
PreparedKey = Float[Tensor, "*#batch key size"]


def scaled_product(asked: Asked, prepared: PreparedKey, *, scale: Number) -> Scores:
    """scale * q . k for every pair: one matrix product."""
    return (asked * scale) @ prepared.mT


class InnerProduct(Score):
    """Scores of the form scale * ask(q) . prepare(k), which one fused product can work out."""

    def ask(self, query: Query) -> Asked:
        """The query in the space where it meets the prepared keys."""
        return query

    def prepare(self, key: Key) -> PreparedKey:
        """The key in the space where it meets the query."""
        return key

    @abstractmethod
    def scale(self, size: int) -> Number:
        """The factor on products of vectors that are ``size`` wide."""

    def compare(self, query: Query, prepared: Float[Tensor, "*#batch key other"]) -> Scores:
        """The scores of each query against prepared keys: one matrix product."""
        asked = self.ask(query)
        self.check(asked, prepared)
        return scaled_product(asked, prepared, scale=self.scale(asked.shape[-1]))

    def check(self, asked: Asked, prepared: Float[Tensor, "*#batch key other"]) -> None:
        """Raise where the two sides of the product are not equally wide."""
        if asked.shape[-1] != prepared.shape[-1]:
            raise ValueError(
                f"{type(self).__name__} multiplies query and key coordinate by coordinate, so "
                f"their sizes must be equal, but the query has {asked.shape[-1]} and the key has "
                f"{prepared.shape[-1]}; General(query_size={asked.shape[-1]}, "
                f"key_size={prepared.shape[-1]}) learns a map between them"
            )


class Dot(InnerProduct):
    """The inner product q . k.

    Effective Approaches to Attention-based Neural Machine Translation, Luong, Pham, Manning
    2015, section 3.1 "dot". https://arxiv.org/abs/1508.04025

    >>> import torch
    >>> Dot()(torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 4.0], [5.0, 6.0]]))
    tensor([[11., 17.]])
    """

    def scale(self, size: int) -> Number:
        """One: the product as it is."""
        return 1.0


class ScaledDot(InnerProduct):
    """The inner product over the root of the size: q . k / sqrt(d).

    Attention Is All You Need, Vaswani et al. 2017, eq. (1). https://arxiv.org/abs/1706.03762
    For coordinates of unit variance q . k has variance d; the root brings it back to one.
    """

    def scale(self, size: int) -> Number:
        """1 / sqrt(d); vectors of no width have nothing to scale."""
        return max(size, 1) ** -0.5


class General(InnerProduct):
    """A learned inner product q . W k, for queries and keys of different sizes.

    Luong, Pham, Manning 2015, section 3.1 "general". https://arxiv.org/abs/1508.04025
    With W the identity it is ``Dot``.
    """

    def __init__(self, *, query_size: int, key_size: int) -> None:
        super().__init__()
        positive("General", query_size=query_size, key_size=key_size)
        self.to_query = nn.Linear(key_size, query_size, bias=False)  # W_a

    def prepare(self, key: Key) -> PreparedKey:
        """W k."""
        check_size(self, "key", self.to_query.in_features, key.shape[-1])
        return self.to_query(key)

    def ask(self, query: Query) -> Asked:
        """The query as it is, once it is known to fit."""
        check_size(self, "query", self.to_query.out_features, query.shape[-1])
        return query

    def scale(self, size: int) -> Number:
        """One: W carries its own."""
        return 1.0


class Cosine(InnerProduct):
    """The cosine of the angle between query and key, times a strength: beta cos(q, k).

    Neural Turing Machines, Graves, Wayne, Danihelka 2014, eqs. (5), (6).
    https://arxiv.org/abs/1410.5401 A vector shorter than ``epsilon`` counts as that long, so that
    a zero vector has cosine 0 and finite gradients.
    """

    def __init__(self, strength: Number = 1.0, *, epsilon: Number = 1e-8) -> None:
        super().__init__()
        positive("Cosine", strength=strength, epsilon=epsilon)
        self.strength = strength
        self.epsilon = epsilon

    def ask(self, query: Query) -> Asked:
        """q / |q|."""
        return self._unit(query)

    def prepare(self, key: Key) -> PreparedKey:
        """k / |k|."""
        return self._unit(key)

    def _unit(self, vector: Float[Tensor, "*batch size"]) -> Float[Tensor, "*batch size"]:
        exact = torch.promote_types(vector.dtype, torch.float32)  # epsilon is 0 in half precision
        whole = vector.to(exact)
        least = max(self.epsilon**2, torch.finfo(exact).tiny)
        square = whole.square().sum(dim=-1, keepdim=True).clamp_min(least)
        return (whole * square.rsqrt()).to(vector.dtype)

    def scale(self, size: int) -> Number:
        """The strength beta."""
        return self.strength

    def extra_repr(self) -> str:
        return f"strength={self.strength}"
