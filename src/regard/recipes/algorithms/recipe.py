"""The recipe of every machine: a system, a task and a course, put together."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from regard.recipes.algorithms.practice import Practice
from regard.recipes.algorithms.systems import MachineSystem
from regard.recipes.endless import Endless

if TYPE_CHECKING:
    from torch import nn

    from regard.recipes.algorithms.experiment import Exercise
    from regard.recipes.algorithms.player import Player
    from regard.recipes.measured import Measured

TESTED, TOGETHER = 1_000, 100  # sequences of each test, and those that are played side by side


@dataclass(frozen=True)
class Algorithm(Endless["Player"]):
    """Train a machine on a task, use it, measure it."""

    system: MachineSystem
    data: Practice

    def examples(self) -> list[str]:
        """The hardest that is practised."""
        return [self.data.usual]

    def experiment(self, model: "nn.Module") -> "Exercise":
        from regard.recipes.algorithms.experiment import Exercise

        return Exercise(model, self.data.task(), self.course)

    def player(self, model: Any) -> "Player":
        from regard.recipes.algorithms.player import Player

        return Player(model, self.data)

    def measure(self, player: "Player") -> "list[Measured]":
        """Bits per sequence, and bits that are wrong, on fresh sequences of every test."""
        from regard.recipes.algorithms.measuring import measure

        return measure(player.model, self.data, TESTED, TOGETHER)

    def least(self) -> float | None:
        """The bits of the best guesses on what a run is judged by; None where they are zero."""
        import torch

        from regard.recipes.algorithms.experiment import judged

        batches = judged(self.data.task(), self.course.batch)
        found = [self.data.least_bits(batch) for batch in batches]
        known = [bits for bits in found if bits is not None]
        return float(torch.cat(known).mean()) if known else None
