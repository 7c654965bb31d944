"""Words as numbers.

>>> vocabulary = Vocabulary.build([("a", "b", "a"), ("c", "a")], largest_size=6)
>>> vocabulary.encode(("a", "c", "b"))
[4, 3, 5]
>>> vocabulary.decode([1, 4, 3, 5, 2, 0, 0])
('a', '<unknown>', 'b')
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

PADDING, BEGIN, END, UNKNOWN = range(4)
SPECIAL = ("<padding>", "<begin>", "<end>", "<unknown>")


class Encoding(ABC):
    """What turns the words of a sentence into numbers and back; saved as plain data."""

    @abstractmethod
    def __len__(self) -> int:
        """How many entries there are, the special ones included."""

    @abstractmethod
    def encode(self, words: Sequence[str]) -> list[int]:
        """The numbers of a sentence, without beginning and end."""

    @abstractmethod
    def decode(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """The words of these numbers up to the first end; beginning and padding say nothing."""

    @abstractmethod
    def labels(self, numbers: Iterable[int]) -> list[str]:
        """One readable text for each number, special entries included, for pictures."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Everything that is needed to build it again, as plain data."""


class Vocabulary(Encoding):
    """A list of words: 0 is padding, then beginning, end, unknown, and the words as given.

    A word that looks like a special entry is an unknown word: text cannot end a sentence early.
    """

    def __init__(self, words: Sequence[str]) -> None:
        twice = [word for word, count in Counter((*SPECIAL, *words)).items() if count > 1]
        if twice:
            raise ValueError(
                f"each word must appear once and none be one of {', '.join(SPECIAL)}, but these "
                f"appear again: {', '.join(map(repr, twice[:5]))}"
            )
        self.words = (*SPECIAL, *words)
        self._numbers = {word: number for number, word in enumerate(words, len(SPECIAL))}

    @classmethod
    def build(
        cls,
        sentences: Iterable[Sequence[str]],
        smallest_count: int = 1,
        largest_size: int | None = None,
    ) -> "Vocabulary":
        """The words that appear ``smallest_count`` times or more, the most frequent first.

        Words of one count are in order of their letters, so that the order of the sentences does
        not matter. ``largest_size`` counts the four special entries, too.
        """
        if largest_size is not None and largest_size < len(SPECIAL):
            raise ValueError(
                f"largest_size must hold the {len(SPECIAL)} special entries, but "
                f"largest_size={largest_size}"
            )
        counts = Counter(word for sentence in sentences for word in sentence)
        kept = [
            word
            for word, count in counts.items()
            if count >= smallest_count and word not in SPECIAL
        ]
        kept.sort(key=lambda word: (-counts[word], word))
        return cls(kept if largest_size is None else kept[: largest_size - len(SPECIAL)])

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._numbers

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} entries)"

    def encode(self, words: Sequence[str]) -> list[int]:
        """The number of each word; words that are not in the list are unknown."""
        return [self._numbers.get(word, UNKNOWN) for word in words]

    def decode(self, numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.words[number] for number in until_end(numbers))

    def labels(self, numbers: Iterable[int]) -> list[str]:
        return [self.words[number] for number in numbers]

    def to_json(self) -> dict[str, Any]:
        return {"kind": "words", "words": list(self.words[len(SPECIAL) :])}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Vocabulary":
        """Build it again from what ``to_json`` gave."""
        check_kind(data, "words")
        return cls(data["words"])


def until_end(numbers: Iterable[int]) -> list[int]:
    """The numbers that stand for words: up to the first end, no beginning, no padding."""
    kept = []
    for number in numbers:
        if number == END:
            break
        if number not in (PADDING, BEGIN):
            kept.append(int(number))
    return kept


def check_kind(data: dict[str, Any], kind: str) -> None:
    """Stop where plain data are not those of this kind of vocabulary."""
    if data.get("kind") != kind or kind not in data:
        raise ValueError(
            f"these are not the data of a vocabulary of {kind}: they need the entries 'kind' "
            f"({kind!r}) and {kind!r}, but have {', '.join(map(repr, data)) or 'none'}"
            + (f" and kind={data['kind']!r}" if "kind" in data else "")
        )
