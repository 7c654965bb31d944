"""Additive attention against the usual broadcasting version: forward, backward, projections."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from measuring import Comparison, Work
from regard import Attention
from regard.scores import Additive

BATCH, SIZE = 8, 256


class Broadcasting(nn.Module):
    """As it is usually written: a query x key x hidden tensor, then tanh, then one vector."""

    def __init__(self) -> None:
        super().__init__()
        self.from_query = nn.Linear(SIZE, SIZE, bias=False)
        self.from_key = nn.Linear(SIZE, SIZE, bias=False)
        self.vector = nn.Linear(SIZE, 1, bias=False)

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        """softmax(v . tanh(W q + U k)) k."""
        hidden = torch.tanh(self.from_query(query).unsqueeze(2) + self.from_key(key).unsqueeze(1))
        return self.vector(hidden).squeeze(-1).softmax(dim=-1) @ key


def works(length: int) -> tuple[Work, Work]:
    """One training step of the layer, either way."""
    torch.manual_seed(0)
    query = torch.randn(BATCH, length, SIZE, requires_grad=True)
    key = torch.randn(BATCH, length, SIZE, requires_grad=True)
    naive = Broadcasting()
    look = Attention(Additive(query_size=SIZE, key_size=SIZE, hidden_size=SIZE))

    def step(layer: nn.Module, context: Callable[[], Tensor]) -> None:
        query.grad = key.grad = None
        layer.zero_grad()
        torch.autograd.backward(context().sum())

    return (
        lambda: step(naive, lambda: naive(query, key)),
        lambda: step(look, lambda: look(query, key).context),
    )


def decoding(keys: int) -> tuple[Work, Work]:
    """One query over few keys, as a decoder asks: ours keeps them, the peer projects them anew."""
    torch.manual_seed(0)
    query, key = torch.randn(64, 1, SIZE), torch.randn(64, keys, SIZE)
    naive = Broadcasting()
    look = Attention(Additive(query_size=SIZE, key_size=SIZE, hidden_size=SIZE))
    memory = look.remember(key)

    def run(context: Callable[[], Tensor]) -> None:
        with torch.no_grad():
            for _ in range(20):
                context()

    return lambda: run(lambda: naive(query, key)), lambda: run(lambda: look(query, memory).context)


PEER = "broadcasting"
OFF = (("REGARD_KERNELS", "off"),)
COMPARISONS = [
    Comparison("additive, length 128", PEER, lambda: works(128), at_least=12),
    Comparison("additive, length 256", PEER, lambda: works(256), at_least=17),
    Comparison("additive, length 512", PEER, lambda: works(512), at_least=50),
    Comparison("additive, length 128, no kernel", PEER, lambda: works(128), 2.5, environment=OFF),
    Comparison("additive, length 256, no kernel", PEER, lambda: works(256), 2.5, environment=OFF),
    Comparison("additive, length 512, no kernel", PEER, lambda: works(512), 2.5, environment=OFF),
    Comparison("additive, length 128, memory", PEER, lambda: works(128), 15, kind="memory"),
    Comparison("additive, length 512, memory", PEER, lambda: works(512), 50, kind="memory"),
    Comparison("additive, length 1024, memory", "1 GB", lambda: works(1024), 1, kind="limit"),
    Comparison("one query over 30 keys kept ready, inference", PEER, lambda: decoding(30), 1),
    Comparison("one query over 200 keys kept ready, inference", PEER, lambda: decoding(200), 1),
]
