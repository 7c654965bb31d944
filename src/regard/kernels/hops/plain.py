"""What the compiled functions do, in torch: where they cannot run.

``regard.models.MemN2N`` holds the equations for reading, part by part. Here no memory is laid out:
a state is compared with each distinct sentence and with each time of a batch, and a slot's score is
the sum of its sentence's and of its time's; what was seen is blended in the same way. With few
distinct sentences in many slots, that is far less work: so little that autograd would take longer
over its notes than the work takes. Hence the way back is written down, as it is in ``hopping``.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, embedding, linear, pad

from regard.kernels.hops import Network


class Batch(NamedTuple):
    """Questions about stories; ``rows`` and ``asked`` say which of the sentences is where."""

    sentences: Tensor  # sentence, word: the distinct ones
    rows: Tensor  # batch, slot: the one without words where nothing is
    filled: Tensor  # batch, slot
    times: Tensor  # batch, slot: 1 = the latest, 0 = none
    asked: Tensor  # batch
    right: Tensor  # batch: which word


@torch.no_grad()
def slopes(network: Network, batch: Batch, room: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The loss summed over a batch, how many answers were wrong, slopes by tables and by turn.

    The shares of ``network`` are here those of each sentence of the batch, or of all.
    """
    tables, turn, roles, shares, time_shares, words, straight = network
    flat, no_time, hops = tables.flatten(1), len(batch.sentences), (len(roles) - 2) // 2
    encoded = (embedding(batch.sentences, flat) * shares).sum(dim=1)
    # What can be compared: sentences, times, and between them a row of zeros for no time.
    things = torch.cat([encoded, pad(flat[words:] * time_shares, (0, 0, 1, 0))])
    to_flat, to_turn, to_things = map(torch.zeros_like, (flat, turn, things))
    known, to_known = (each.view(-1, *tables.shape[1:]).unbind(1) for each in (things, to_things))
    slots, trail = _slots(batch, no_time, room, tables.dtype), []
    state = known[roles[0]].index_select(0, batch.asked)
    uses = list(zip(roles[2 : 2 + hops], roles[2 + hops :], strict=True))
    for keys, values in uses:
        trail.append(_hop(slots, turn, straight, state, known[keys], known[values]))
        state = trail[-1].after
    to_tables, answers = to_flat.view(tables.shape), tables[:words, roles[1]]
    loss, wrong, to_logits = _answer(linear(state, answers), batch.right)
    to_tables[:words, roles[1]].addmm_(to_logits.t(), state)
    to_state = to_logits @ answers
    for hop, (keys, values) in zip(reversed(trail), reversed(uses), strict=True):
        to_slots = to_known[keys], to_known[values]
        to_state = _hop_back(slots, turn, straight, hop, to_state, *to_slots, to_turn)
    to_known[roles[0]].index_add_(0, batch.asked, to_state)
    to_words = to_things[:no_time].unsqueeze(1) * shares
    to_flat.index_add_(0, batch.sentences.flatten(), to_words.flatten(0, 1))
    to_flat[words:] = to_things[no_time + 1 :] * time_shares
    to_flat[0].zero_()  # no word: it stays zero
    return loss, wrong, to_tables, to_turn


class Slots(NamedTuple):
    """Which of the things are a slot's sentence and its time, and what its score needs."""

    rows: Tensor  # batch, slot
    times: Tensor  # batch, slot
    bias: Tensor | None  # batch, slot: for a softmax; None where scores stay as they are

    def collect(self, found: Tensor) -> Tensor:
        """What was found in each slot, from what was found in each thing."""
        return found.gather(1, self.rows) + found.gather(1, self.times)

    def spread(self, given: Tensor, things: int) -> Tensor:
        """What each thing is given, from what each slot is given: the way back."""
        result = given.new_zeros(len(given), things)
        return result.scatter_add_(1, self.rows, given).scatter_add_(1, self.times, given)

    def weigh(self, scores: Tensor) -> Tensor:
        """Make weights of scores."""
        return scores if self.bias is None else (scores + self.bias).softmax(dim=1)

    def weigh_back(self, weights: Tensor, to_weights: Tensor) -> Tensor:
        """The slopes of scores, in a softmax ds_i = p_i dp_i - p_i sum_j p_j dp_j."""
        if self.bias is None:
            return to_weights
        each = weights * to_weights
        return torch.addcmul(each, weights, each.sum(dim=1, keepdim=True), value=-1)


def _slots(batch: Batch, no_time: int, room: int, kind: torch.dtype) -> Slots:
    """Where things are; in a softmax one slot more stands for all those that are empty.

    As the others stand for one sentence or, being empty, for none, each slot's score goes up by the
    logarithm of its number. That of none is the lowest number there is: infinity makes NaN of a
    story without sentences.
    """
    times = batch.times * batch.filled + no_time
    if room == -1:
        return Slots(batch.rows, times, None)
    ones = batch.filled.to(kind)
    filled = ones.sum(dim=1, keepdim=True)
    empty = torch.ones_like(filled) if room == -2 else (room - filled).clamp_(min=0)
    bias = torch.cat([ones, empty], dim=1).log_().clamp_(min=torch.finfo(kind).min)
    rows, times = (pad(each, (0, 1), value=no_time) for each in (batch.rows, times))
    return Slots(rows, times, bias)


class Hop(NamedTuple):
    """One look: the question before and after it, what it saw, and how much of each."""

    before: Tensor
    keys: Tensor  # thing, size
    values: Tensor  # thing, size
    weights: Tensor  # batch, slot
    shown: Tensor  # batch, thing: the weights, where they went
    after: Tensor


def _hop(
    slots: Slots, turn: Tensor, straight: int, before: Tensor, keys: Tensor, values: Tensor
) -> Hop:
    """Look once, and update the question."""
    weights = slots.weigh(slots.collect(linear(before, keys)))
    shown = slots.spread(weights, len(keys))
    kept = linear(before, turn.squeeze(1)) if turn.numel() else before
    after = torch.addmm(kept, shown, values)
    if straight < after.shape[1]:
        after[:, straight:].relu_()
    return Hop(before, keys, values, weights, shown, after)


def _hop_back(
    slots: Slots, turn: Tensor, straight: int, hop: Hop, to_after: Tensor, to_keys: Tensor,
    to_values: Tensor, to_turn: Tensor,
) -> Tensor:  # fmt: skip
    """From the slopes of the question after a look those before it; the others are added to."""
    if straight < to_after.shape[1]:
        to_after[:, straight:] *= hop.after[:, straight:] > 0
    to_weights = slots.collect(linear(to_after, hop.values))
    to_found = slots.spread(slots.weigh_back(hop.weights, to_weights), len(hop.keys))
    to_values.addmm_(hop.shown.t(), to_after)
    to_keys.addmm_(to_found.t(), hop.before)
    if turn.numel():
        to_turn.squeeze(1).addmm_(to_after.t(), hop.before)
        to_after = to_after @ turn.squeeze(1)
    return torch.addmm(to_after, to_found, hop.keys)


def _answer(logits: Tensor, right: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """-log p(right), p = softmax of logits, how many were wrong, and the slopes of logits.

    Those are p, less 1 at the right word.
    """
    less = logits.new_full((len(right), 1), -1)
    to_logits = logits.softmax(dim=1).scatter_add_(1, right.unsqueeze(1), less)
    loss = cross_entropy(logits, right, reduction="sum")
    return loss, logits.argmax(dim=1).ne(right).sum(), to_logits
