"""Several hops of one question over the same words, fused, forward and backward.

End-To-End Memory Networks, Sukhbaatar, Szlam, Weston, Fergus 2015, section 5.
https://arxiv.org/abs/1503.08895 With x_i the words before a place, time 1 being the last:

    m_i = A x_i + T_A(i)     c_i = C x_i + T_C(i)     u^1 = (q, ..., q)
    p_i = softmax(u . m_i)   o = sum_i p_i c_i        u' = H u + o, ReLU from unit ``straight`` on

``plain`` holds the equations in torch. The memories of a batch are never laid out side by side: one
example's is read from the tables, asked by all hops, and forgotten; on the way back it is read
again, and its slopes, products of a few rows, go straight to the tables.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from regard.kernels import choosing
from regard.kernels.rereading.operators import Rereading


class Tables(NamedTuple):
    """What is learned; A and C stand side by side, as do T_A and T_C."""

    words: Tensor  # word, 2 * size
    times: Tensor  # slot, 2 * size
    turn: Tensor  # H: size, size


class Reread(NamedTuple):
    """What came of it, all with gradients."""

    found: Tensor  # batch, size; the last u
    contexts: Tensor  # batch, hop, size; o
    scores: Tensor  # batch, hop, slot
    weights: Tensor  # batch, hop, slot


def usable(tables: Tables, words: Tensor) -> bool:
    """Whether the kernel takes these here and now; words that are not in the table it cannot."""
    size = len(tables.turn)
    return (
        choosing.usable(*tables)
        and not torch.jit.is_tracing()  # type: ignore[attr-defined, no-untyped-call]
        and tables.turn.shape == (size, size)
        and tables.words.shape[1] == tables.times.shape[1] == 2 * size
        and type(words) is Tensor
        and words.device.type == "cpu"
        and words.dtype in (torch.int32, torch.int64)
        and words.numel() > 0
        and words.shape[1] <= len(tables.times)
        and 0 <= int(words.min()) <= int(words.max()) < len(tables.words)
    )


def reread(tables: Tables, words: Tensor, straight: int, hops: int, asked: float) -> Reread:
    """So many hops over ``words`` (batch, slot), of which there may be fewer than times."""
    table, times, turn = tables.words, tables.times[: words.shape[1]], tables.turn
    tensors = (each.contiguous() for each in (table, times, turn, words.long()))
    return Reread(*Rereading.apply(*tensors, straight, hops, asked))  # type: ignore[no-untyped-call]
