"""A whole sequence and the way back: products by torch, everything else by compiled functions.

The slopes of weights are one product over all rows and steps, when the slopes of the sums are
there.
"""

# ruff: noqa: PLR0913, PLR0917  (those of the function that torch differentiates)

from typing import NamedTuple

import torch
from torch import Tensor

from regard.kernels.packed import packed
from regard.kernels.pondering.steps import back, forth

USUAL = 20  # steps on an input that there is room for: memory that is not touched costs nothing


class Events(NamedTuple):
    """What happened to each row at each step that it took."""

    gates: Tensor  # event, 4 * size or size
    before: Tensor  # event, size; the output of the step before
    memories: Tensor  # event, size or 0; the cell before
    after: Tensor  # event, size
    cells: Tensor  # event, size or 0
    curved: Tensor  # event, size or 0; tanh of the cell
    probabilities: Tensor  # event
    weights: Tensor  # event
    rows: Tensor  # event; of the batch


Segments = list[list[tuple[int, int]]]  # for each input, of each step: its first event, how many


class Run(NamedTuple):
    """What came of it, and all that happened on the way."""

    outputs: Tensor  # time, batch, size
    remainder: Tensor  # time, batch
    counts: Tensor  # time, batch
    events: Events
    segments: Segments


class Notebook:
    """Room for events, which grows where rows ponder for longer than usual."""

    def __init__(self, like: Tensor, sizes: tuple[int, int, int], events: int) -> None:
        wide, size, memory = sizes

        def made(width: int) -> Tensor:
            return like.new_empty(events, width)

        self.events = Events(
            gates=made(wide),
            before=made(size),
            memories=made(memory),
            after=made(size),
            cells=made(memory),
            curved=made(memory),
            probabilities=like.new_empty(events),
            weights=like.new_empty(events),
            rows=like.new_empty(events, dtype=torch.int64),
        )
        self.arrays = [each.numpy() for each in self.events]

    def begin(self, start: int, hidden: Tensor, cell: Tensor) -> None:
        """Note all rows of a batch, as they are before the first step on an input."""
        end = start + len(hidden)
        self.make_room(end, start)
        rows = self.events.rows
        rows[start:end] = torch.arange(len(hidden), device=rows.device)  # whatever the default is
        self.events.before[start:end] = hidden
        self.events.memories[start:end] = cell

    def make_room(self, wanted: int, used: int) -> None:
        """Have room for so many events; so many are there already."""
        if wanted <= len(self.events.rows):
            return
        larger = Events(*(each.new_empty(2 * wanted, *each.shape[1:]) for each in self.events))
        for old, new in zip(self.events, larger, strict=True):
            new[:used] = old[:used]
        self.events, self.arrays = larger, [each.numpy() for each in larger]


def run(
    raised: Tensor,
    lowered: Tensor,
    feedback: Tensor,
    hidden: Tensor,
    cell: Tensor,
    halting: Tensor,
    bias: Tensor,
    most: int,
    slack: float,
    keep: bool,
) -> Run:
    """Through all inputs; without ``keep``, events of the last alone stay there."""
    (time, batch, wide), size = raised.shape, feedback.shape[1]
    outputs = raised.new_zeros(time + 1, batch, size)
    cells = raised.new_zeros(time + 1, *cell.shape)
    outputs[0], cells[0] = hidden, cell
    spent = raised.new_zeros(time, batch)
    counts = torch.zeros_like(spent, dtype=torch.int64)
    room = batch * (time if keep else 1) * (min(most, USUAL) + 1)
    notes, feed = Notebook(raised, (wide, size, cell.shape[1]), room), packed(feedback)
    unit = halting.numpy(), bias.numpy()
    segments: Segments = []
    for now in range(time):
        start, count, share = (sum(segments[-1][-1]) if keep and now else 0), batch, raised[now]
        notes.begin(start, outputs[now], cells[now])
        result = [each.numpy() for each in (outputs[now + 1], cells[now + 1], spent[now])]
        segments.append([])
        while count:
            notes.make_room(start + 2 * count, start + count)
            fed = feed(notes.events.before[start : start + count]).numpy()
            segments[-1].append((start, count))
            last = len(segments[-1]) >= most
            going = forth(fed, *notes.arrays, share.numpy(), *unit, *result, counts[now].numpy(),
                          start, count, last, float(1 - slack))  # fmt: skip
            start, count, share = start + count, going, lowered[now]
    used = sum(segments[-1][-1])
    events = Events(*(each[:used] for each in notes.events))
    return Run(outputs[1:].clone(), 1 - spent, counts, events, segments)


class Slopes(NamedTuple):
    """Those of what the way there was given."""

    raised: Tensor
    lowered: Tensor
    feedback: Tensor
    hidden: Tensor
    cell: Tensor
    halting: Tensor
    bias: Tensor


def descend(
    to_outputs: Tensor,
    to_remainder: Tensor,
    feedback: Tensor,
    halting: Tensor,
    events: Events,
    segments: Segments,
) -> Slopes:
    """From the slopes of outputs and remainders to those of all that was given."""
    time, batch, _ = to_outputs.shape
    to_gates, to_logits = torch.empty_like(events.gates), torch.empty_like(events.weights)
    to_raised = events.gates.new_zeros(time, batch, events.gates.shape[1])
    to_lowered = torch.zeros_like(to_raised)
    fed, feed = torch.zeros_like(to_outputs[0]), packed(feedback.T)
    to_blended = torch.empty_like(fed)
    to_remembered = events.memories.new_zeros(batch, events.memories.shape[1])
    to_memory, held = torch.empty_like(to_remembered), events.weights.new_empty(batch)
    gates, _, *others = (each.numpy() for each in events)
    passed = [each.numpy() for each in (to_memory, held, to_gates, to_logits)]
    blends = to_blended.numpy(), to_remembered.numpy()
    for now in reversed(range(time)):
        torch.add(to_outputs[now], fed, out=to_blended)
        to_memory.zero_()
        remainder, later = to_remainder[now].numpy(), 0
        for number, (start, count) in reversed(list(enumerate(segments[now]))):
            share = (to_lowered if number else to_raised)[now].numpy()
            back(gates, *others, halting.numpy(), *blends, remainder, fed.numpy(), *passed, share,
                 start, count, later)  # fmt: skip
            fed, later = feed(to_gates[start : start + count]), count
        to_remembered.copy_(to_memory)
    return Slopes(
        to_raised,
        to_lowered,
        to_gates.T @ events.before,
        fed,
        to_memory,
        to_logits @ events.after,
        to_logits.sum().view(1),
    )
