"""What heads do to a tape: read, erase, add."""

import torch
from jaxtyping import Float
from torch import Tensor

Tape = Float[Tensor, "batch slot word"]  # M
HeadWeights = Float[Tensor, "batch head slot"]  # w; each head's sum to one
Words = Float[Tensor, "batch head word"]


def read(tape: Tape, weights: HeadWeights) -> Words:
    """r = sum_i w(i) M(i), for each head (eq. 2).

    >>> tape = torch.tensor([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]])
    >>> read(tape, torch.tensor([[[0.5, 0.25, 0.25]]]))
    tensor([[[2.5000, 3.5000]]])
    """
    _check_slots(tape, weights)
    return weights @ tape


def write(tape: Tape, weights: HeadWeights, erase: Words, add: Words) -> Tape:
    """M'(i) = M(i) prod_h (1 - w_h(i) e_h) + sum_h w_h(i) a_h (eqs. 3 and 4).

    Every erase comes before every add, so that the order of the heads does not matter.

    >>> tape = torch.tensor([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]])
    >>> new = torch.tensor([[[10.0, 20.0]]])
    >>> write(tape, torch.tensor([[[0.5, 0.25, 0.25]]]), torch.ones_like(new), new)
    tensor([[[ 5.5000, 11.0000],
             [ 4.7500,  8.0000],
             [ 6.2500,  9.5000]]])
    """
    _check_slots(tape, weights)
    for name, words in (("erase", erase), ("add", add)):
        wanted = *weights.shape[:2], tape.shape[2]
        if words.shape != wanted:
            raise ValueError(
                f"what heads {name} is (batch, head, word), {tuple(wanted)} here, but it is "
                f"{tuple(words.shape)}"
            )
    kept, one = tape, tape.new_ones(1, 1, 1)
    heads = zip(torch.split(weights, 1, dim=1), torch.split(erase, 1, dim=1), strict=True)
    for weight, amount in heads:
        # 1 - w e as a product of matrices: going back, no outer product is summed up again.
        kept = kept * torch.baddbmm(one, weight.mT, amount, alpha=-1)
    return torch.baddbmm(kept, weights.mT, add)


def _check_slots(tape: Tape, weights: HeadWeights) -> None:
    """Raise where heads were made for another tape."""
    if tape.dim() != 3 or weights.dim() != 3:
        raise ValueError(
            "a tape is (batch, slot, word), and weights are (batch, head, slot), but their shapes "
            f"are {tuple(tape.shape)} and {tuple(weights.shape)}"
        )
    if weights.shape[-1] != tape.shape[-2]:
        raise ValueError(
            f"heads weigh {weights.shape[-1]} slots, but the tape has {tape.shape[-2]}; a tape is "
            "(batch, slot, word), and weights are (batch, head, slot)"
        )
