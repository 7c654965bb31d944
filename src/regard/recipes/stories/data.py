"""Where stories come from, as knobs."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from regard.recipes.knobs import COUNT, NOT_NEGATIVE, knob, path_knob
from regard.recipes.stories.lessons import (
    Grouping,
    Lesson,
    TaskStories,
    task_numbers,
)

TESTED = 1_000  # questions of each kind, as bAbI has them
SHOWN = 5  # test questions that are shown where nobody asks one


@dataclass(frozen=True)
class StoryData(ABC):
    """Stories with questions, by task."""

    name: ClassVar[str]

    grouping: Grouping

    @abstractmethod
    def tasks_read(self) -> list[TaskStories]:
        """Every task with its stories."""

    def lessons(self) -> list[Lesson]:
        """What each network learns and is tested by."""
        return self.grouping.lessons(self.tasks_read())

    def examples(self) -> list[str]:
        """Stories that no network was trained on, as a person would type them."""
        from regard.tasks.stories import typed_text

        found = self.tasks_read()
        told = [task.test[place] for place in range(SHOWN) for task in found if task.test[place:]]
        return [typed_text(question) for question in told[:SHOWN]]


@dataclass(frozen=True)
class Babi(StoryData):
    """The official files of bAbI."""

    name: ClassVar[str] = "babi"

    tasks: str = knob("1-20", "the tasks, such as 3 or 1,4-6")
    questions: str = knob("1k", "questions of each task to learn from: 1k or 10k")

    def tasks_read(self) -> list[TaskStories]:
        from regard.tasks.stories import babi

        return [
            TaskStories(f"task {number}", train, babi(number, "test", self.questions), note)
            for number in task_numbers(self.tasks)
            for train, note in [_official(number, self.questions)]
        ]


def _official(number: int, size: str) -> tuple[list, str]:  # type: ignore[type-arg]
    """The training file of a task; where the archive has none, as many generated stories."""
    from regard.tasks.stories import babi, in_archive, tell_stories

    if in_archive(number, "train", size):
        return babi(number, "train", size), ""
    count = {"1k": 1_000, "10k": 10_000}[size]
    return tell_stories(number, count, seed=0), (
        f"trained on {count:,} generated stories, tested on the official ones: the copy of bAbI "
        "that regard knows has no such training file"
    )


@dataclass(frozen=True)
class ToldStories(StoryData):
    """Stories that are made up on the spot; nothing is downloaded."""

    name: ClassVar[str] = "stories"

    tasks: str = knob("1-20", "the kinds of question, such as 3 or 1,4-6")
    told: int = knob(3_000, "questions of each kind that are made up to learn from", COUNT)
    wording: str = knob("wider", "the words of the stories: babi, or wider, which are more")
    data_seed: int = knob(1, "seed of the stories; the test hangs on it, too", NOT_NEGATIVE)

    def tasks_read(self) -> list[TaskStories]:
        from regard.tasks.stories import WORDINGS, tell_stories

        if self.wording not in WORDINGS:
            raise ValueError(
                f"wording must be one of {', '.join(WORDINGS)}, but it is {self.wording!r}"
            )
        wording, seed = WORDINGS[self.wording], 2 * self.data_seed
        return [
            TaskStories(
                f"task {number}",
                tell_stories(number, self.told, seed, wording),
                tell_stories(number, TESTED, seed + 1, wording),
            )
            for number in task_numbers(self.tasks)
        ]


@dataclass(frozen=True)
class OwnStories(StoryData):
    """Files of one's own in the format of bAbI; each file to test on is a task."""

    name: ClassVar[str] = "own stories"

    train: str = path_knob("", "your stories to learn from, in the format of bAbI")
    valid: str = path_knob("", "your stories to choose by; without them, a tenth of the first")
    test: tuple[str, ...] = path_knob((), "your stories to test on")

    def tasks_read(self) -> list[TaskStories]:
        from pathlib import Path

        from regard.tasks.stories import read_stories

        if not self.train:
            raise ValueError("give your stories: --train FILE, and for evaluation --test FILE")
        train = read_stories(self.train)
        valid: Sequence = read_stories(self.valid) if self.valid else ()  # type: ignore[type-arg]
        tests = [TaskStories(Path(name).name, train, read_stories(name)) for name in self.test]
        first = TaskStories("own stories", train, (), valid=valid)
        return [first, *tests]

    def lessons(self) -> list[Lesson]:
        first, *tests = self.tasks_read()
        (lesson,) = self.grouping.lessons([first])
        return [lesson._replace(tests=tests)]

    def examples(self) -> list[str]:
        from regard.tasks.stories import typed_text

        first, *tests = self.tasks_read()
        return [typed_text(question) for question in (tests[0].test if tests else first.train)][:5]
