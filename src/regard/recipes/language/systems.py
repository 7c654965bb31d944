"""The language models as knobs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from regard.recipes.knobs import COUNT, NOT_NEGATIVE, knob

if TYPE_CHECKING:
    from regard.models import MemoryLanguageModel


@dataclass(frozen=True)
class MemoryLanguageSystem:
    """The end-to-end memory network over the last words of a text."""

    hops: int = knob(7, "how often the words are asked", COUNT)
    slots: int = knob(200, "words that are remembered, the last ones", COUNT)
    size: int = knob(150, "width of the embeddings", COUNT)
    straight: int = knob(75, "units without ReLU", NOT_NEGATIVE)

    def build(self, words: int) -> "MemoryLanguageModel":
        """The model, freshly drawn, for a vocabulary of so many words."""
        from regard.models import MemoryLanguageModel

        return MemoryLanguageModel(
            vocabulary=words,
            slots=self.slots,
            size=self.size,
            straight=self.straight,
            hops=self.hops,
        )

    @property
    def work(self) -> int:
        """Multiply-adds of one row between two waits, to choose the number of threads by."""
        return self.slots * self.size
