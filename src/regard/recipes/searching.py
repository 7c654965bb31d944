"""How words are found, as knobs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regard.recipes.knobs import COUNT, NOT_NEGATIVE, knob

if TYPE_CHECKING:
    from regard.models import Written


@dataclass(frozen=True)
class Searching:
    """How a trained decoder looks for its words."""

    beams: int = knob(5, "hypotheses that grow side by side; 1 is greedy", COUNT)
    length_power: float = knob(
        1.0, "log-probabilities are divided by length to this power", NOT_NEGATIVE
    )

    def search(self) -> "Callable[..., list[Written]]":
        """The way to find words that the knobs name."""
        from functools import partial

        from regard.models import beam, greedy

        if self.beams == 1:
            return greedy
        return partial(beam, beams=self.beams, length_power=self.length_power)


FIVE_BEAMS = Searching()
