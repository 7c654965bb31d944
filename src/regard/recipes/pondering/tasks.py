"""The tasks to be pondered as knobs: what is practised, what a person may ask, how it is said."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from regard.recipes.knobs import COUNT, Limits, knob
from regard.recipes.pondering.practice import Practice

if TYPE_CHECKING:
    from torch import Tensor

    from regard.tasks.pondering import PonderTask, Posed

TWO = Limits(2)
FIRST_OR_SECOND = Limits(1, 3)


@dataclass(frozen=True)
class ParityPractice(Practice):
    """Whether the ones of a vector are odd in number; short vectors first, if the course wants it.

    Of a short one the numbers after the first few are zero. What was learned of these goes on to
    hold when one more comes, which is not so where few numbers stand anywhere.
    """

    name: ClassVar[str] = "parity"
    unit: ClassVar[str] = "bits"
    grows: ClassVar[str] = "numbers"
    otherwise: ClassVar[str] = "the bits themselves, such as +-0+"

    numbers: int = knob(64, "numbers of a vector", COUNT)
    first_numbers: int = knob(2, "numbers before the zeros when training begins", COUNT)

    @property
    def sizes(self) -> tuple[int, int]:
        return self.first_numbers, self.numbers

    @property
    def test(self) -> str:
        return f"{self.numbers} numbers"

    def task(self) -> "PonderTask":
        from regard.tasks.pondering import Parity

        return Parity(self.numbers, (1, self.numbers))

    def sized(self, size: int) -> "PonderTask":
        from regard.tasks.pondering import Parity

        return Parity(self.numbers, (1, size), size)

    def difficulties(self) -> Sequence[int]:
        return sorted({max(1, self.numbers * eighth // 8) for eighth in range(9)})

    def example(self, text: str) -> "Posed":
        """So many bits that are drawn; or the bits themselves, such as +-0+."""
        import torch

        from regard.tasks.pondering.parity import pose

        if not text or set(text) - set("+-0"):
            return self._drawn(text)
        if len(text) > self.numbers:
            raise ValueError(f"{text!r} are {len(text)} bits, but the network has {self.numbers}")
        signs = {"+": 1.0, "-": -1.0, "0": 0.0}
        vector = [signs[letter] for letter in text.ljust(self.numbers, "0")]
        return pose(torch.tensor([vector]))

    def hard(self, posed: "Posed") -> "Tensor | None":
        return posed.inputs[0].count_nonzero(dim=1).float()

    def words(self, posed: "Posed") -> list[str]:
        return [f"{int(posed.inputs[0].count_nonzero())} bits"]

    def said(self, answers: list[list[int]]) -> str:
        return ("even", "odd")[answers[0][0]]


@dataclass(frozen=True)
class LogicPractice(Practice):
    """What comes out of the last of several gates; few of them first, if the course wants it."""

    name: ClassVar[str] = "logic"
    unit: ClassVar[str] = "gates"
    grows: ClassVar[str] = "gates"

    vectors: int = knob(10, "vectors of the longest sequence", COUNT)
    gates: int = knob(10, "gates of a vector at most", COUNT)
    first_gates: int = knob(1, "gates of a vector at most when training begins", COUNT)

    @property
    def sizes(self) -> tuple[int, int]:
        return self.first_gates, self.gates

    @property
    def test(self) -> str:
        return f"1 to {self.vectors} vectors of 1 to {self.gates} gates"

    def sized(self, size: int) -> "PonderTask":
        from regard.tasks.pondering import Logic

        return Logic((1, self.vectors), (1, size), self.gates)

    def task(self) -> "PonderTask":
        from regard.tasks.pondering import Logic

        return Logic((1, self.vectors), (1, self.gates))

    def example(self, text: str) -> "Posed":
        return self._drawn(text)

    def hard(self, posed: "Posed") -> "Tensor | None":
        return posed.inputs[0, :, 2:].sum(dim=1)

    def words(self, posed: "Posed") -> list[str]:
        from regard.tasks.pondering import GATES

        names = list(GATES)
        told = []
        for row in posed.inputs[0].int().tolist():
            gates = [names[place % len(names)] for place, on in enumerate(row[2:]) if on]
            told.append(f"{row[0]}{row[1]} {' '.join(gates)}")
        return told

    def said(self, answers: list[list[int]]) -> str:
        return " ".join(str(step[0]) for step in answers)


@dataclass(frozen=True)
class AdditionPractice(Practice):
    """The sum so far; numbers of few digits first, if the course wants it.

    A number that stands alone is not practised: the test asks nothing of it. In practice the first
    of several may be asked for as well, so that numbers and sums come to be kept in one way.
    """

    name: ClassVar[str] = "addition"
    unit: ClassVar[str] = "digits"
    grows: ClassVar[str] = "digits"
    otherwise: ClassVar[str] = "the numbers to be added, such as 12+345"

    terms: int = knob(5, "numbers to be added at most", TWO)
    digits: int = knob(5, "digits of a number at most", COUNT)
    first_digits: int = knob(1, "digits of a number at most when training begins", COUNT)
    asked_from: int = knob(
        2, "number from which on training asks for the sum so far: 1 or 2", FIRST_OR_SECOND
    )

    @property
    def sizes(self) -> tuple[int, int]:
        return self.first_digits, self.digits

    @property
    def test(self) -> str:
        return f"1 to {self.terms} terms of 1 to {self.digits} digits"

    def task(self) -> "PonderTask":
        from regard.tasks.pondering import Addition

        return Addition((1, self.terms), (1, self.digits))

    def sized(self, size: int) -> "PonderTask":
        from regard.tasks.pondering import Addition

        return Addition((2, self.terms), (1, size), self.digits, self.asked_from)

    def example(self, text: str) -> "Posed":
        """So many digits that are drawn; or the numbers themselves, such as 12+345."""
        import torch

        from regard.tasks.pondering import Addition

        if "+" not in text:
            return self._drawn(text)
        terms = [term.strip() for term in text.split("+")]
        if len(terms) > self.terms or not all(
            term.isdecimal() and len(term) <= self.digits for term in terms
        ):
            raise ValueError(
                f"{text!r}: give 2 to {self.terms} whole numbers of up to {self.digits} digits, "
                "such as 12+345"
            )
        padded = [[int(digit) for digit in term.ljust(self.digits, "0")] for term in terms]
        lengths = [len(term) for term in terms]
        task = Addition((1, self.terms), (1, self.digits))
        return task.pose(torch.tensor([padded]), torch.tensor([lengths]))

    def hard(self, posed: "Posed") -> "Tensor | None":
        return posed.inputs[0].sum(dim=1)

    def words(self, posed: "Posed") -> list[str]:
        places = posed.inputs[0].view(len(posed.counts), -1, 10)
        return [
            "".join(str(int(digit.argmax())) for digit in number if digit.any())
            for number in places
        ]

    def said(self, answers: list[list[int]]) -> str:
        return " ".join(_as_digits(step) for step in answers)


def _as_digits(choices: list[int]) -> str:
    """The digits before the end; what comes after an end is shown behind a star."""
    text = "".join("*" if choice == 10 else str(choice) for choice in choices).rstrip("*")
    return text or "*"


@dataclass(frozen=True)
class SortPractice(Practice):
    """The places of numbers in ascending order, counted from 1 where they are said.

    Few numbers first, if the course wants it.
    """

    name: ClassVar[str] = "sort"
    unit: ClassVar[str] = "numbers"
    grows: ClassVar[str] = "longest"
    otherwise: ClassVar[str] = "the numbers themselves with spaces between them, such as 0.5 -1 2"

    longest: int = knob(15, "numbers to be sorted at most", TWO)
    first_longest: int = knob(3, "numbers to be sorted at most when training begins", TWO)

    @property
    def sizes(self) -> tuple[int, int]:
        return self.first_longest, self.longest

    def sized(self, size: int) -> "PonderTask":
        from regard.tasks.pondering import SortNumbers

        return SortNumbers((2, size), self.longest)

    @property
    def test(self) -> str:
        return f"2 to {self.longest} numbers"

    def task(self) -> "PonderTask":
        from regard.tasks.pondering import SortNumbers

        return SortNumbers((2, self.longest))

    def example(self, text: str) -> "Posed":
        """So many numbers that are drawn; or the numbers themselves, such as 0.5 -1 2."""
        import torch

        from regard.tasks.pondering.sorting import pose

        numbers = text.split()
        if len(numbers) < 2:
            return self._drawn(text)
        try:
            given = torch.tensor([[float(number) for number in numbers]])
        except ValueError:
            given = torch.empty(0)
        if not bool(given.isfinite().all()):
            raise ValueError(f"{text!r}: the numbers go from about -3e38 to 3e38")
        if not 2 <= given.numel() <= self.longest:
            raise ValueError(
                f"{text!r}: give 2 to {self.longest} numbers with spaces between them, such as "
                "0.5 -1 2"
            )
        return pose(given)

    def words(self, posed: "Posed") -> list[str]:
        given = posed.inputs[0, :, 0].tolist()
        half = len(given) // 2
        return [f"{number:.2f}" for number in given[:half]] + [
            f"answer {place}" for place in range(1, half + 1)
        ]

    def is_right(self, posed: "Posed", answers: list[list[int]]) -> bool:
        """Whether all places are there, those of no smaller number first: equal ones may swap."""
        given, places = posed.inputs[0, :, 0].tolist(), [step[0] for step in answers]
        if sorted(places) != list(range(len(places))):
            return False
        said = [given[place] for place in places]
        return said == sorted(said)

    def said(self, answers: list[list[int]]) -> str:
        return " ".join(str(step[0] + 1) for step in answers)
