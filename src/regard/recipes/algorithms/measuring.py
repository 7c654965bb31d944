"""The numbers of a machine on fresh sequences."""

from collections.abc import Callable, Mapping

import torch
from torch import Generator, nn

from regard.metrics import bits_per_sequence, wrong_bits
from regard.recipes.measured import Measured
from regard.tasks.algorithms import Drawn

TESTING = 2**42  # the seed of the test sequences, apart from all others


@torch.no_grad()
def measure(
    model: nn.Module,
    tests: Mapping[str, Callable[[int, Generator], Drawn]],
    count: int,
    together: int,
) -> list[Measured]:
    """Every test, so many fresh sequences each."""
    device = next(model.parameters()).device
    found = []
    for name, draw in tests.items():
        generator = Generator().manual_seed(TESTING)
        bits, wrong = [], []
        for _ in range(0, count, together):
            drawn = draw(together, generator)
            logits = model(drawn.inputs.to(device)).cpu()
            bits.append(bits_per_sequence(logits, drawn.targets, drawn.counts))
            wrong.append(wrong_bits(logits, drawn.targets, drawn.counts))
        note = f"mean over {count} fresh sequences"
        for metric, values in (("bits per sequence", bits), ("wrong bits", wrong)):
            mean = float(torch.cat(values).mean())
            found.append(Measured(name, metric, mean, "bits", "lower", note=note))
    return found
