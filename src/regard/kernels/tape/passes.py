"""A whole sequence and the way back: products by torch, everything else by the compiled functions.

Of the controller's sums only what is fed back is inside the loop. Nor are the slopes of weights:
they are one product over all steps and examples, when the slopes of the sums are there.
"""

# ruff: noqa: PLR0913, PLR0917  (those of the operator)

from typing import NamedTuple

import torch
from torch import Tensor

from regard.kernels.tape.back import drive_back, turn_back
from regard.kernels.tape.forth import drive, turn
from regard.kernels.tape.going import EPSILON


class Run(NamedTuple):
    """All that happened; of a step, and of what goes from step to step, which has one row more."""

    features: Tensor  # time + 1, batch, size + head * word
    gates: Tensor  # time, batch, 4 * size
    cells: Tensor  # time + 1, batch, size
    curved: Tensor  # time, batch, size
    said: Tensor  # time, batch, what all heads are told
    tape: Tensor  # time + 1, batch, word, slot
    norms: Tensor  # time + 1, batch, slot
    places: Tensor  # time + 1, batch, write or read, head, slot
    traces: Tensor  # time, batch, write or read, head, 4, slot


def begin(
    given: Tensor,
    address: Tensor,
    first: Tensor,
    cell: Tensor,
    tape: Tensor,
    places: Tensor,
    keep: bool,
) -> Run:
    """Arrays of the right sizes; without ``keep``, only the last step's stay there."""
    time, batch, width = given.shape
    size, remembered, slots = address.shape[1], cell.shape[1], tape.shape[2]
    steps = time if keep else 1
    return Run(
        given.new_empty(time + 1, *first.shape),
        given.new_empty(steps, batch, width),
        given.new_empty(steps + 1, batch, remembered),
        given.new_empty(steps if remembered else 1, batch, size),
        given.new_empty(steps, batch, len(address)),
        given.new_empty(steps + 1, *tape.shape),
        given.new_empty(steps + 1, batch, slots),
        given.new_empty(steps + 1, *places.shape),
        given.new_empty(steps, *places.shape[:3], 4, slots),
    )


def run(
    given: Tensor,
    feedback: Tensor,
    address: Tensor,
    bias: Tensor,
    first: Tensor,
    cell: Tensor,
    tape: Tensor,
    places: Tensor,
    keep: bool,
) -> Run:
    """From where the tape and its heads are through all steps."""
    made = begin(given, address, first, cell, tape, places, keep)
    made.features[0], made.cells[0], made.tape[0], made.places[0] = first, cell, tape, places
    made.norms[0] = tape.norm(dim=1).clamp_min(EPSILON)
    rows = len(made.said)
    fed = made.features[..., -feedback.shape[1] :].unbind(0)
    outputs = made.features[..., : address.shape[1]].unbind(0)
    gates, said = made.gates.unbind(0), made.said.unbind(0)
    from_fed, to_said = feedback.t().contiguous(), address.t().contiguous()
    features = made.features.numpy()
    driven = made.gates.numpy(), made.cells.numpy(), made.curved.numpy(), features
    turned = *(each.numpy() for each in made[4:]), features
    for step, share in enumerate(given.unbind(0)):
        now, before, after = step % rows, step % (rows + 1), (step + 1) % (rows + 1)
        torch.addmm(share, fed[step], from_fed, out=gates[now])
        drive(*driven, now, before, after, step)
        torch.addmm(bias, outputs[step + 1], to_said, out=said[now])
        turn(*turned, now, before, after, step)
    return made


def descend(
    slope: Tensor, feedback: Tensor, address: Tensor, made: Run
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Slopes of what ``run`` takes, in its order."""
    size, back = address.shape[1], feedback.shape[1]
    slopes = slope.clone(memory_format=torch.contiguous_format)
    to_sums, to_said = torch.empty_like(made.gates), torch.empty_like(made.said)
    to_cell = torch.zeros_like(made.cells[0])
    to_tape, to_places = torch.zeros_like(made.tape[0]), torch.zeros_like(made.places[0])
    to_fed, to_outputs = slopes[..., -back:].unbind(0), slopes[..., :size].unbind(0)
    arrays = slopes.numpy(), *(each.numpy() for each in made[4:])
    heads, slots = to_places.shape[2:]
    spare = slope.new_empty(max(3, heads), slots)
    turned = *arrays, *(each.numpy() for each in (to_said, to_places, to_tape, spare))
    driven = (
        arrays[0],
        *(each.numpy() for each in (made.gates, made.cells, made.curved, made.features)),
        to_cell.numpy(),
        to_sums.numpy(),
    )
    for step in reversed(range(len(to_sums))):
        turn_back(*turned, step)
        to_outputs[step + 1].addmm_(to_said[step], address)
        drive_back(*driven, step)
        to_fed[step].addmm_(to_sums[step], feedback)
    fed, outputs = made.features[:-1, :, -back:], made.features[1:, :, :size]
    return (
        to_sums,
        to_sums.flatten(0, 1).mT @ fed.flatten(0, 1),
        to_said.flatten(0, 1).mT @ outputs.flatten(0, 1),
        to_said.sum((0, 1)),
        slopes[0],
        to_cell,
        to_tape,
        to_places,
    )
