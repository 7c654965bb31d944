"""The recipe of every captioner: a system, images, words and a course, put together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from regard.recipes.captioning.data import CaptionData
from regard.recipes.captioning.systems import CaptionerSystem
from regard.recipes.course import Course
from regard.recipes.guiding import UNGUIDED, Guiding
from regard.recipes.searching import FIVE_BEAMS, Searching
from regard.recipes.spelling import Spelling

if TYPE_CHECKING:
    from regard.recipes.captioning.experiment import Taught
    from regard.recipes.captioning.lessons import Term
    from regard.recipes.captioning.teller import Teller
    from regard.recipes.measured import Measured
    from regard.tasks import Encoding
    from regard.training import Journal, Outcome, RunFolder

WORDS = "words.json"


@dataclass(frozen=True)
class Captioning:
    """Train a captioner, use it, measure it."""

    higher_is_better: ClassVar[bool] = True

    summary: str
    system: CaptionerSystem
    data: CaptionData
    spelling: Spelling
    course: Course
    searching: Searching = FIVE_BEAMS
    guiding: Guiding = UNGUIDED
    published: Mapping[str, float] = field(default_factory=dict)  # the paper's numbers, by metric

    def train(
        self, folder: "RunFolder", device: str, journals: "Sequence[Journal]", resume_with: str
    ) -> "Outcome":
        """Train in a run folder, from where it stands to the end."""
        import torch

        from regard.models import greedy
        from regard.recipes.captioning.experiment import Telling
        from regard.recipes.entries import keep_entries
        from regard.training import choose_threads, train

        self.system.kind.check(self.course.epochs)
        if device == "cpu":
            choose_threads(self.course.batch * self.system.work).use()
        albums = self.data.albums()
        torch.manual_seed(self.course.seed)
        told = (caption for captions in albums.train.captions for caption in captions)
        words = keep_entries(folder.path / WORDS, self.spelling, told)
        taught = self._taught(words)
        taught.to(device)
        experiment = Telling(
            taught,
            self._teller(taught, words).searching(greedy),
            albums.train,
            albums.valid,
            batch=self.course.batch,
            seed=self.course.seed,
            telling=self.system.kind.telling(),
        )
        return train(
            experiment,
            self.course.schedule(),
            folder,
            journals=journals,
            resume_with=resume_with,
        )

    def load(self, folder: Path) -> "Teller":
        """The trained captioner of a run folder."""
        from regard.recipes.entries import read_entries
        from regard.training import load_weights

        words = read_entries(folder / WORDS)
        taught = self._taught(words)
        load_weights(taught, folder / "model.safetensors")
        taught.eval()
        taught.captioner.tell_by(self.system.kind.telling())
        return self._teller(taught, words)

    def evaluate(self, folder: Path) -> "list[Measured]":
        """The test set, by every number that suits it."""
        from regard.recipes.captioning.measuring import measure

        found = measure(self.load(folder), self.data.tests(), self.searching.beams)
        return [replace(each, paper=self.published.get(each.metric)) for each in found]

    def examples(self) -> list[str]:
        """A few images that the model was not trained on."""
        return self.data.examples()

    def _taught(self, words: "Encoding") -> "Taught":
        from regard.recipes.captioning.experiment import Taught
        from regard.recipes.captioning.lessons import Lesson

        captioner = self.system.build(self.data, len(words))
        return Taught(captioner, Lesson(self.course.smoothing, self._terms()))

    def _terms(self) -> "list[Term]":
        from regard.recipes.captioning.lessons import Pointing

        guidance = self.guiding.guidance
        if guidance and not self.data.has_boxes:
            raise ValueError(
                f"--guidance {guidance:g} needs the boxes of what the words name, which "
                f"{self.data.name} does not have; leave it at 0"
            )
        return [*self.system.kind.terms(), *([Pointing(guidance)] if guidance else [])]

    def _teller(self, taught: "Taught", words: "Encoding") -> "Teller":
        from regard.recipes.captioning.teller import Teller

        return Teller(taught.captioner, words, self.data, self.searching.search())
