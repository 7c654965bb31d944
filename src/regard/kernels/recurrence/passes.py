"""A whole sequence and the way back: products by torch, everything else by compiled functions.

The slope of the matrix that feeds the state back is one product over all steps, when the slopes of
all steps are there, instead of a thin one at each.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from regard.kernels.recurrence.steps import back, forth


class Run(NamedTuple):
    """All that happened; states have one row more, for that before the first step."""

    states: Tensor  # time + 1, row, size
    gates: Tensor  # time, row, 3 * size or 2 * size
    heard: Tensor  # time, row, size; what the new state was fed


def begin(given: Tensor, weights: Tensor, feedback: Tensor, keep: bool) -> Run:
    """Arrays of the right sizes; without ``keep``, only the last step's stay there."""
    time, rows = weights.shape
    wide, size = feedback.shape
    steps = time if keep else 1
    return Run(
        given.new_empty(time + 1, rows, size),
        given.new_empty(steps, rows, wide),
        given.new_empty(steps, rows, size),
    )


def run(given: Tensor, weights: Tensor, feedback: Tensor, keep: bool) -> Run:
    """From a state of zero through all steps."""
    made = begin(given, weights, feedback, keep)
    made.states[0] = 0
    fed, turned = given.new_zeros(made.gates.shape[1:]), feedback.t().contiguous()
    arrays = fed.numpy(), given.numpy(), weights.numpy(), *(each.numpy() for each in made)
    for step, state in enumerate(made.states[:-1].unbind(0)):
        if step:  # nothing comes of the first state
            torch.mm(state, turned, out=fed)
        forth(*arrays, step if keep else 0, step)
    return made


def descend(
    slope: Tensor, given: Tensor, weights: Tensor, feedback: Tensor, made: Run
) -> tuple[Tensor, Tensor, Tensor]:
    """Slopes of ``given``, ``weights`` and ``feedback``."""
    slopes = slope.clone(memory_format=torch.contiguous_format)
    to_given, to_weights = torch.zeros_like(given), torch.empty_like(weights)
    to_fed = torch.empty_like(made.gates)
    tensors = slopes, weights, *made, to_given, to_weights, to_fed
    arrays = [each.numpy() for each in tensors]
    earlier, shares = slopes.unbind(0), to_fed.unbind(0)
    for step in reversed(range(len(shares))):
        back(*arrays, step)
        if step:
            earlier[step].addmm_(shares[step], feedback)
    to_feedback = to_fed[1:].flatten(0, 1).mT @ made.states[1:-1].flatten(0, 1)
    return to_given, to_weights, to_feedback
