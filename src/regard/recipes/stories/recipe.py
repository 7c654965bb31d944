"""The recipe of every network that answers questions over stories, put together of its parts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from regard.recipes.stories.course import StoryCourse
from regard.recipes.stories.data import StoryData
from regard.recipes.stories.published import NOTHING, Published
from regard.recipes.stories.systems import StorySystem

if TYPE_CHECKING:
    from regard.recipes.measured import Measured
    from regard.recipes.stories.answerer import Answerer
    from regard.training import Journal, Outcome, RunFolder


@dataclass(frozen=True)
class StoryAnswering:
    """Train networks, each from several beginnings; use them, measure them."""

    higher_is_better: ClassVar[bool] = False

    summary: str
    system: StorySystem
    data: StoryData
    course: StoryCourse
    published: Published = NOTHING

    @property
    def seeds_taken(self) -> int:
        """One for each restart."""
        return self.course.restarts

    def train(
        self, folder: "RunFolder", device: str, journals: "Sequence[Journal]", resume_with: str
    ) -> "Outcome":
        """Train in a run folder, from where it stands to the end."""
        from regard.recipes.stories.book import learn_all

        return learn_all(self, folder, device, journals, resume_with)

    def load(self, folder: Path) -> "Answerer":
        """The trained networks of a run folder."""
        from regard.recipes.stories.answerer import Answerer, Network
        from regard.recipes.stories.book import read_networks
        from regard.recipes.stories.material import read_entries

        entries = read_entries(folder)
        models = read_networks(self.system, entries, folder)
        networks = {name: Network(models[name], entry) for name, entry in entries.items()}
        return Answerer(networks, self.system.look, leaks=self.system.leaks)

    def evaluate(self, folder: Path) -> "list[Measured]":
        """Errors of every task and their mean beside the paper's, and what was looked at."""
        from regard.recipes.stories.measuring import measure

        return measure(self if self.as_published() else replace(self, published=NOTHING), folder)

    def as_published(self) -> bool:
        """Whether knobs are such that the paper's column is about the same networks and stories.

        How long they learn and how many are tried is left to everybody.
        """
        from regard.recipes.stories import STORIES

        return any(
            (own.published, own.system) == (self.published, self.system)
            and own.data.alike(self.data)
            and own.course.variant() == self.course.variant()
            for own in STORIES.values()
        )

    def examples(self) -> list[str]:
        """Stories that the networks were not trained on."""
        return self.data.examples()
