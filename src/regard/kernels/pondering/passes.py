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


class Run(NamedTuple):
    """All that happened; states have one row more, for that before the first input."""

    outputs: Tensor  # time + 1, batch, size
    cells: Tensor  # time + 1, batch, size or 0
    spent: Tensor  # time, batch; of the sum of probabilities, without the last
    counts: Tensor  # time, batch
    events: Events
    segments: list[list[tuple[int, int]]]  # for each input, of each step: its first event, how many


def room(like: Tensor, wide: int, size: int, memory: int, events: int) -> Events:
    """Arrays for so many events."""

    def made(width: int) -> Tensor:
        return like.new_empty(events, width)

    return Events(
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


def larger(events: Events, used: int) -> Events:
    """Twice the room, with what is there already."""
    made = Events(*(each.new_empty(2 * len(each), *each.shape[1:]) for each in events))
    for old, new in zip(events, made, strict=True):
        new[:used] = old[:used]
    return made


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
    inputs, steps = time if keep else 1, min(most, USUAL) + 1
    events = room(raised, wide, size, cell.shape[1], batch * inputs * steps)
    arrays = [each.numpy() for each in events]
    feed, everyone = packed(feedback), torch.arange(batch)
    unit = halting.numpy(), bias.numpy()
    segments: list[list[tuple[int, int]]] = []
    for now in range(time):
        start, count = (sum(segments[-1][-1]) if keep and now else 0), batch
        if start + 2 * batch > len(events.rows):
            events = larger(events, start)
            arrays = [each.numpy() for each in events]
        events.rows[start : start + batch] = everyone
        events.before[start : start + batch] = outputs[now]
        events.memories[start : start + batch] = cells[now]
        segments.append([])
        result = (
            outputs[now + 1].numpy(),
            cells[now + 1].numpy(),
            spent[now].numpy(),
            counts[now].numpy(),
        )
        share = raised[now].numpy()
        for number in range(1, most + 1):
            if start + 2 * count > len(events.rows):
                events = larger(events, start + count)
                arrays = [each.numpy() for each in events]
            fed = feed(events.before[start : start + count]).numpy()
            going = forth(
                fed, *arrays, share, *unit, *result, start, count, number == most, 1 - slack
            )
            segments[-1].append((start, count))
            start, count, share = start + count, going, lowered[now].numpy()
            if not going:
                break
    return Run(outputs, cells, spent, counts, events, segments)


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
    to_outputs: Tensor, to_remainder: Tensor, feedback: Tensor, halting: Tensor, made: Run
) -> Slopes:
    """From the slopes of outputs and remainders to those of all that was given."""
    (time, batch), events = made.spent.shape, made.events
    used = sum(made.segments[-1][-1])
    to_gates, to_logits = torch.empty_like(events.gates[:used]), events.weights.new_empty(used)
    to_raised = events.gates.new_zeros(time, batch, events.gates.shape[1])
    to_lowered = torch.zeros_like(to_raised)
    fed, feed = torch.zeros_like(made.outputs[0]), packed(feedback.T)
    to_blended, to_remembered = torch.empty_like(fed), torch.zeros_like(made.cells[0])
    to_memory, held = torch.empty_like(to_remembered), events.weights.new_empty(batch)
    gates, _, *others = (each.numpy() for each in events)
    passed = [each.numpy() for each in (to_memory, held, to_gates, to_logits)]
    blends = to_blended.numpy(), to_remembered.numpy()
    for now in reversed(range(time)):
        torch.add(to_outputs[now], fed, out=to_blended)
        to_memory.zero_()
        remainder, later = to_remainder[now].numpy(), 0
        for number, (start, count) in reversed(list(enumerate(made.segments[now]))):
            share = (to_lowered if number else to_raised)[now].numpy()
            back(
                gates, *others, halting.numpy(), *blends, remainder, fed.numpy(), *passed, share,
                start, count, later,
            )  # fmt: skip
            fed, later = feed(to_gates[start : start + count]), count
        to_remembered.copy_(to_memory)
    return Slopes(
        to_raised,
        to_lowered,
        to_gates.T @ events.before[:used],
        fed,
        to_memory,
        to_logits @ events.after[:used],
        to_logits.sum().view(1),
    )
