"""A task to be pondered as a person meets it: practised, tested, asked and answered."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from regard.recipes.endless import as_number
from regard.recipes.endless.seeds import ASKING
from regard.recipes.knobs import SHARE, knob

if TYPE_CHECKING:
    from torch import Tensor

    from regard.tasks.pondering import PonderTask, Posed


@dataclass(frozen=True, kw_only=True)
class Practice(ABC):
    """A task, as it is trained, tested and asked about.

    It may begin small: the next size comes when enough of the last is known.
    """

    name: ClassVar[str]
    unit: ClassVar[str]  # what makes it hard
    grows: ClassVar[str]  # the knob that says how large the whole task is
    otherwise: ClassVar[str] = ""  # what may be asked but a number of units

    enough: float = knob(
        0.0, "share of right sequences at which the next size comes; 0 has all at once", SHARE
    )

    def __post_init__(self) -> None:
        first, last = self.sizes
        if self.enough and first > last:
            raise ValueError(
                f"training begins with --first-{self.grows} {first}, but the whole task is "
                f"--{self.grows} {last}; begin with {last} or less, or give --enough 0"
            )

    @property
    @abstractmethod
    def sizes(self) -> tuple[int, int]:
        """The size of the task when training begins, and that of the whole task."""

    @abstractmethod
    def sized(self, size: int) -> "PonderTask":
        """The task up to that size, as a network for the whole one takes it."""

    @property
    @abstractmethod
    def test(self) -> str:
        """The name of the test, which says how large the task is."""

    @abstractmethod
    def task(self) -> "PonderTask":
        """The whole task."""

    @property
    def last_lesson(self) -> int:
        """The number of the last lesson, the first being 0."""
        first, last = self.sizes
        return last - first if self.enough else 0

    def lesson(self, number: int) -> "PonderTask":
        """What is practised then."""
        return self.sized(self.sizes[1] - self.last_lesson + number)

    def goes_on(self, right: float) -> bool:
        """Whether the next lesson comes at this share of right sequences."""
        return right >= self.enough

    def difficulties(self) -> Sequence[int]:
        """Those that are measured one by one."""
        return self.task().difficulties

    @abstractmethod
    def example(self, text: str) -> "Posed":
        """What a person asks."""

    @abstractmethod
    def words(self, posed: "Posed") -> list[str]:
        """What stands for each input of the first sequence."""

    def hard(self, posed: "Posed") -> "Tensor | None":
        """How hard each input of the first sequence is; None where that is not said of one."""
        return None

    def is_right(self, posed: "Posed", answers: list[list[int]]) -> bool:
        """Whether these choices, at the steps that count, answer the first sequence."""
        wanted: list[list[int]] = posed.targets[0, posed.counts].tolist()
        return answers == wanted

    @abstractmethod
    def said(self, answers: list[list[int]]) -> str:
        """What the choices at the steps that count mean."""

    def _drawn(self, text: str) -> "Posed":
        """As hard as the text says, from a fixed seed."""
        from torch import Generator

        task, what = self.task(), f"the number of {self.unit}"
        least, most = task.difficulties[0], task.difficulties[-1]
        difficulty = as_number(text, what, least, most, self.otherwise)
        return task.draw_hard(difficulty, 1, Generator().manual_seed(ASKING))
