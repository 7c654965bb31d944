"""A trained machine at work: it is given a task and answers; and where its heads were."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Generator, Tensor, nn

from regard.metrics import wrong_bits
from regard.recipes.algorithms.tasks import Practice
from regard.recording import record
from regard.tasks.algorithms import Drawn
from regard.viewing import Sheet

SEED = 2**41  # of what is drawn for a person, apart from training and judging


@dataclass(frozen=True)
class Answered:
    """What a machine answered to one sequence."""

    bits: Float[Tensor, "step bit"]  # of the steps that count
    wrong: int
    trouble: str = ""

    def __str__(self) -> str:
        rows = ["".join(str(int(bit)) for bit in row) for row in self.bits.tolist()]
        return f"{' '.join(rows)} ({self.wrong} wrong of {self.bits.numel()} bits)"

    def remarks(self) -> list[str]:
        """Nothing more to know."""
        return []

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"output": str(self), "bits": self.bits.int().tolist(), "wrong": self.wrong}


class Player:
    """A machine with its task; call it with the size of what it is to do, such as "20"."""

    names_files = False

    def __init__(self, model: nn.Module, practice: Practice) -> None:
        self.model = model
        self.practice = practice

    def __call__(self, text: str) -> Answered:
        """The answer to a sequence of the size that the text names, drawn from a fixed seed."""
        drawn, logits = self._play(text)
        bits = (logits[0, drawn.counts] > 0).float().cpu()
        wrong = wrong_bits(logits.cpu(), drawn.targets, drawn.counts)
        return Answered(bits, int(wrong[0]))

    def lines(self, texts: Sequence[str]) -> Iterator[Answered]:
        """The answers to many, in their order."""
        return map(self, texts)

    def sheet(self, text: str) -> Sheet:
        """Where the heads were at each step: those that wrote, then those that read."""
        with record(self.model) as maps:
            drawn, _ = self._play(text)
        names = [name for name in WATCHED if name in maps]
        if not names:
            raise ValueError(
                f"a {type(self.model).__name__} has no tape: there is nothing that it looked at"
            )
        weights = torch.cat([maps[name].weights[0] for name in names])
        counts = drawn.counts.tolist()
        rows = [f"{'answer' if answers else 'input'} {step}" for step, answers in enumerate(counts)]
        title = f"{self.practice.name}, {text}: where the heads write (first) and read"
        return Sheet(title, weights, rows, axes=("", "head"))

    @torch.no_grad()
    def _play(self, text: str) -> tuple[Drawn, Tensor]:
        drawn = self.practice.example(text)(1, Generator().manual_seed(SEED))
        device = next(self.model.parameters()).device
        return drawn, self.model(drawn.inputs.to(device))


WATCHED = ("writers.going.watch", "readers.watch")
