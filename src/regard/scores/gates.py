"""Scores of a fact for a question and for what is remembered so far: the gates of episodes."""

from jaxtyping import Float
from torch import Tensor, cat, nn

from regard.scores.base import Score, check_size, positive
from regard.shapes import Key, Query, Scores

Joined = Float[Tensor, "*#batch query both"]  # memory and question side by side
Fact = Float[Tensor, "*#batch key size"]
Share = Float[Tensor, "*#batch key hidden"]
Met = Float[Tensor, "*batch query key features"]


class GateScore(Score):
    """How much a fact c matters to a question q and to the memory m of it, by nine features.

    G = W_2 tanh(W_1 z + b_1) + b_2, z = [c, m, q, c * q, c * m, |c - q|, |c - m|, c W_b q,
    c W_b m], 7 size + 2 numbers. Ask Me Anything: Dynamic Memory Networks, Kumar et al. 2016,
    section 2.3. https://arxiv.org/abs/1506.07285 A query is [m; q], joined; the sigmoid around G is
    the normaliser. The columns of W_1 that meet c alone, or m and q alone, are used once for each
    key and each query, and z is never joined. Where c equals q, the slope of |c - q| is zero.
    """

    def __init__(self, size: int, *, hidden_size: int | None = None) -> None:
        super().__init__()
        hidden_size = size if hidden_size is None else hidden_size
        positive("GateScore", size=size, hidden_size=hidden_size)
        self.size = size
        self.from_query = nn.Linear(2 * size, hidden_size, bias=False)  # W_1 of m, q
        self.from_key = nn.Linear(size, hidden_size)  # W_1 of c, b_1
        self.from_both = nn.Linear(4 * size + 2, hidden_size, bias=False)  # W_1 of the others
        self.to_question = nn.Linear(size, size, bias=False)  # W_b
        self.to_score = nn.Linear(hidden_size, 1)  # W_2, b_2

    def prepare(self, key: Key) -> tuple[Fact, Share, Fact]:
        """c, what W_1 makes of it alone, and c W_b."""
        check_size(self, "key", self.size, key.shape[-1])
        return key, self.from_key(key), self.to_question(key)

    def compare(self, query: Joined, prepared: tuple[Fact, Share, Fact]) -> Scores:
        """G of every pair."""
        check_size(self, "query", 2 * self.size, query.shape[-1])
        key, share, turned = prepared
        memory, question = query.chunk(2, dim=-1)
        products = [(part @ turned.mT).unsqueeze(-1) for part in (question, memory)]
        met = self.from_both(cat([interactions(key, memory, question), *products], dim=-1))
        alone = self.from_query(query).unsqueeze(-2) + share.unsqueeze(-3)
        return self.to_score((met + alone).tanh()).squeeze(-1)


class InteractionScore(Score):
    """How much a fact matters to a question and to the memory of it, by how they meet alone.

    Z = W_2 tanh(W_1 z + b_1) + b_2, z = [c * q, c * m, |c - q|, |c - m|], 4 size numbers. Dynamic
    Memory Networks for Visual and Textual Question Answering, Xiong, Merity, Socher 2016,
    section 3.3. https://arxiv.org/abs/1603.01417 A query is [m; q], joined, as for ``GateScore``.
    """

    def __init__(self, size: int, *, hidden_size: int | None = None) -> None:
        super().__init__()
        hidden_size = size if hidden_size is None else hidden_size
        positive("InteractionScore", size=size, hidden_size=hidden_size)
        self.size = size
        self.from_both = nn.Linear(4 * size, hidden_size)  # W_1, b_1
        self.to_score = nn.Linear(hidden_size, 1)  # W_2, b_2

    def prepare(self, key: Key) -> Fact:
        """The key as it is."""
        check_size(self, "key", self.size, key.shape[-1])
        return key

    def compare(self, query: Joined, prepared: Fact) -> Scores:
        """Z of every pair."""
        check_size(self, "query", 2 * self.size, query.shape[-1])
        met = interactions(prepared, *query.chunk(2, dim=-1))
        return self.to_score(self.from_both(met).tanh()).squeeze(-1)


def interactions(key: Key, memory: Query, question: Query) -> Met:
    """[c * q, c * m, |c - q|, |c - m|] of every pair."""
    c = key.unsqueeze(-3)  # *batch 1     key size
    m, q = memory.unsqueeze(-2), question.unsqueeze(-2)  # *batch query 1   size
    return cat([c * q, c * m, (c - q).abs(), (c - m).abs()], dim=-1)
