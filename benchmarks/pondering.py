"""Adaptive computation at the sizes of the paper's tasks: whole training steps."""

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits
from torch.optim import Adam

from measuring import Comparison, Work
from ponder_peer import EagerPondering
from regard.halting import HaltingUnit
from regard.models import AdaptiveComputation, LongShort
from regard.training.allocation import keep_memory

BATCH, PENALTY = 32, 1e-3
BIAS = -1.5  # of the halting unit: about seven steps on an input
MOST = 20


def training(size: int, time: int, given: int, output: int) -> tuple[Work, Work]:
    """Forward, the loss with its ponder cost, backward, clipping, Adam; freed memory is kept."""
    keep_memory()
    torch.manual_seed(0)
    inputs = torch.randn(BATCH, time, given)
    wanted = torch.randint(0, 2, (BATCH, time, output)).float()
    cell, halting = LongShort(given + 1, size), HaltingUnit(size, most=MOST, bias=BIAS)
    nn.init.normal_(halting.to_probability.weight, std=0.5)  # examples differ in their steps
    ours = AdaptiveComputation(cell, halting, output_size=output)
    theirs = EagerPondering(given=given, output=output, size=size, most=MOST, bias=BIAS)
    with torch.no_grad():
        theirs.halting.weight.copy_(halting.to_probability.weight)
        theirs.cell.load_state_dict(cell.cell.state_dict())

    def learner(model: nn.Module) -> Work:
        weights = list(model.parameters())
        optimiser = Adam(weights, lr=1e-9)  # so small that both go on to take as many steps

        def learn() -> Tensor:
            optimiser.zero_grad()
            logits, ponder, *_ = model(inputs)
            loss = binary_cross_entropy_with_logits(logits, wanted) + PENALTY * ponder.mean()
            loss.backward()
            nn.utils.clip_grad_norm_(weights, 1.0)
            optimiser.step()
            return loss.detach()

        return learn

    return learner(theirs), learner(ours)


EAGER = "masked eager loop"
COMPARISONS = [
    Comparison("AdaptiveComputation 128, 32x6", EAGER, lambda: training(128, 6, 102, 1), 3),
    Comparison("AdaptiveComputation 512, 32x4", EAGER, lambda: training(512, 4, 50, 66), 3),
]
