"""Neural Turing Machines as they are usually written: plain PyTorch, everything inside the loop.

Both have the paper's equations and as many parameters as ``regard.models.NTM`` with an LSTM: at
each step the heads write, then read.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity, normalize, softplus

BLANK = 1e-6  # what an unwritten tape holds
EPSILON = 1e-8


class VectorisedNTM(nn.Module):
    """Every operation over all examples at once, products by matmul, a projection for all heads.

    Of the simple ways to write it the fastest: broadcasting the cosine over heads, slots and words
    takes twice as long with four heads, and ``prod`` over heads longer than their loop.
    """

    def __init__(
        self, *, given: int, output: int, size: int, slots: int, word: int, heads: int, reach: int
    ) -> None:
        super().__init__()
        self.slots, self.word, self.heads, self.reach = slots, word, heads, reach
        self.sizes = [word, 1, 1, 2 * reach + 1, 1]
        self.cell = nn.LSTMCell(given + heads * word, size)
        self.first = nn.Parameter(torch.zeros(2, size))
        self.first_words = nn.Parameter(torch.zeros(heads, word))
        self.to_write = nn.Linear(size, heads * (sum(self.sizes) + 2 * word))
        self.to_read = nn.Linear(size, heads * sum(self.sizes))
        self.to_output = nn.Linear(size + heads * word, output)

    def forward(self, inputs: Tensor) -> Tensor:
        """Logits after each input, (batch, time, output)."""
        batch = len(inputs)
        tape = inputs.new_full((batch, self.slots, self.word), BLANK)
        writing = inputs.new_zeros(batch, self.heads, self.slots)
        writing[..., 0] = 1
        reading = writing
        hidden, cell = (each.repeat(batch, 1) for each in self.first.tanh())
        words = self.first_words.repeat(batch, 1, 1)
        outputs = []
        for step in range(inputs.shape[1]):
            given = torch.cat([inputs[:, step], words.view(batch, -1)], dim=1)
            hidden, cell = self.cell(given, (hidden, cell))
            said = self.to_write(hidden).view(batch, self.heads, -1)
            address, erase, add = said.split_with_sizes(
                [sum(self.sizes), self.word, self.word], dim=2
            )
            writing = self.go(address, tape, writing)
            for place, amount in zip(writing.unbind(1), erase.sigmoid().unbind(1), strict=True):
                tape = tape * (1 - place.unsqueeze(2) * amount.unsqueeze(1))
            tape = tape + torch.matmul(writing.transpose(1, 2), add)
            address = self.to_read(hidden).view(batch, self.heads, -1)
            reading = self.go(address, tape, reading)
            words = torch.matmul(reading, tape)
            outputs.append(self.to_output(torch.cat([hidden, words.view(batch, -1)], dim=1)))
        return torch.stack(outputs, dim=1)

    def go(self, address: Tensor, tape: Tensor, before: Tensor) -> Tensor:
        """Where the heads go: content, interpolation, shift, sharpening."""
        key, strength, gate, shifts, power = address.split_with_sizes(self.sizes, dim=2)
        rows = normalize(tape, dim=2, eps=EPSILON)
        alike = torch.matmul(normalize(key, dim=2, eps=EPSILON), rows.transpose(1, 2))
        found = torch.softmax(softplus(strength) * alike, dim=2)
        gate = torch.sigmoid(gate)
        mixed = gate * found + (1 - gate) * before
        rolled = [torch.roll(mixed, place, dims=2) for place in range(-self.reach, self.reach + 1)]
        moved = (torch.stack(rolled, dim=3) * torch.softmax(shifts, dim=2).unsqueeze(2)).sum(dim=3)
        sharp = (moved + EPSILON) ** (1 + softplus(power))
        return sharp / sharp.sum(dim=2, keepdim=True)


class Head(nn.Module):
    """One head with projections of its own for each thing that it says, shifted row by row."""

    def __init__(self, size: int, word: int, reach: int) -> None:
        super().__init__()
        self.reach = reach
        self.to_key = nn.Linear(size, word)
        self.to_strength = nn.Linear(size, 1)
        self.to_gate = nn.Linear(size, 1)
        self.to_shifts = nn.Linear(size, 2 * reach + 1)
        self.to_power = nn.Linear(size, 1)

    def forward(self, hidden: Tensor, tape: Tensor, before: Tensor) -> Tensor:
        """Where the head goes, (batch, slot)."""
        key, strength = self.to_key(hidden), softplus(self.to_strength(hidden))
        gate, shifts = torch.sigmoid(self.to_gate(hidden)), self.to_shifts(hidden).softmax(dim=1)
        power = 1 + softplus(self.to_power(hidden))
        alike = cosine_similarity(tape + EPSILON, key.unsqueeze(1) + EPSILON, dim=-1)
        found = torch.softmax(strength * alike, dim=1)
        mixed = gate * found + (1 - gate) * before
        moved = torch.stack(
            [self.convolve(row, share) for row, share in zip(mixed, shifts, strict=True)]
        )
        sharp = moved**power
        return sharp / (sharp.sum(dim=1, keepdim=True) + EPSILON)

    def convolve(self, row: Tensor, shares: Tensor) -> Tensor:
        """One example's circular convolution, by a row that is continued at both ends."""
        if self.reach == 0:
            return row * shares
        longer = torch.cat([row[-self.reach :], row, row[: self.reach]])
        kernel = shares.flip(0).view(1, 1, -1)
        return torch.conv1d(longer.view(1, 1, -1), kernel).view(-1)


class WriteHead(nn.Module):
    """A head that also says what to erase and what to add."""

    def __init__(self, size: int, word: int, reach: int) -> None:
        super().__init__()
        self.going = Head(size, word, reach)
        self.to_erase = nn.Linear(size, word)
        self.to_add = nn.Linear(size, word)

    def forward(self, hidden: Tensor, tape: Tensor, before: Tensor) -> tuple[Tensor, ...]:
        """Where the head goes, what it erases, what it adds."""
        place = self.going(hidden, tape, before)
        return place, torch.sigmoid(self.to_erase(hidden)), self.to_add(hidden)


class ModularNTM(nn.Module):
    """In the way of the repositories: a module to a head, a projection to each thing it says."""

    def __init__(
        self, *, given: int, output: int, size: int, slots: int, word: int, heads: int, reach: int
    ) -> None:
        super().__init__()
        self.slots, self.word, self.heads = slots, word, heads
        self.cell = nn.LSTMCell(given + heads * word, size)
        self.first = nn.Parameter(torch.zeros(2, size))
        self.first_words = nn.Parameter(torch.zeros(heads, word))
        self.writers = nn.ModuleList(WriteHead(size, word, reach) for _ in range(heads))
        self.readers = nn.ModuleList(Head(size, word, reach) for _ in range(heads))
        self.to_output = nn.Linear(size + heads * word, output)

    def forward(self, inputs: Tensor) -> Tensor:
        """Logits after each input, (batch, time, output)."""
        batch = len(inputs)
        tape = inputs.new_full((batch, self.slots, self.word), BLANK)
        place = inputs.new_zeros(batch, self.slots)
        place[:, 0] = 1
        writing, reading = [place] * self.heads, [place] * self.heads
        hidden, cell = (each.repeat(batch, 1) for each in self.first.tanh())
        words = list(self.first_words.unsqueeze(1).repeat(1, batch, 1))
        outputs = []
        for step in range(inputs.shape[1]):
            hidden, cell = self.cell(torch.cat([inputs[:, step], *words], dim=1), (hidden, cell))
            said = [
                head(hidden, tape, before)
                for head, before in zip(self.writers, writing, strict=True)
            ]
            for place, erase, _ in said:
                tape = tape * (1 - torch.matmul(place.unsqueeze(-1), erase.unsqueeze(1)))
            for place, _, add in said:
                tape = tape + torch.matmul(place.unsqueeze(-1), add.unsqueeze(1))
            writing = [place for place, _, _ in said]
            reading = [
                head(hidden, tape, before)
                for head, before in zip(self.readers, reading, strict=True)
            ]
            words = [torch.matmul(place.unsqueeze(1), tape).squeeze(1) for place in reading]
            outputs.append(self.to_output(torch.cat([hidden, *words], dim=1)))
        return torch.stack(outputs, dim=1)
