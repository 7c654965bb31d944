"""The recipe of every network that ponders: a system, a task and a course, put together."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from regard.recipes.endless import Endless
from regard.recipes.pondering.practice import Practice
from regard.recipes.pondering.systems import PonderingSystem

if TYPE_CHECKING:
    from torch import nn

    from regard.recipes.measured import Measured
    from regard.recipes.pondering.experiment import Pupil, Thinking
    from regard.recipes.pondering.player import Thinker

# Sequences of the test, and those answered side by side: few, since a batch has one length.
TESTED, TOGETHER = 5_000, 10


@dataclass(frozen=True)
class Pondering(Endless["Thinker"]):
    """Train a network on a task, use it, measure it and how long it thinks."""

    system: PonderingSystem
    data: Practice
    inputs: tuple[str, ...] = ()  # what is shown where nobody asks for anything else

    def examples(self) -> list[str]:
        """Those inputs that fit the size of the task, or else the largest that does."""
        return [text for text in self.inputs if self._fits(text)] or [f"{self.data.sizes[1]}"]

    def _fits(self, text: str) -> bool:
        try:
            self.data.example(text)
        except ValueError:
            return False
        return True

    def experiment(self, model: Any) -> "Thinking":
        from regard.recipes.pondering.experiment import Thinking

        return Thinking(model, self.data, self.course, self.system.price)

    def remembering(self, model: "nn.Module") -> "Pupil":
        from regard.recipes.pondering.experiment import Pupil

        return Pupil(model)

    def player(self, model: Any) -> "Thinker":
        from regard.recipes.pondering.player import Thinker

        return Thinker(model, self.data)

    def measure(self, player: "Thinker") -> "list[Measured]":
        """Sequences with any mistake, answers that are wrong and steps taken, by difficulty."""
        from regard.recipes.pondering.measuring import measure

        return measure(player.model, self.data, TESTED, TOGETHER)
