"""Where stories come from, as knobs."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from regard.choices import check_choice
from regard.recipes.knobs import COUNT, NOT_NEGATIVE, knob, path_knob
from regard.recipes.stories.lessons import (
    Grouping,
    Lesson,
    TaskStories,
    TaskTest,
    task_numbers,
)

if TYPE_CHECKING:
    from regard.tasks.stories import Question

TESTED = 1_000  # questions of each kind, as bAbI has them
COUNTS = {"1k": 1_000, "10k": 10_000}
INSTEAD = (
    "generated stories, tested on the official ones: the copy of bAbI that regard knows has no "
    "such training file"
)
SHOWN = 5  # test questions that are shown where nobody asks one


@dataclass(frozen=True)
class StoryData(ABC):
    """Stories with questions, by task."""

    name: ClassVar[str]

    grouping: Grouping

    @abstractmethod
    def learned(self) -> list[TaskStories]:
        """What there is to learn from."""

    @abstractmethod
    def tested(self, most: int = TESTED) -> list[TaskTest]:
        """What there is to test on, at most so many questions of each task."""

    def remarks(self) -> list[str]:
        """What to know about these stories before anything is learned from them."""
        return []

    def alike(self, other: "StoryData") -> bool:
        """Whether other data is of the same kind, whichever tasks are taken of it."""
        return self == other

    def lessons(self) -> list[Lesson]:
        """What each network learns."""
        return self.grouping.lessons(self.learned())

    def tests(self) -> dict[str, list[TaskTest]]:
        """What each network is tested by."""
        return self.grouping.share(self.tested())

    def examples(self) -> list[str]:
        """Stories that no network was trained on, with their supporting facts."""
        from regard.tasks.stories import told_text

        found = self.tested(SHOWN)
        told = [each.questions[place:][:1] for place in range(SHOWN) for each in found]
        return [told_text(question) for some in told for question in some][:SHOWN]


@dataclass(frozen=True)
class Babi(StoryData):
    """The official files of bAbI."""

    name: ClassVar[str] = "babi"

    tasks: str = knob("1-20", "the tasks, such as 3 or 1,4-6")
    questions: str = knob("1k", "questions of each task to learn from: 1k or 10k")
    instead: int = knob(
        0, "made-up questions for a task without an official file; 0: as many as others have",
        NOT_NEGATIVE,
    )  # fmt: skip

    def alike(self, other: StoryData) -> bool:
        return isinstance(other, Babi) and replace(other, tasks=self.tasks) == self

    def learned(self) -> list[TaskStories]:
        from regard.tasks.stories import babi, in_archive, tell_stories

        check_choice("questions", self.questions, ("1k", "10k"))
        return [
            TaskStories(
                f"task {number}",
                babi(number, "train", self.questions)
                if in_archive(number, "train", self.questions)
                else tell_stories(number, self._made_up, seed=0),
            )
            for number in task_numbers(self.tasks)
        ]

    def tested(self, most: int = TESTED) -> list[TaskTest]:
        from regard.tasks.stories import babi

        return [
            TaskTest(
                f"task {number}",
                babi(number, "test", self.questions)[:most],
                self._instead(number),
            )
            for number in task_numbers(self.tasks)
        ]

    def remarks(self) -> list[str]:
        notes = {number: self._instead(number) for number in task_numbers(self.tasks)}
        return [f"task {number} is {note}" for number, note in notes.items() if note]

    @property
    def _made_up(self) -> int:
        return self.instead or COUNTS[self.questions]

    def _instead(self, number: int) -> str:
        """What a task is learned from where there is no official file; else empty."""
        from regard.tasks.stories import in_archive

        if in_archive(number, "train", self.questions):
            return ""
        return f"trained on {self._made_up:,} {INSTEAD}"


@dataclass(frozen=True)
class ToldStories(StoryData):
    """Stories that are made up on the spot; nothing is downloaded."""

    name: ClassVar[str] = "stories"

    tasks: str = knob("1-20", "the kinds of question, such as 3 or 1,4-6")
    told: int = knob(3_000, "questions of each kind that are made up to learn from", COUNT)
    wording: str = knob("wider", "the words of the stories: babi, or wider, which are more")
    data_seed: int = knob(1, "seed of the stories; the test hangs on it, too", NOT_NEGATIVE)

    def learned(self) -> list[TaskStories]:
        return [
            TaskStories(name, told)
            for name, told in self._tell(self.told, 2 * self.data_seed).items()
        ]

    def tested(self, most: int = TESTED) -> list[TaskTest]:
        return [
            TaskTest(name, told) for name, told in self._tell(most, 2 * self.data_seed + 1).items()
        ]

    def _tell(self, count: int, seed: int) -> "dict[str, list[Question]]":
        from regard.tasks.stories import WORDINGS, tell_stories

        check_choice("wording", self.wording, WORDINGS)
        wording = WORDINGS[self.wording]
        return {
            f"task {number}": tell_stories(number, count, seed, wording)
            for number in task_numbers(self.tasks)
        }


@dataclass(frozen=True)
class OwnStories(StoryData):
    """Files of one's own in the format of bAbI; each file to test on is a task."""

    name: ClassVar[str] = "own stories"

    train: str = path_knob("", "your stories to learn from, in the format of bAbI")
    valid: str = path_knob("", "your stories to choose by; without them, a tenth of the first")
    test: tuple[str, ...] = path_knob((), "your stories to test on")

    def learned(self) -> list[TaskStories]:
        from regard.tasks.stories import read_stories

        if not self.train:
            raise ValueError("give your stories: --train FILE, and for evaluation --test FILE")
        valid = read_stories(self.valid) if self.valid else ()
        return [TaskStories(self.name, read_stories(self.train), valid)]

    def tested(self, most: int = TESTED) -> list[TaskTest]:
        from pathlib import Path

        from regard.tasks.stories import read_stories

        if not self.test:
            raise ValueError(
                "there are no stories to test on; give some to regard evaluate by --test FILE, or "
                "type one for regard show"
            )
        return [TaskTest(Path(name).name, read_stories(name)) for name in self.test]

    def tests(self) -> dict[str, list[TaskTest]]:
        return {self.name: self.tested()}
