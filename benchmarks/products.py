"""Scaled dot products and several heads, against torch's own."""

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from measuring import Comparison, Work
from regard import Attention, MultiHead, record
from regard.masks import causal
from regard.scores import ScaledDot

SIZE, HEADS = 512, 8


def products(batch: int, length: int, masked: bool) -> tuple[Work, Work]:
    """softmax(q k' / sqrt d) v and its gradients."""
    torch.manual_seed(0)
    shape = (batch, HEADS, length, SIZE // HEADS)
    query, key, value = (torch.randn(shape, requires_grad=True) for _ in range(3))
    look, mask = Attention(ScaledDot()), causal(length) if masked else None

    def step(context: Tensor) -> None:
        query.grad = key.grad = value.grad = None
        torch.autograd.backward(context.sum())

    return (
        lambda: step(scaled_dot_product_attention(query, key, value, attn_mask=mask)),
        lambda: step(look(query, key, value, mask).context),
    )


class Heads:
    """torch's module and ours, with the same weights."""

    def __init__(self, batch: int, length: int) -> None:
        torch.manual_seed(0)
        self.theirs = nn.MultiheadAttention(SIZE, HEADS, batch_first=True)
        self.ours = MultiHead.from_torch(self.theirs)
        self.words = torch.randn(batch, length, SIZE)

    def train_theirs(self, need_weights: bool = False) -> None:
        """One step of self-attention."""
        self.theirs.zero_grad()
        context, _ = self.theirs(
            self.words,
            self.words,
            self.words,
            need_weights=need_weights,
            average_attn_weights=False,
        )
        context.sum().backward()

    def train_ours(self) -> None:
        """The same step."""
        self.ours.zero_grad()
        self.ours(self.words).context.sum().backward()

    def record_ours(self) -> None:
        """The same step while one head is recorded."""
        with record(self.ours, heads=[3]) as maps:
            self.train_ours()
        assert maps[""].weights.shape[1] == 1

    def infer_theirs(self) -> None:
        """A look without gradients, on torch's fast path."""
        with torch.no_grad():
            self.theirs.eval()(self.words, self.words, self.words, need_weights=False)

    def infer_ours(self) -> None:
        """The same look."""
        with torch.no_grad():
            self.ours.eval()(self.words)


def training(batch: int, length: int) -> tuple[Work, Work]:
    """Both steps."""
    heads = Heads(batch, length)
    return heads.train_theirs, heads.train_ours


def recording(batch: int, length: int) -> tuple[Work, Work]:
    """Torch without weights, ours with one head recorded."""
    heads = Heads(batch, length)
    return heads.train_theirs, heads.record_ours


def torch_with_weights(batch: int, length: int) -> tuple[Work, Work]:
    """What torch itself pays for weights."""
    heads = Heads(batch, length)
    return heads.train_theirs, lambda: heads.train_theirs(need_weights=True)


def inference(batch: int, length: int) -> tuple[Work, Work]:
    """Both looks."""
    heads = Heads(batch, length)
    return heads.infer_theirs, heads.infer_ours


SDPA = "scaled_dot_product_attention"
MHA = "nn.MultiheadAttention(need_weights=False)"
COMPARISONS = [
    Comparison("scaled dot, 32x8x128x64", SDPA, lambda: products(32, 128, False), at_most=1.1),
    Comparison("scaled dot, 8x8x512x64", SDPA, lambda: products(8, 512, False), at_most=1.1),
    Comparison("scaled dot, causal, 8x8x512x64", SDPA, lambda: products(8, 512, True), at_most=1.1),
    Comparison("MultiHead, 32x128x512", MHA, lambda: training(32, 128), at_most=1.1),
    Comparison("MultiHead, 8x512x512", MHA, lambda: training(8, 512), at_most=1.1),
    Comparison("MultiHead, 32x128x512, inference", MHA, lambda: inference(32, 128), at_most=1.1),
    Comparison("one head recorded, 32x128x512", MHA, lambda: recording(32, 128), at_most=1.5),
    Comparison("one head recorded, 8x512x512", MHA, lambda: recording(8, 512), at_most=1.5),
    Comparison("torch with weights, 32x128x512", MHA, lambda: torch_with_weights(32, 128)),
    Comparison("torch with weights, 8x512x512", MHA, lambda: torch_with_weights(8, 512)),
]
