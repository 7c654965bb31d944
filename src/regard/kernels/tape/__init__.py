"""The whole sequence of a Neural Turing Machine, fused, forward and backward.

Neural Turing Machines, Graves, Wayne, Danihelka 2014. https://arxiv.org/abs/1410.5401 With x the
given sums, F what is fed back, A and b what makes of the controller's output h what heads are told:

    z_t = x_t + F [h_{t-1}; r_{t-1}]     h_t = controller(z_t)     told = A h_t + b
    M_t = write(M_{t-1}, told)           r_t = read(M_t, told)

The controller is an LSTM, z being its four sums, or tanh, to which only r is fed back. ``plain``
holds the equations in torch, ``going`` those of a head, ``coming`` their slopes.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from regard.kernels.tape.operators import MACHINE


class Driving(NamedTuple):
    """A controller as the kernel knows it: an LSTM, or tanh where there is no ``cell``."""

    given: Tensor  # x: time, batch, 4 * size or size
    feedback: Tensor  # F: 4 * size or size, size + head * word or head * word
    hidden: Tensor  # batch, size; before the first step
    cell: Tensor  # batch, size or 0


class Start(NamedTuple):
    """Where the tape and its heads are before the first step."""

    tape: Tensor  # M: batch, slot, word
    reading: Tensor  # w of the read heads: batch, head, slot
    writing: Tensor  # w of the write heads
    words: Tensor  # r, what counts as read: batch, head, word


def features(driving: Driving, address: Tensor, bias: Tensor, start: Start) -> Tensor:
    """[h_t; r_t] of every step, (time, batch, size + head * word).

    ``address`` and ``bias`` tell, one after the other, all write heads where to go (k, beta, g, s,
    gamma for each), all write heads what to erase and add (e, a for each), all read heads where to
    go.
    """
    first = torch.cat([driving.hidden, start.words.flatten(1)], dim=1)
    places = torch.stack([start.writing, start.reading], dim=1)
    told = driving.given, driving.feedback, address, bias
    tensors = *told, first, driving.cell, start.tape.mT, places
    keep = torch.is_grad_enabled() and any(each.requires_grad for each in tensors)
    made: Tensor = MACHINE(*tensors, keep)[0]
    return made[1:]
