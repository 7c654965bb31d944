"""The recipe of every language model: a system, a text and a course, put together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from regard.recipes.language.course import Descending
from regard.recipes.language.data import TextData
from regard.recipes.language.systems import MemoryLanguageSystem
from regard.recipes.measured import Measured

if TYPE_CHECKING:
    from regard.recipes.language.speaker import Speaker
    from regard.tasks import Vocabulary
    from regard.training import Journal, Outcome, RunFolder

WORDS = "words.json"


@dataclass(frozen=True)
class LanguageModelling:
    """Train a language model, use it, measure it."""

    higher_is_better: ClassVar[bool] = False

    summary: str
    system: MemoryLanguageSystem
    data: TextData
    course: Descending
    published: Mapping[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def train(
        self, folder: "RunFolder", device: str, journals: "Sequence[Journal]", resume_with: str
    ) -> "Outcome":
        """Train in a run folder, from where it stands to the end."""
        import torch

        from regard.recipes.language.experiment import Foretelling
        from regard.tasks.texts import text_stream
        from regard.training import choose_threads, train

        if device == "cpu":
            choose_threads(self.course.batch * self.system.work).use()
        sentences = self.data.part("train")
        words = self._words(folder.path, sentences)
        torch.manual_seed(self.course.seed)
        experiment = Foretelling(
            self.system.build(len(words)).to(device),
            text_stream(sentences, words),
            text_stream(self.data.part("valid"), words),
            slots=self.system.slots,
            batch=self.course.batch,
            seed=self.course.seed,
        )
        return train(
            experiment, self.course.schedule(), folder, journals=journals, resume_with=resume_with
        )

    def load(self, folder: Path) -> "Speaker":
        """The trained model of a run folder."""
        from regard.recipes.language.speaker import Speaker
        from regard.training import load_weights

        words = self._words(folder)
        model = self.system.build(len(words))
        load_weights(model, folder / "model.safetensors")
        return Speaker(model.eval(), words, self.system.slots)

    def evaluate(self, folder: Path) -> list[Measured]:
        """The perplexity of the texts to choose by and to test on."""
        from regard.recipes.language.experiment import perplexity
        from regard.tasks.texts import text_stream

        speaker, slots = self.load(folder), self.system.slots
        paper = self.published.get((self.system.hops, slots))
        return [
            Measured(
                part,
                "perplexity",
                perplexity(speaker.model, text_stream(self.data.part(part), speaker.words), slots),
                "perplexity",
                "lower",
                paper=None if paper is None else float(paper[place]),
            )
            for part, place in (("test", 1), ("valid", 0))
        ]

    def examples(self) -> list[str]:
        """Beginnings of sentences that the model was not trained on."""
        return self.data.examples()

    def _words(
        self, folder: Path, sentences: "Sequence[Sequence[str]] | None" = None
    ) -> "Vocabulary":
        """The words of a run: those that are there already, else those of the sentences."""
        import json

        from regard.files import write_whole
        from regard.recipes.entries import read_entries
        from regard.tasks.texts import text_vocabulary

        path = folder / WORDS
        if sentences is not None and not path.is_file():
            made = text_vocabulary(map(tuple, sentences))
            write_whole(path, json.dumps(made.to_json(), ensure_ascii=False).encode())
        return read_entries(path)  # type: ignore[return-value]
