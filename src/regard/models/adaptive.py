"""Adaptive computation time: a recurrent network that decides how long to think."""

from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import pad

from regard.attention import Watch
from regard.counts import check_counts
from regard.halting import Halted, Halting, HaltingUnit, blend_states, choose_states, halt
from regard.models.cells import Cell, Elman, Gated, LongShort, Machine, Prepared
from regard.models.ntm import check_joinable, check_kind, check_sequence
from regard.models.pondering import one_kernel
from regard.models.pretrained import Pretrained


class Pondered(NamedTuple):
    """What a network answered to each input, and how long it thought."""

    outputs: Float[Tensor, "batch time output"]  # logits
    ponder: Float[Tensor, "batch time"]  # rho = N + R, whose sum is the cost of the time
    steps: Int[Tensor, "batch time"]  # N


class AdaptiveComputation(Pretrained):
    """A cell that steps on each input until its halting says that this is enough.

    s^n = S(s^{n-1}, [x; flag]), where the flag is 1 at the first step on an input and 0 after it;
    s_t = sum_n p^n s^n and y_t = sum_n p^n (W_y s^n + b_y), the weights p from ``halting``; the
    next input begins from s_t. Adaptive Computation Time for Recurrent Neural Networks, Graves
    2016, section 2. https://arxiv.org/abs/1603.08983
    The cell's input is one number wider than that of the model, for the flag. Since the weights sum
    to one, the outputs are made of the blended states, all at once. An example that has halted
    takes its first step again while others go on, and none of that is looked at: it is as if it
    were alone in its batch, whatever the cell would have done next. What is recorded inside a cell
    (``Machine``) has these idle steps, too; an example's own are as many as ``Pondered.steps``.
    """

    def __init__(self, cell: Cell, halting: Halting, *, output_size: int) -> None:
        check_counts("AdaptiveComputation", output_size=output_size)
        super().__init__(cell=cell, halting=halting, output_size=output_size)
        _check_parts(cell, halting)
        self.cell = cell
        self.halting = halting
        self.watch = Watch("halting", ("batch", "ponder"))
        self.to_output = nn.Linear(cell.size, output_size)

    def step(self, state: Any, first: Prepared, again: Prepared) -> tuple[Any, Halted]:
        """One input further: the blended state of the cell, and how it halted.

        ``first`` is what the cell makes of the input with its flag raised, ``again`` with its flag
        lowered.
        """
        enough = 1 - self.halting.slack
        begun, prepared, total = state, first, first.new_zeros(len(first))
        running = torch.ones_like(total, dtype=torch.bool)
        states, probabilities, taken = [], [], []
        for number in range(1, self.halting.most + 1):
            state = self.cell(prepared, state)
            states.append(state)
            probabilities.append(self.halting(self.cell.read(state), number))
            taken.append(running)
            total = total + probabilities[-1].detach()
            running = running & (total >= enough).logical_not()  # a NaN goes on, and shows
            if not running.any():
                break
            prepared = again
            if not running.all():  # a step known to be harmless, for the gradient's sake
                prepared = choose_states(running, again, first)
                state = choose_states(running, state, begun)
        steps = torch.stack(taken, dim=1)
        halted = halt(torch.stack(probabilities, dim=1), steps)
        return blend_states(self.watch(halted.weights), states, steps), halted

    def forward(self, inputs: Float[Tensor, "batch time given"]) -> Pondered:
        """The logits after each input, and how long each was pondered."""
        check_sequence(inputs)
        wanted = self.cell.given_size
        if wanted is not None and wanted != inputs.shape[-1] + 1:
            raise ValueError(
                f"the cell takes {wanted} numbers, but inputs of {inputs.shape[-1]} and the flag "
                f"make {inputs.shape[-1] + 1}; make it with that"
            )
        _check_kind(self.cell, inputs)
        if type(self) is AdaptiveComputation:  # another's step may differ
            made = one_kernel(self, self.cell, self.halting, inputs)
            if made is not None:
                logits = self.to_output(made.outputs)
                return Pondered(logits, made.steps + made.remainder, made.steps)
        raised = self.cell.prepare(pad(inputs, (0, 1), value=1.0))
        lowered = self.cell.prepare(pad(inputs, (0, 1)))
        state = self.cell.begin(len(inputs))
        outputs, ponder, steps = [], [], []
        for first, again in zip(raised.unbind(1), lowered.unbind(1), strict=True):
            state, halted = self.step(state, first, again)
            outputs.append(self.cell.read(state))
            ponder.append(halted.ponder)
            steps.append(halted.steps)
        logits = self.to_output(torch.stack(outputs, dim=1))
        return Pondered(logits, torch.stack(ponder, dim=1), torch.stack(steps, dim=1))


def _check_kind(cell: Cell, inputs: Tensor) -> None:
    """Raise where inputs are of a kind that a cell of ours cannot take; others may take any."""
    if isinstance(cell, Elman | Gated | LongShort):
        check_kind(inputs, cell.first)
    elif isinstance(cell, Machine):
        check_joinable(inputs, cell.machine.first_words)


def _check_parts(cell: Cell, halting: Halting) -> None:
    """Say what is no cell or no halting, or of another size."""
    if not isinstance(cell, Cell):
        raise TypeError(
            "the cell is one of regard.models: Elman, Gated, LongShort or Machine(an NTM), or a "
            f"Cell of your own, but it is {type(cell).__name__}"
        )
    if not isinstance(halting, Halting):
        raise TypeError(
            "halting is a HaltingUnit or another Halting of regard.halting, but it is "
            f"{type(halting).__name__}"
        )
    if isinstance(halting, HaltingUnit) and halting.to_probability.in_features != cell.size:
        raise ValueError(
            f"the halting unit sees {halting.to_probability.in_features} numbers, but the cell has "
            f"{cell.size}; HaltingUnit({cell.size}) fits"
        )
