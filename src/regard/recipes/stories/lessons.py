"""What networks learn: the stories of one task, of several together, or of each by itself."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from regard.tasks.stories import Question

EVERY = range(1, 21)
TOGETHER = "all tasks"


class TaskStories(NamedTuple):
    """The stories of one task to learn from and to choose by."""

    name: str
    train: Sequence[Question]
    valid: Sequence[Question] = ()  # where none is given, some of those to learn from


class TaskTest(NamedTuple):
    """The stories of one task to test on."""

    name: str
    questions: Sequence[Question]
    note: str = ""  # what to know about the number that comes of it


class Lesson(NamedTuple):
    """What one network learns."""

    name: str
    train: Sequence[Question]
    valid: Sequence[Question]


@dataclass(frozen=True)
class Grouping(ABC):
    """Which tasks one network learns."""

    @abstractmethod
    def lessons(self, tasks: Sequence[TaskStories]) -> list[Lesson]:
        """A lesson for each network; a tenth of what there is to learn from is kept to judge by."""

    @abstractmethod
    def share(self, tests: Sequence[TaskTest]) -> dict[str, list[TaskTest]]:
        """By which tests each lesson is measured."""


@dataclass(frozen=True)
class Apart(Grouping):
    """A network for each task; the last tenth is kept, as in MemN2N's released code."""

    def lessons(self, tasks: Sequence[TaskStories]) -> list[Lesson]:
        from regard.tasks.stories import split_last

        return [Lesson(task.name, *_given(task) or split_last(task.train)) for task in tasks]

    def share(self, tests: Sequence[TaskTest]) -> dict[str, list[TaskTest]]:
        return {test.name: [test] for test in tests}


@dataclass(frozen=True)
class Together(Grouping):
    """One network for all tasks; a tenth is drawn, as in MemN2N's released code."""

    def lessons(self, tasks: Sequence[TaskStories]) -> list[Lesson]:
        from regard.tasks.stories import split_drawn

        train = [question for task in tasks for question in task.train]
        return [Lesson(TOGETHER, *split_drawn(train, seed=0))]

    def share(self, tests: Sequence[TaskTest]) -> dict[str, list[TaskTest]]:
        return {TOGETHER: list(tests)}


def _given(
    task: TaskStories,
) -> tuple[Sequence[Question], Sequence[Question]] | None:
    return (task.train, task.valid) if task.valid else None


def task_numbers(text: str) -> list[int]:
    """The numbers that a text such as "3" or "1,4-6" names, each once and in order.

    >>> task_numbers("1,4-6")
    [1, 4, 5, 6]
    """
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = (word.strip() for word in part.partition("-"))
        bounds = first, last or first
        if not all(word.isdecimal() and int(word) in EVERY for word in bounds):
            raise ValueError(
                f"the tasks of bAbI are {EVERY[0]} to {EVERY[-1]}, but {part.strip()!r} is none of "
                "them; name them as 3 or 1,4-6"
            )
        found |= set(range(int(bounds[0]), int(bounds[1]) + 1))
        if int(bounds[1]) < int(bounds[0]):
            raise ValueError(f"{part.strip()!r} goes backwards; give {bounds[1]}-{bounds[0]}")
    return sorted(found)
