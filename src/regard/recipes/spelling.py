"""How sentences become numbers, as knobs."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regard.recipes.knobs import COUNT, Limits, knob

if TYPE_CHECKING:
    from regard.tasks import Encoding


@dataclass(frozen=True)
class Spelling(ABC):
    """Learns the entries of a language from its training sentences."""

    @abstractmethod
    def learn(self, sentences: Iterable[Sequence[str]]) -> "Encoding":
        """The entries of one language."""


@dataclass(frozen=True)
class WholeWords(Spelling):
    """Every word is an entry."""

    smallest_count: int = knob(1, "how often a word must appear in training to be known", COUNT)

    def learn(self, sentences: Iterable[Sequence[str]]) -> "Encoding":
        from regard.tasks import Vocabulary

        return Vocabulary.build(sentences, self.smallest_count)


@dataclass(frozen=True)
class Pieces(Spelling):
    """Pieces of words, so that any text can be written."""

    entries: int = knob(
        6_000, "entries of each language, bytes and whole words among them", Limits(300)
    )

    def learn(self, sentences: Iterable[Sequence[str]]) -> "Encoding":
        from regard.tasks import Subwords

        return Subwords.train(sentences, self.entries)
