"""A trained machine at work: it is given a task and answers; and where its heads were."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Generator, Tensor, nn

from regard.metrics import wrong_bits
from regard.models.ntm import NTM, MachineState
from regard.recipes.algorithms.practice import Practice
from regard.recipes.algorithms.systems import too_small
from regard.recipes.endless.seeds import ASKING
from regard.tasks.algorithms import Drawn
from regard.viewing import TapeSheet


@dataclass(frozen=True)
class Answered:
    """What a machine answered to one sequence."""

    bits: Float[Tensor, "step bit"]  # of the steps that count
    wrong: int
    remark: str = ""
    trouble: str = ""

    def __str__(self) -> str:
        if self.trouble:
            return ""
        rows = ["".join(str(int(bit)) for bit in row) for row in self.bits.tolist()]
        return f"{' '.join(rows)} ({self.wrong} wrong of {self.bits.numel()} bits)"

    def remarks(self) -> list[str]:
        """What a reader should know about this answer."""
        return [text for text in (self.remark, self.trouble) if text]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "output": str(self),
            "bits": self.bits.int().tolist(),
            "wrong": self.wrong,
            "trouble": self.trouble,
        }


class Player:
    """A machine with its task; call it with the size of what it is to do, such as "20"."""

    names_files = False

    def __init__(self, model: nn.Module, practice: Practice) -> None:
        self.model = model
        self.practice = practice

    def __call__(self, text: str | int) -> Answered:
        """The answer to a sequence of the size that the text names, drawn from a fixed seed."""
        text = str(text)
        drawn, logits = self._play(text)
        bits = (logits[0, drawn.counts] > 0).float().cpu()
        wrong = wrong_bits(logits.cpu(), drawn.targets, drawn.counts)
        return Answered(bits, int(wrong[0]), self._remark(text))

    def lines(self, texts: Sequence[str]) -> Iterator[Answered]:
        """The answers to many, in their order; one that cannot be asked for stops no other."""
        for text in texts:
            try:
                yield self(text)
            except ValueError as problem:
                yield Answered(torch.zeros(0, 0), 0, trouble=str(problem))

    @torch.no_grad()
    def sheet(self, text: str | int) -> TapeSheet:
        """Where the heads were at each step, those that wrote first, and what they moved."""
        text = str(text)
        machine = self.model
        if not isinstance(machine, NTM):
            raise ValueError(
                f"a {type(machine).__name__} has no tape: there is nothing that it looked at"
            )
        drawn = self._drawn(text)
        added: list[Tensor] = []
        hook = machine.writers.register_forward_hook(lambda *seen: added.append(seen[2].add))
        try:
            states, outputs = _steps(machine, drawn.inputs.to(machine.first_words.device))
        finally:
            hook.remove()
        writing = torch.cat([state.writing for state in states]).cpu()  # step head slot
        reading = torch.cat([state.reading for state in states]).cpu()
        counts = drawn.counts.tolist()
        rows = [f"{'answer' if answers else 'input'} {step}" for step, answers in enumerate(counts)]
        return TapeSheet(
            f"{self.practice.name}, {text}",
            torch.cat([writing, reading], dim=1).transpose(0, 1),
            rows,
            axes=("", "head (writers first)"),
            remarks=tuple(filter(None, [self._remark(text)])),
            inputs=drawn.inputs[0],
            outputs=torch.cat(outputs).sigmoid().cpu(),
            counts=drawn.counts,
            added=torch.cat(added).sum(dim=1).cpu(),
            read=torch.cat([state.words for state in states]).sum(dim=1).cpu(),
            marks=self.practice.marks(drawn),
            supposed=self.practice.supposed(drawn, writing),
        )

    @torch.no_grad()
    def _play(self, text: str) -> tuple[Drawn, Tensor]:
        drawn = self._drawn(text)
        device = next(self.model.parameters()).device
        return drawn, self.model(drawn.inputs.to(device))

    def _remark(self, text: str) -> str:
        if not isinstance(self.model, NTM):
            return ""
        return too_small(self.model.slots, self.practice.stored(text))

    def _drawn(self, text: str) -> Drawn:
        return self.practice.example(text)(1, Generator().manual_seed(ASKING))


def _steps(
    machine: NTM, inputs: Float[Tensor, "1 step given"]
) -> tuple[list[MachineState], list[Tensor]]:
    """The state and the output after each input."""
    states, outputs = [machine.begin(1)], []
    for given in inputs.unbind(1):
        state, output = machine.step(states[-1], given)
        states.append(state)
        outputs.append(output)
    return states[1:], outputs
