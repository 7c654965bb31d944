"""The recipe of every translator: a system, data, a spelling and a course, put together."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from regard.recipes.course import Course
from regard.recipes.guiding import UNGUIDED, Guiding
from regard.recipes.searching import FIVE_BEAMS, Searching
from regard.recipes.spelling import Spelling
from regard.recipes.translation.data import Data
from regard.recipes.translation.systems import System

if TYPE_CHECKING:
    from regard.recipes.measured import Measured
    from regard.recipes.translation.experiment import Translating
    from regard.recipes.translation.interpreter import Interpreter
    from regard.recipes.translation.lessons import Lesson
    from regard.tasks import Encoding, Pair, Split
    from regard.training import Journal, Outcome, RunFolder


@dataclass(frozen=True)
class Translation:
    """Train a translator, use it, measure it."""

    higher_is_better: ClassVar[bool] = True

    summary: str
    system: System
    data: Data
    spelling: Spelling
    course: Course
    searching: Searching = FIVE_BEAMS
    guiding: Guiding = UNGUIDED

    def train(
        self, folder: "RunFolder", device: str, journals: "Sequence[Journal]", resume_with: str
    ) -> "Outcome":
        """Train in a run folder, from where it stands to the end."""
        import torch

        from regard.training import choose_threads, train

        threads = choose_threads(self.course.batch * self.system.work)
        if device == "cpu":
            threads.use()
        split = self.data.training()
        torch.manual_seed(self.course.seed)
        source, target = self._entries(folder, split)
        experiment = self._experiment(split, self._interpreter(source, target))
        experiment.model.to(device)
        return train(
            experiment,
            self.course.schedule(),
            folder,
            journals=journals,
            resume_with=resume_with,
        )

    def load(self, folder: Path) -> "Interpreter":
        """The trained translator of a run folder."""
        from regard.recipes.entries import read_entries
        from regard.training import load_weights

        source, target = (read_entries(folder / name) for name in (SOURCE, TARGET))
        interpreter = self._interpreter(source, target)
        load_weights(interpreter.model, folder / "model.safetensors")
        interpreter.model.eval()
        return interpreter

    def evaluate(self, folder: Path) -> "list[Measured]":
        """Every test set, by every number that suits it, and the scores by length."""
        from regard.recipes.translation.measuring import measure

        return measure(self.load(folder), self.data.tests())

    def examples(self) -> list[str]:
        """A few sentences that the model was not trained on."""
        return self.data.examples()

    def _entries(self, folder: "RunFolder", split: "Split") -> "tuple[Encoding, Encoding]":
        """The entries that the run has, or those of the training pairs if it is just beginning."""
        from regard.recipes.entries import keep_digest, keep_entries

        for name, pairs in (("training", split.train), ("validation", split.valid)):
            keep_digest(folder.path, name, pairs)
        sides = zip(*((pair.source, pair.target) for pair in split.train), strict=True)
        source, target = (
            keep_entries(folder.path / name, self.spelling, sentences)
            for name, sentences in zip((SOURCE, TARGET), sides, strict=True)
        )
        return source, target

    def _interpreter(self, source: "Encoding", target: "Encoding") -> "Interpreter":
        from regard.recipes.translation.interpreter import Interpreter

        model = self.system.build(len(source), len(target))
        return Interpreter(model, source, target, self.data, self.searching.search())

    def _experiment(self, split: "Split", interpreter: "Interpreter") -> "Translating":
        from regard.recipes.translation.experiment import BY_BLEU, BY_EXACTNESS, Translating

        course = self.course
        return Translating(
            interpreter,
            self._lesson(split.train, interpreter),
            split.valid,
            BY_EXACTNESS if self.data.has_alignment else BY_BLEU,
            batch=course.batch,
            seed=course.seed,
        )

    def _lesson(self, train: "Sequence[Pair]", interpreter: "Interpreter") -> "Lesson[Any]":
        """What is taught; training pairs that are longer than ``LONGEST`` are left out."""
        from regard.recipes.translation.lessons import NextWord, NextWordAndLook

        numbers = [(interpreter.pair(pair), pair) for pair in train]
        taught = [each for each in numbers if max(map(len, each[0])) <= LONGEST]
        if len(taught) < len(numbers):
            warnings.warn(
                f"{len(numbers) - len(taught)} of {len(numbers)} training pairs are longer than "
                f"{LONGEST} entries and are left out",
                stacklevel=2,
            )
        numbered = [numbers for numbers, _ in taught]
        guidance, smoothing = self.guiding.guidance, self.course.smoothing
        if guidance == 0:
            return NextWord(numbered, smoothing)
        alignments = [pair.alignment for _, pair in taught]
        if None in alignments:
            raise ValueError(
                f"--guidance {guidance:g} needs the true alignment of the training pairs, which "
                f"{self.data.name} does not have; leave it at 0"
            )
        return NextWordAndLook(numbered, alignments, smoothing, guidance)  # type: ignore[arg-type]


LONGEST = 100  # entries of a training sentence
SOURCE, TARGET = "source_entries.json", "target_entries.json"
