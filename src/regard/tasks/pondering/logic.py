"""Logic gates, one after the other."""

import torch
from jaxtyping import Int
from torch import Generator, Tensor
from torch.nn.functional import one_hot

from regard.tasks.algorithms.drawing import check_range, draw_between
from regard.tasks.pondering.posing import Choices, Outputs, PonderTask, Posed, yes_or_no

# What each gate makes of (P, Q) = (T, T), (T, F), (F, T), (F, F): table 1.
GATES = {
    "NOR": "FFFT",
    "Xq": "FFTF",
    "ABJ": "FTFF",
    "XOR": "FTTF",
    "NAND": "FTTT",
    "AND": "TFFF",
    "XNOR": "TFFT",
    "if/then": "TFTT",
    "then/if": "TTFT",
    "OR": "TTTF",
}
TABLES = torch.tensor([[letter == "T" for letter in table] for table in GATES.values()]).long()
HARD_LENGTH = 5  # vectors of the sequences by which the paper measures difficulty


class Logic(PonderTask):
    """Each vector holds two bits and some gates: say what comes out of the last gate.

    b_{i+1} = T_i(b_i, b_{i-1}) (eq. 21). Graves 2016, section 3.2: 1 to 10 vectors, each of two
    bits b_0, b_1 and ten places for one of ten gates, of which the first 1 to 10 are taken; their
    number is the difficulty. From the second vector on, b_0 is the answer to the vector before, and
    its place is left at zero. https://arxiv.org/abs/1603.08983
    With ``places`` there are as many for gates, of which the last may never be taken.
    """

    output_size = 1

    def __init__(
        self,
        vectors: tuple[int, int] = (1, 10),
        gates: tuple[int, int] = (1, 10),
        places: int | None = None,
    ) -> None:
        check_range("Logic", vectors=vectors, gates=gates)
        self.vectors = vectors
        self.gates = gates
        self.places = gates[1] if places is None else places
        if self.places < gates[1]:
            raise ValueError(f"{gates[1]} gates want as many places, but places={places}")
        self.input_size = 2 + self.places * len(GATES)
        self.difficulties = range(gates[0], gates[1] + 1)

    def draw(self, batch: int, generator: Generator) -> Posed:
        shape = (batch, draw_between(*self.vectors, generator))
        counts = torch.randint(self.gates[0], self.gates[1] + 1, shape, generator=generator)
        return self._draw(counts, generator)

    def draw_hard(self, difficulty: int, batch: int, generator: Generator) -> Posed:
        """Five vectors, as in the paper's figure 10."""
        self.check_difficulty(difficulty)
        return self._draw(torch.full((batch, HARD_LENGTH), difficulty), generator)

    def choices(self, outputs: Outputs) -> Choices:
        return yes_or_no(outputs)

    def _draw(self, counts: Int[Tensor, "batch time"], generator: Generator) -> Posed:
        batch, time = counts.shape
        most = self.places
        bits = torch.randint(0, 2, (batch, time, 2), generator=generator)
        bits[:, 1:, 0] = 0
        gates = torch.randint(0, len(GATES), (batch, time, most), generator=generator)
        used = torch.arange(most) < counts.unsqueeze(-1)
        told = one_hot(gates, len(GATES)) * used.unsqueeze(-1)
        inputs = torch.cat([bits, told.flatten(2)], dim=-1).float()
        targets = answers(bits, gates, used)
        return Posed(inputs, targets.unsqueeze(-1), torch.ones(time, dtype=torch.bool))


def answers(
    bits: Int[Tensor, "batch time 2"], gates: Tensor, used: Tensor
) -> Int[Tensor, "batch time"]:
    """The truth after each vector's last gate; the next vector has it for its b_0."""
    found: list[Tensor] = []
    for time in range(bits.shape[1]):
        before, now = bits[:, time].unbind(1)
        if found:
            before = found[-1]
        for place in range(gates.shape[2]):
            after = TABLES[gates[:, time, place], 3 - 2 * now - before]
            taken = used[:, time, place]
            before, now = torch.where(taken, now, before), torch.where(taken, after, now)
        found.append(now)
    return torch.stack(found, dim=1)
