"""All examples and the way back: hops by compiled functions, an example at a time.

The slopes of H and of times are products over all examples and hops at once, by torch.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from regard.kernels.rereading.steps import back, forth, scatter
from regard.kernels.threads import spread

EXAMPLES = 16  # of a piece of work


class Run(NamedTuple):
    """All that happened; states have one hop more, for those before the first."""

    states: Tensor  # batch, hop + 1, size
    contexts: Tensor  # batch, hop, size
    scores: Tensor  # batch, hop, slot
    weights: Tensor  # batch, hop, slot


def run(
    table: Tensor,
    times: Tensor,
    turn: Tensor,
    words: Tensor,
    straight: int,
    hops: int,
    asked: float,
) -> Run:
    """Through all hops."""
    (batch, slots), size = words.shape, len(turn)
    made = Run(
        table.new_full((batch, hops + 1, size), asked),
        table.new_empty(batch, hops, size),
        table.new_empty(batch, hops, slots),
        table.new_empty(batch, hops, slots),
    )
    read = *_arrays(table, times, turn), words.numpy(), straight
    arrays = [each.numpy() for each in made]

    def work(piece: int) -> None:
        forth(*read, *arrays, EXAMPLES * piece, min(EXAMPLES * (piece + 1), batch))

    spread(work, -(-batch // EXAMPLES), batch * hops * size * (2 * slots + size))
    return made


def descend(
    table: Tensor,
    times: Tensor,
    turn: Tensor,
    words: Tensor,
    straight: int,
    states: Tensor,
    weights: Tensor,
    slopes: tuple[Tensor, ...],
) -> tuple[Tensor, Tensor, Tensor]:
    """Slopes of ``table``, ``times`` and ``turn``, from those of all that is shown."""
    copies = (each.clone(memory_format=torch.contiguous_format) for each in slopes)
    to_found, to_contexts, to_scores, to_weights = copies  # which are added to
    to_states = torch.zeros_like(states)
    to_states[:, -1] = to_found
    (batch, slots), (hops, size) = words.shape, to_contexts.shape[1:]
    read = *_arrays(table, times, turn), words.numpy(), straight
    tensors = states, weights, to_states, to_contexts, to_scores, to_weights
    arrays = [each.numpy() for each in tensors]

    def work(piece: int) -> None:
        back(*read, *arrays, EXAMPLES * piece, min(EXAMPLES * (piece + 1), batch))

    terms = batch * hops * size
    spread(work, -(-batch // EXAMPLES), terms * (2 * slots + size))
    before = states[:, :-1].contiguous()
    sides = (to_scores, before), (weights, to_contexts)  # of keys and of values
    to_table = torch.zeros_like(table)
    result = to_table.view(len(table), 2, size).numpy()

    def share_out(side: int) -> None:
        factors, rows = sides[side]
        scatter(factors.numpy(), rows.numpy(), read[3], side, result)

    spread(share_out, len(sides), terms * 2 * slots)
    to_times = [factors.flatten(0, 1).T @ rows.flatten(0, 1) for factors, rows in sides]
    to_turn = to_states[:, 1:].flatten(0, 1).T @ before.flatten(0, 1)
    return to_table, torch.cat(to_times, dim=1).flip(0), to_turn


def _arrays(table: Tensor, times: Tensor, turn: Tensor) -> tuple[object, object, object]:
    """With their sides apart, and H as a table with one side."""
    size = len(turn)
    sides = table.view(-1, 2, size), times.view(-1, 2, size), turn.unsqueeze(1)
    return sides[0].numpy(), sides[1].numpy(), sides[2].numpy()
