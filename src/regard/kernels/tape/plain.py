"""The equations that the compiled functions equal, step by step in torch, for second derivatives.

``regard.memory`` and ``regard.models.ntm`` hold them for reading, part by part.
"""

import torch
from torch import Tensor
from torch.nn.functional import normalize, softplus

from regard.kernels.tape.going import EPSILON


def features(
    given: Tensor,
    feedback: Tensor,
    address: Tensor,
    bias: Tensor,
    first: Tensor,
    cell: Tensor,
    tape: Tensor,
    places: Tensor,
) -> Tensor:
    """What the controller put out and what was read, before and after each step; see ``run``."""
    (batch, words, _), heads, tape = tape.shape, places.shape[2], tape.mT
    writing, reading = places.unbind(1)
    feature, found = first, [first]
    for share in given.unbind(0):
        fed = feature[:, -feedback.shape[1] :]
        output, cell = _drive(torch.addmm(share, fed, feedback.mT), cell)
        said = torch.addmm(bias, output, address.mT)
        change = 2 * words * heads
        rest = (said.shape[1] - change) // 2
        address_write, changes, address_read = said.split_with_sizes([rest, change, rest], dim=1)
        writing = _go(address_write.view(batch, heads, -1), tape, writing)
        erase, add = changes.view(batch, heads, 2, words).unbind(2)
        for weight, amount in zip(writing.unbind(1), erase.sigmoid().unbind(1), strict=True):
            tape = tape - tape * (weight.unsqueeze(-1) * amount.unsqueeze(-2))
        tape = tape + writing.mT @ add
        reading = _go(address_read.view(batch, heads, -1), tape, reading)
        feature = torch.cat([output, (reading @ tape).flatten(1)], dim=-1)
        found.append(feature)
    return torch.stack(found)


def _drive(sums: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    """An LSTM's output and cell, or tanh where there is no cell."""
    if cell.shape[-1] == 0:
        return sums.tanh(), cell
    entering, staying, fresh, leaving = sums.chunk(4, dim=-1)
    cell = staying.sigmoid() * cell + entering.sigmoid() * fresh.tanh()
    return leaving.sigmoid() * cell.tanh(), cell


def _go(said: Tensor, tape: Tensor, before: Tensor) -> Tensor:
    """Content, interpolation, shift, sharpening."""
    words = tape.shape[-1]
    places = said.shape[-1] - words - 3
    key, strength, gate, shifts, power = said.split_with_sizes([words, 1, 1, places, 1], dim=-1)
    cosines = normalize(key, dim=-1, eps=EPSILON) @ normalize(tape, dim=-1, eps=EPSILON).mT
    found = (softplus(strength) * cosines).softmax(dim=-1)
    mixed = before + gate.sigmoid() * (found - before)
    rolled = torch.stack(
        [mixed.roll(place - places // 2, dims=-1) for place in range(places)], dim=-1
    )
    moved = (rolled @ shifts.softmax(dim=-1).unsqueeze(-1)).squeeze(-1)
    clear = moved.clamp_min(torch.finfo(moved.dtype).tiny)
    return ((1 + softplus(power)) * clear.log()).softmax(dim=-1)
