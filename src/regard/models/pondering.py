"""A whole sequence pondered by one kernel, where all parts are as they were made."""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import pad

from regard.halting import FixedSteps, Halting, HaltingUnit
from regard.kernels.pondering import Limits, Unit, ponder
from regard.memory.fusing import fusible
from regard.models.cells import Cell, Elman, LongShort

CELLS = Elman, LongShort
HALTINGS = HaltingUnit, FixedSteps


class Ponderings(NamedTuple):
    """What the cell gave after each input, and how it halted."""

    outputs: Float[Tensor, "batch time size"]
    remainder: Float[Tensor, "batch time"]
    steps: Int[Tensor, "batch time"]


def one_kernel(
    model: nn.Module, cell: Cell, halting: Halting, inputs: Float[Tensor, "batch time given"]
) -> Ponderings | None:
    """All inputs at once; None where step by step would not be the same, or nothing is gained."""
    if (
        not isinstance(cell, CELLS) or not isinstance(halting, HALTINGS) or torch.jit.is_tracing()  # type: ignore[attr-defined, no-untyped-call]
    ):
        return None
    state: tuple[Tensor, ...] | Tensor = cell.begin(len(inputs))
    state = (state,) if isinstance(state, Tensor) else state
    if not fusible(model, (inputs, *state), *CELLS, *HALTINGS, nn.RNNCell):
        return None
    turned = inputs.transpose(0, 1)
    hidden, memory = state if len(state) == 2 else (state[0], state[0][:, :0])
    weight, bias = halting.as_unit(hidden)
    if weight.shape != hidden.shape[1:] or bias.shape != (1,):  # put in later, for another cell
        return None
    raised, lowered = (cell.prepare(pad(turned, (0, 1), value=flag)) for flag in (1.0, 0.0))
    unit = Unit(raised, lowered, cell.cell.weight_hh, hidden, memory)
    limits = Limits(halting.most, halting.slack)
    made = ponder(unit, weight, bias, limits)
    return Ponderings(*(each.transpose(0, 1) for each in made))
