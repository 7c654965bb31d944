"""A trained network at work: it is asked and answers; and how long it thought."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from regard.models import AdaptiveComputation, Pondered
from regard.recipes.pondering.practice import Practice
from regard.recording import record
from regard.tasks.pondering import Posed
from regard.viewing import PonderSheet


@dataclass(frozen=True)
class Thought:
    """What a network answered to one question, and how long it thought about each input."""

    said: str
    right: str
    steps: tuple[int, ...]
    trouble: str = ""

    def __str__(self) -> str:
        if self.trouble:
            return ""
        verdict = "right" if self.said == self.right else f"wrong, it is {self.right}"
        steps = " ".join(str(number) for number in self.steps)
        return f"{self.said} ({verdict}; steps: {steps})"

    def remarks(self) -> list[str]:
        """What a reader should know about this answer."""
        return [self.trouble] if self.trouble else []

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "output": self.said,
            "right": self.right,
            "steps": list(self.steps),
            "trouble": self.trouble,
        }


class Thinker:
    """A network with its task; call it with how hard the question is to be, such as "20"."""

    names_files = False

    def __init__(self, model: AdaptiveComputation, practice: Practice) -> None:
        self.model = model
        self.practice = practice

    def __call__(self, text: str | int) -> Thought:
        """The answer to what a person asks; what a number asks for is drawn from a fixed seed."""
        text = str(text)
        posed, made = self._think(text)
        choices = self.practice.task().choices(made.outputs)[0].argmax(dim=-1).cpu()
        answers, wanted = (rows[posed.counts].tolist() for rows in (choices, posed.targets[0]))
        if self.practice.is_right(posed, answers):
            wanted = answers  # of several right ones, the one that was given
        said, right = self.practice.said(answers), self.practice.said(wanted)
        return Thought(said, right, tuple(made.steps[0].tolist()))

    def lines(self, texts: Sequence[str]) -> Iterator[Thought]:
        """The answers to many, in their order; one that cannot be asked stops no other."""
        for text in texts:
            try:
                yield self(text)
            except ValueError as problem:
                yield Thought("", "", (), trouble=str(problem))

    def sheet(self, text: str | int) -> PonderSheet:
        """How much each step weighs in the answer to each input, and how long that took."""
        text = str(text)
        with record(self.model, ["watch"]) as maps:
            posed, made = self._think(text)
        weights, ponder = maps["watch"].weights[0], made.ponder[0].cpu()
        words = self.practice.words(posed)
        return PonderSheet(
            f"{self.practice.name}, {text}",
            weights,
            [f"{word} ({each:.1f})" for word, each in zip(words, ponder.tolist(), strict=True)],
            [f"step {number}" for number in range(1, weights.shape[1] + 1)],
            words=words,
            ponder=ponder,
            hard=self.practice.hard(posed),
            unit=self.practice.unit,
        )

    @torch.no_grad()
    def _think(self, text: str) -> tuple[Posed, Pondered]:
        posed = self.practice.example(text)
        device = next(self.model.parameters()).device
        made: Pondered = self.model(posed.inputs.to(device))
        return posed, made
