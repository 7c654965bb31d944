"""The equations that the compiled functions equal, in torch: where they cannot run.

``regard.models.MemN2N`` holds them for reading, part by part. Here no memory is laid out: a state
is compared with each distinct sentence and with each time of a batch, and a slot's score is the sum
of its sentence's and of its time's; what was seen is blended in the same way. With few distinct
sentences in many slots, that is far less work.
"""

# ruff: noqa: PLR0913, PLR0917  (those of the compiled function)

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, embedding, linear, pad


def loss(
    tables: Tensor,
    turn: Tensor,
    roles: list[int],
    shares: Tensor,
    time_shares: Tensor,
    words: int,
    straight: int,
    room: int,
    sentences: Tensor,
    rows: Tensor,
    times: Tensor,
    asked: Tensor,
    right: Tensor,
) -> tuple[Tensor, Tensor]:
    """The loss summed over a batch, and how many answers were wrong.

    ``sentences`` are the distinct ones, ``rows`` (batch, slot) and ``asked`` say which is where.
    ``shares`` are those of each sentence, or of all; a slot of time -1 is empty, and its sentence
    the one without words.
    """
    flat = tables.flatten(1)
    encoded = (embedding(sentences, flat, padding_idx=0) * shares).sum(dim=1)
    # What can be compared: sentences, times, and between them a row of zeros for no time.
    things = torch.cat([encoded, pad(flat[words:] * time_shares, (0, 0, 1, 0))])
    known = things.view(len(things), *tables.shape[1:]).unbind(dim=1)
    index, bias = _places(rows, times, len(sentences), room, tables)
    hops = (len(roles) - 2) // 2
    state = known[roles[0]].index_select(0, asked)
    for key, value in zip(roles[2 : 2 + hops], roles[2 + hops :], strict=True):
        found = (state @ known[key].t()).gather(1, index)
        scores = found.view(len(rows), 2, -1).sum(dim=1)
        weights = scores if bias is None else (scores + bias).softmax(dim=1)
        shown = torch.zeros_like(state[:, :1]).expand(-1, len(things))
        shown = shown.scatter_add(1, index, weights.repeat(1, 2))
        kept = state if turn.numel() == 0 else linear(state, turn.flatten(1))
        state = _bend(torch.addmm(kept, shown, known[value]), straight)
    logits = pad(linear(state, tables[1:words, roles[1]]), (1, 0))
    return cross_entropy(logits, right, reduction="sum"), logits.argmax(dim=1).ne(right).sum()


def _places(
    rows: Tensor, times: Tensor, zero: int, room: int, like: Tensor
) -> tuple[Tensor, Tensor | None]:
    """Each slot's sentence and time among the things, and what its score needs for a softmax.

    Empty slots are rows of zeros. In a softmax they get the lowest score, and one column more
    stands for as many of them as there is room for.
    """
    empty = times < 0
    when = times.clamp(min=0) + zero
    if room < 0:
        return torch.cat([rows, when], dim=1), None
    lowest = like.new_full((), torch.finfo(like.dtype).min)
    bias = torch.where(empty, lowest, torch.zeros_like(lowest))
    if room > 0:
        left = (room - (~empty).sum(dim=1, keepdim=True)).clamp(min=0).to(like.dtype)
        bias = torch.cat([bias, left.log()], dim=1)
        rows, when = pad(rows, (0, 1), value=zero), pad(when, (0, 1), value=zero)
    return torch.cat([rows, when], dim=1), bias


def _bend(state: Tensor, straight: int) -> Tensor:
    """ReLU from unit ``straight`` on."""
    size = state.shape[1]
    if straight >= size:
        return state
    kept, bent = state.tensor_split([straight], dim=1)
    return torch.cat([kept, bent.relu()], dim=1)
