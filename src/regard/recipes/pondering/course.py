"""The paper's way of practising."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from regard.recipes.endless import Practising
from regard.recipes.knobs import COUNT, POSITIVE, knob

if TYPE_CHECKING:
    from regard.training import Descent


@dataclass(frozen=True)
class AsInThePaper(Practising):
    """Adam at a constant rate of 0.0001, a million updates.

    The paper has sixteen threads that change the same weights in a race (Hogwild), each a million
    times; here there is one. It says nothing of clipping: the norm at which the gradient is clipped
    is so large that it hardly ever is. The batch is 128 for parity, 16 for logic and sorting, 32
    for addition.
    """

    steps: int = knob(1_000_000, "updates, each by a fresh batch", COUNT)
    batch: int = knob(16, "sequences in a batch", COUNT)
    rate: float = knob(0.0001, "learning rate", POSITIVE)

    def descent(self) -> "Descent":
        from functools import partial

        from torch.optim import Adam

        from regard.training import Descent

        return Descent(partial(Adam, lr=self.rate), clip=self.clip)
