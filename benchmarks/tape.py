"""The Neural Turing Machine on the copy task, at the paper's sizes: training and inference.

20 vectors of 8 bits, then a mark, then 20 steps in which they are to be written: 41 steps of 9
inputs. An LSTM of 100, a tape of 128 slots of 20, 32 sequences.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from measuring import Comparison, Work
from regard.models.ntm import NTM, Recurrent
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
    """Forward, the bits' cross-entropy, and backward."""
    inputs, bits = drawn()

    def learn(model: nn.Module) -> Tensor:
        model.zero_grad()
        loss = binary_cross_entropy_with_logits(model(inputs)[:, -LENGTH:], bits)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss.detach()

    models = theirs(kind, heads), ours(heads)
    return lambda: learn(models[0]), lambda: learn(models[1])


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
    Comparison("NTM 100, 128x20, 32x41", EAGER, lambda: training(VectorisedNTM), at_least=9),
    Comparison("NTM, 4 heads", EAGER, lambda: training(VectorisedNTM, 4)),
    Comparison("NTM, inference", EAGER, lambda: copying(VectorisedNTM), at_least=5),
    Comparison("NTM against repositories", USUAL, lambda: training(ModularNTM), at_least=26),
    Comparison("NTM, no kernel", EAGER, lambda: training(VectorisedNTM), 1.25, environment=OFF),
    Comparison("NTM, no kernel, inference", EAGER, lambda: copying(VectorisedNTM), 1.25,
               environment=OFF),
]  # fmt: skip
