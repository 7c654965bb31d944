"""Scores that are a network with one hidden layer: additive and concat."""

from abc import abstractmethod

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.kernels import additive
from regard.linear import WideLinear
from regard.scores.base import Score, check_size, positive
from regard.shapes import Key, Query, Scores

Hidden = Float[Tensor, "*#batch query hidden"]
PreparedKey = Float[Tensor, "*#batch key hidden"]


class HiddenLayer(Score):
    """Scores of the form v . tanh(ask(q) + prepare(k)), which one fused kernel can work out."""

    vector: Float[Tensor, " hidden"]  # v

    @abstractmethod
    def ask(self, query: Query) -> Hidden:
        """The query's share of the hidden layer."""

    @abstractmethod
    def prepare(self, key: Key) -> PreparedKey:
        """The key's share of the hidden layer."""

    def compare(self, query: Query, prepared: PreparedKey) -> Scores:
        """v . tanh(W q + U k) for every pair, without a query x key x hidden tensor."""
        return additive.scores(self.ask(query), prepared, self.vector)


class Additive(HiddenLayer):
    """Bahdanau's score: v . tanh(W q + U k), a small network with one hidden layer.

    Neural Machine Translation by Jointly Learning to Align and Translate, Bahdanau, Cho, Bengio
    2015, appendix A.1.2. https://arxiv.org/abs/1409.0473
    As in the paper, none of the three matrices has a bias. The paper starts v at zero, which makes
    the first weights uniform but learns slowly; here v starts uniform in +-1/sqrt(hidden).
    """

    def __init__(self, *, query_size: int, key_size: int, hidden_size: int) -> None:
        super().__init__()
        positive("Additive", query_size=query_size, key_size=key_size, hidden_size=hidden_size)
        self.from_query = nn.Linear(query_size, hidden_size, bias=False)  # W_a
        self.from_key = WideLinear(key_size, hidden_size, bias=False)  # U_a
        self.vector = nn.Parameter(_start(hidden_size))  # v_a

    def ask(self, query: Query) -> Hidden:
        """W q."""
        check_size(self, "query", self.from_query.in_features, query.shape[-1])
        return self.from_query(query)

    def prepare(self, key: Key) -> PreparedKey:
        """U k."""
        check_size(self, "key", self.from_key.in_features, key.shape[-1])
        return self.from_key(key)


class Concat(HiddenLayer):
    """Luong's concat score: v . tanh(W [q; k]), one matrix over query and key joined.

    Luong, Pham, Manning 2015, section 3.1 "concat". https://arxiv.org/abs/1508.04025
    The columns of W split into those that meet the query and those that meet the key, so it is
    ``Additive`` with W = [W_q W_k], and is worked out that way: nothing is ever joined.
    """

    def __init__(self, *, query_size: int, key_size: int, hidden_size: int) -> None:
        super().__init__()
        positive("Concat", query_size=query_size, key_size=key_size, hidden_size=hidden_size)
        self.query_size = query_size
        self.key_size = key_size
        self.from_both = nn.Linear(query_size + key_size, hidden_size, bias=False)  # W_a
        self.vector = nn.Parameter(_start(hidden_size))  # v_a

    def ask(self, query: Query) -> Hidden:
        """The first columns of W, times q."""
        check_size(self, "query", self.query_size, query.shape[-1])
        return nn.functional.linear(query, self.from_both.weight[:, : self.query_size])

    def prepare(self, key: Key) -> PreparedKey:
        """The other columns of W, times k."""
        check_size(self, "key", self.key_size, key.shape[-1])
        return nn.functional.linear(key, self.from_both.weight[:, self.query_size :])


def _start(size: int) -> Float[Tensor, " hidden"]:
    """Where v starts: as wide as a linear layer of one output would."""
    bound = size**-0.5
    return torch.empty(size).uniform_(-bound, bound)
