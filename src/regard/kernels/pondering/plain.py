"""The equations that the compiled functions equal, step by step in torch."""

# ruff: noqa: PLR0913, PLR0917  (those of the function that torch differentiates)

import torch
from torch import Tensor


def ponder(
    raised: Tensor,
    lowered: Tensor,
    feedback: Tensor,
    hidden: Tensor,
    cell: Tensor,
    halting: Tensor,
    bias: Tensor,
    most: int,
    slack: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """Outputs, remainders and steps of all inputs; see the package."""
    outputs, remainders, counts = [], [], []
    for first, again in zip(raised, lowered, strict=True):
        spent = first.new_zeros(len(first))
        count = torch.zeros_like(spent, dtype=torch.long)
        running, share = torch.ones_like(spent, dtype=torch.bool), first
        blended, remembered = torch.zeros_like(hidden), torch.zeros_like(cell)
        for number in range(1, most + 1):
            hidden, cell = _step(share + hidden @ feedback.T, cell)
            probability = (hidden @ halting + bias).sigmoid()
            halts = spent.detach() + probability.detach() >= 1 - slack
            goes_on = running & halts.logical_not()  # so does a NaN, and shows
            if number == most:
                goes_on = torch.zeros_like(goes_on)
            weight = torch.where(goes_on, probability, 1 - spent) * running
            blended = blended + weight.unsqueeze(-1) * hidden
            remembered = remembered + weight.unsqueeze(-1) * cell
            spent = spent + torch.where(goes_on, probability, 0)
            count = count + running
            running, share = goes_on, again
            if not bool(running.any()):
                break
        hidden, cell = blended, remembered
        outputs.append(hidden)
        remainders.append(1 - spent)
        counts.append(count)
    return torch.stack(outputs), torch.stack(remainders), torch.stack(counts)


def _step(sums: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    if not cell.shape[-1]:
        return sums.tanh(), cell
    entering, staying, fresh, leaving = sums.chunk(4, dim=-1)
    cell = staying.sigmoid() * cell + entering.sigmoid() * fresh.tanh()
    return leaving.sigmoid() * cell.tanh(), cell
