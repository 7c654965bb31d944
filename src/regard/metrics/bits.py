"""How many bits the answers to bits cost, and how many are wrong."""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

Logits = Float[Tensor, "batch time bit"]
Targets = Float[Tensor, "batch time bit"]
Counts = Bool[Tensor, " time"]


def bits_per_sequence(logits: Logits, targets: Targets, counts: Counts) -> Float[Tensor, " batch"]:
    """-sum log2 p of the right bits at the steps that count, for each sequence.

    The measure of Neural Turing Machines, Graves, Wayne, Danihelka 2014. An answer that knows
    nothing costs one bit for each bit.
    """
    nats = binary_cross_entropy_with_logits(logits, targets, reduction="none")
    return nats[:, counts].sum(dim=(1, 2)) / math.log(2)


def wrong_bits(logits: Logits, targets: Targets, counts: Counts) -> Float[Tensor, " batch"]:
    """How many bits of each sequence are wrong when each answer is taken as the likelier bit."""
    wrong = (logits > 0) != (targets > 0.5)
    return wrong[:, counts].sum(dim=(1, 2)).to(torch.float32)
