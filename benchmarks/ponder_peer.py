"""Adaptive computation as it is usually written: plain PyTorch, a masked loop over steps."""

import torch
from torch import Tensor, nn


class EagerPondering(nn.Module):
    """An LSTM that steps on each input until all examples of the batch have halted.

    The paper's equations and as many parameters as ``regard.models.AdaptiveComputation``.
    """

    def __init__(self, *, given: int, output: int, size: int, most: int, bias: float) -> None:
        super().__init__()
        self.most = most
        self.cell = nn.LSTMCell(given + 1, size)
        self.first = nn.Parameter(torch.zeros(2, size))
        self.halting = nn.Linear(size, 1)
        self.to_output = nn.Linear(size, output)
        nn.init.constant_(self.halting.bias, bias)

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Logits after each input, and how long it was pondered."""
        hidden, cell = (each.repeat(len(inputs), 1) for each in self.first.tanh())
        outputs, ponders = [], []
        for given in inputs.unbind(1):
            hidden, cell, ponder = self.ponder(given, hidden, cell)
            outputs.append(self.to_output(hidden))
            ponders.append(ponder)
        return torch.stack(outputs, dim=1), torch.stack(ponders, dim=1)

    def ponder(self, given: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """One input."""
        flag = given.new_ones(len(given), 1)
        running, spent = given.new_ones(len(given)), given.new_zeros(len(given))
        remainder, steps = torch.zeros_like(spent), torch.zeros_like(spent)
        blended, remembered = torch.zeros_like(hidden), torch.zeros_like(cell)
        for step in range(1, self.most + 1):
            hidden, cell = self.cell(torch.cat([given, flag], dim=1), (hidden, cell))
            probability = self.halting(hidden).squeeze(1).sigmoid()
            last = running * ((spent + probability >= 0.99) | (step == self.most)).float()
            weight = probability * (running - last) + (1 - spent) * last
            blended = blended + weight.unsqueeze(1) * hidden
            remembered = remembered + weight.unsqueeze(1) * cell
            remainder = remainder + (1 - spent) * last
            steps = steps + running
            spent = spent + probability * (running - last)
            running, flag = running - last, torch.zeros_like(flag)
            if not running.any():
                break
        return blended, remembered, steps + remainder
