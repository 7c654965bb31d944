"""Words beside a picture: as many as there are rows, shown letter by letter as they are."""

import math
from collections.abc import Sequence
from typing import NamedTuple

Words = Sequence[str] | None  # None means that positions are numbered from zero

LONGEST = 32  # characters of a label; more is shortened in the middle
DENSEST = 160  # labels along one side; of more, every second or third is written


class Side(NamedTuple):
    """The words along one side of a picture, and how large its cells are."""

    words: list[str]

    @property
    def cell(self) -> float:
        """Inches from one word to the next."""
        return min(0.45, max(0.11, 5.5 / len(self.words)), 0.11 * DENSEST / len(self.words))

    @property
    def length(self) -> float:
        """Inches of the whole side."""
        return self.cell * len(self.words)

    @property
    def step(self) -> int:
        """Every which word is written."""
        return math.ceil(len(self.words) / DENSEST)

    @property
    def points(self) -> float:
        """The size of the letters."""
        return min(9.0, 0.6 * 72 * self.cell * self.step)

    @property
    def reach(self) -> float:
        """Inches that the longest word takes, estimated; wide scripts count double."""
        widths = [sum(1 if ord(letter) < 0x1100 else 2 for letter in word) for word in self.words]
        return max(widths) * 0.62 * self.points / 72


def side(name: str, words: Words, count: int) -> Side:
    """Check that there is one word for each row or column, and make them readable."""
    if words is None:
        return Side([str(position) for position in range(count)])
    if len(words) != count:
        raise ValueError(
            f"{name} must give one word for each of the {count} {name} of the picture, but there "
            f"are {len(words)} words: {_shorten(', '.join(words))}"
        )
    return Side([readable(word) for word in words])


def readable(word: str, longest: int = LONGEST) -> str:
    """Write a word on one line: invisible letters spelled out, a very long word cut."""
    visible = "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in word
    )
    return _shorten(visible, longest)


def _shorten(text: str, longest: int = LONGEST) -> str:
    kept = (longest - 1) // 2
    return text if len(text) <= longest else f"{text[:kept]}…{text[-kept:]}"
