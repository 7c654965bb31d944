"""Where heads go: by content, from where they were, a few places on, and sharply.

Four functions in the order of figure 2 of Graves, Wayne, Danihelka 2014
(https://arxiv.org/abs/1410.5401). Weights are (batch, head, slot), and each row of them sums to one
before and after every function.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from regard.memory.tape import HeadWeights, Tape, Words
from regard.normalisers import Softmax
from regard.scores import Cosine

Scalars = Float[Tensor, "batch head 1"]
Shifts = Float[Tensor, "batch head shift"]  # an odd number, the middle one staying where it is

_cosine, _softmax = Cosine(), Softmax()


def prepare(tape: Tape) -> Tape:
    """M(i) / |M(i)|: what is the same for all heads that look for content on one tape."""
    return _cosine.prepare(tape)


def content(tape: Tape, key: Words, strength: Scalars) -> HeadWeights:
    """w(i) = softmax_i(beta cos(k, M(i))) (eqs. 5 and 6)."""
    return match(prepare(tape), key, strength)


def match(prepared: Tape, key: Words, strength: Scalars) -> HeadWeights:
    """Weigh by content where the tape is prepared already."""
    return _softmax(strength * _cosine.compare(key, prepared))


def interpolate(found: HeadWeights, before: HeadWeights, gate: Scalars) -> HeadWeights:
    """w = g w_content + (1 - g) w_before (eq. 7)."""
    if found.shape != before.shape:
        raise ValueError(
            f"weights by content are {tuple(found.shape)}, but those of before "
            f"{tuple(before.shape)}; both are (batch, head, slot)"
        )
    return before + gate * (found - before)


def shift(weights: HeadWeights, shifts: Shifts) -> HeadWeights:
    """w'(i) = sum_j w(j) s(i - j), indices modulo the slots (eq. 8): a true convolution.

    ``shifts`` holds the shares of going -n, ..., 0, ..., +n places on; +1 moves what stands in slot
    0 to slot 1.

    >>> shift(torch.tensor([[[1.0, 0.0, 0.0, 0.0]]]), torch.tensor([[[0.0, 0.0, 1.0]]]))
    tensor([[[0., 1., 0., 0.]]])
    """
    places, slots = shifts.shape[-1], weights.shape[-1]
    if shifts.shape[:-1] != weights.shape[:-1]:
        raise ValueError(
            f"every head has shifts of its own, but shifts are {tuple(shifts.shape)} and weights "
            f"{tuple(weights.shape)}: (batch, head, shift) and (batch, head, slot)"
        )
    if places % 2 == 0:
        raise ValueError(
            f"shifts reach as far back as forth, so there is an odd number of them, but there are "
            f"{places}; 3 are -1, 0 and +1"
        )
    if places > slots:
        raise ValueError(
            f"shifts of up to {places // 2} places either way go round a tape of {slots} slots "
            f"more than once; a range of {(slots - 1) // 2} is the largest for it"
        )
    reach, shares = places // 2, shifts.unsqueeze(-2).unbind(-1)
    moved = weights * shares[reach]
    for place, share in enumerate(shares):
        if place != reach:
            moved = torch.addcmul(moved, weights.roll(place - reach, dims=-1), share)
    return moved


def sharpen(weights: HeadWeights, power: Scalars) -> HeadWeights:
    """w'(i) = w(i)^gamma / sum_j w(j)^gamma, gamma >= 1 (eq. 9); a lower one would blur.

    Worked out as a softmax of gamma log w, the largest weight taken off first, so that neither a
    large power nor a weight of zero brings NaN, and the gradient stays finite: a weight below the
    smallest normal number counts as that.
    """
    smallest = torch.finfo(weights.dtype).tiny
    logs = weights.clamp_min(smallest).log()
    highest = logs.detach().amax(dim=-1, keepdim=True)  # a shift of all, which has no gradient
    return (power * (logs - highest)).softmax(dim=-1)
