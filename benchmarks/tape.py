"""The Neural Turing Machine on the copy task, at the paper's sizes: training and inference.

20 vectors of 8 bits, then a mark, then 20 steps in which they are to be written: 41 steps of 9
inputs. An LSTM of 100, a tape of 128 slots of 20, 32 sequences.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits
from torch.optim import RMSprop

from measuring import Comparison, Work
from regard.models.controllers import Recurrent
from regard.models.ntm import NTM
from tape_peer import ModularNTM, VectorisedNTM

BATCH, LENGTH, BITS = 32, 20, 8
SIZE, SLOTS, WORD, REACH = 100, 128, 20, 1


def drawn() -> tuple[Tensor, Tensor]:
    """Sequences to copy, and their bits."""
    torch.manual_seed(0)
    bits = torch.randint(0, 2, (BATCH, LENGTH, BITS)).float()
    inputs = torch.zeros(BATCH, 2 * LENGTH + 1, BITS + 1)
    inputs[:, :LENGTH, :BITS] = bits
    inputs[:, LENGTH, BITS] = 1
    return inputs, bits


def ours(heads: int) -> NTM:
    """The machine with an LSTM."""
    controller = Recurrent(BITS + 1 + heads * WORD, SIZE)
    return NTM(controller, output_size=BITS, slots=SLOTS, word_size=WORD, heads=heads, reach=REACH)


def theirs(kind: type[nn.Module], heads: int) -> nn.Module:
    """A peer of the same sizes."""
    return kind(
        given=BITS + 1, output=BITS, size=SIZE, slots=SLOTS, word=WORD, heads=heads, reach=REACH
    )


def training(kind: type[nn.Module], heads: int = 1) -> tuple[Work, Work]:
    """A whole step: forward, the bits' cross-entropy, backward, clipping, the paper's optimiser."""
    inputs, bits = drawn()

    def learner(model: nn.Module) -> Work:
        weights = list(model.parameters())
        optimiser = RMSprop(weights, lr=1e-4, alpha=0.95, eps=0.01, momentum=0.9, centered=True)

        def learn() -> Tensor:
            optimiser.zero_grad()
            loss = binary_cross_entropy_with_logits(model(inputs)[:, -LENGTH:], bits)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(weights, 10.0)
            optimiser.step()
            return loss.detach()

        return learn

    return learner(theirs(kind, heads)), learner(ours(heads))


def copying(kind: type[nn.Module], heads: int = 1) -> tuple[Work, Work]:
    """Forward alone."""
    inputs, _ = drawn()

    def run(model: nn.Module) -> Tensor:
        with torch.no_grad():
            return model(inputs)

    models = theirs(kind, heads), ours(heads)
    return lambda: run(models[0]), lambda: run(models[1])


EAGER, USUAL = "vectorised eager loop", "a module to a head, eager"
OFF = (("REGARD_KERNELS", "off"),)
COMPARISONS = [
    Comparison("NTM 100, 128x20, 32x41", EAGER, lambda: training(VectorisedNTM), at_least=5),
    Comparison("NTM, 4 heads", EAGER, lambda: training(VectorisedNTM, 4), at_least=5),
    Comparison("NTM, inference", EAGER, lambda: copying(VectorisedNTM), at_least=5),
    Comparison("NTM against repositories", USUAL, lambda: training(ModularNTM), at_least=15),
    Comparison("NTM, no kernel", EAGER, lambda: training(VectorisedNTM), 1.25, environment=OFF),
    Comparison("NTM, no kernel, inference", EAGER, lambda: copying(VectorisedNTM), 1,
               environment=OFF),
]  # fmt: skip
