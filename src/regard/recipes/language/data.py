"""Where running text comes from, as knobs."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from regard.recipes.knobs import path_knob
from regard.tasks.pairs import Words

SHOWN, LENGTH = 4, 12  # beginnings that are shown where nobody types one, and their words


@dataclass(frozen=True)
class TextData(ABC):
    """Sentences to learn from, to choose by and to test on."""

    name: ClassVar[str]

    @abstractmethod
    def part(self, name: str) -> Sequence[Words]:
        """The sentences of ``train``, ``valid`` or ``test``."""

    def examples(self) -> list[str]:
        """Beginnings of sentences that no model was trained on."""
        long = [words for words in self.part("test") if len(words) > LENGTH]
        return [" ".join(words[:LENGTH]) for words in long[:SHOWN]]


@dataclass(frozen=True)
class Treebank(TextData):
    """The Penn Treebank as language models take it: 10,000 words."""

    name: ClassVar[str] = "ptb"

    def part(self, name: str) -> Sequence[Words]:
        from regard.tasks.texts import treebank

        return treebank(name)


@dataclass(frozen=True)
class OwnText(TextData):
    """Files of one's own, a sentence on each line, words between spaces."""

    name: ClassVar[str] = "own text"

    train: str = path_knob("", "your text to learn from")
    valid: str = path_knob("", "your text to choose by")
    test: tuple[str, ...] = path_knob((), "your text to test on")

    def part(self, name: str) -> Sequence[Words]:
        from regard.tasks.texts import read_text

        files = {"train": (self.train,), "valid": (self.valid,), "test": self.test}[name]
        if not all(files) or not files:
            raise ValueError(f"give your text: --{name} FILE, a sentence on each line")
        return [words for file in files for words in read_text(file)]
