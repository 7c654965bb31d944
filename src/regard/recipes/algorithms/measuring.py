"""The numbers of a machine on fresh sequences."""

import warnings
from collections.abc import Iterator

import torch
from torch import Generator, Tensor, nn

from regard.metrics import bits_per_sequence, wrong_bits
from regard.models import NTM
from regard.recipes.algorithms.practice import Practice
from regard.recipes.algorithms.systems import too_small
from regard.recipes.endless.seeds import TESTING
from regard.recipes.measured import Measured


@torch.no_grad()
def measure(model: nn.Module, practice: Practice, count: int, together: int) -> list[Measured]:
    """Every test of a task, so many fresh sequences each."""
    device = next(model.parameters()).device
    found: list[Measured] = []
    for name, text in practice.tests().items():
        if isinstance(model, NTM) and (missing := too_small(model.slots, practice.stored(text))):
            warnings.warn(f"{name}: {missing}", stacklevel=2)
        draw = practice.example(text)
        generator = Generator().manual_seed(TESTING)
        bits, wrong, best = [], [], []
        for _ in range(0, count, together):
            drawn = draw(together, generator)
            logits = model(drawn.inputs.to(device)).cpu()
            bits.append(bits_per_sequence(logits, drawn.targets, drawn.counts))
            wrong.append(wrong_bits(logits, drawn.targets, drawn.counts))
            least = practice.least_bits(drawn)
            best += [] if least is None else [least]
        note = f"mean over {count} fresh sequences"
        if best:  # first: it is what counts where nobody can foretell all
            found += _against(name, torch.cat(bits), torch.cat(best), note)
        values = {"bits per sequence": bits, "wrong bits": wrong}
        for metric in practice.metrics:
            mean = float(torch.cat(values[metric]).mean())
            found.append(Measured(name, metric, mean, "bits", "lower", note=note))
    return found


def _against(name: str, ours: Tensor, best: Tensor, note: str) -> Iterator[Measured]:
    """The best guesses' own row, and how far above them the machine is on the same sequences."""
    above = (ours - best).double()
    error = float(above.std() / len(above) ** 0.5)
    paired = f"{note}, the difference on each of them; standard error {error:.3f}"
    yield Measured(
        name, "bits above the best guess", float(above.mean()), "bits", "lower", note=paired
    )
    yield Measured(
        name, "bits of the best guess", float(best.double().mean()), "bits", "lower", note=note
    )
