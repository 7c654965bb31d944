"""The lectures' common representation: one encoder, a decoder for each language."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from regard.recipes.course import Course
from regard.recipes.knobs import knob
from regard.recipes.searching import FIVE_BEAMS, Searching
from regard.recipes.spelling import Spelling
from regard.recipes.translation.data import Multi30k
from regard.recipes.translation.systems import System

if TYPE_CHECKING:
    from regard.models import CommonEncoder
    from regard.recipes.measured import Measured
    from regard.recipes.translation.interpreter import Interpreter
    from regard.tasks import Encoding, Pair
    from regard.training import Journal, Outcome, RunFolder

# German is read as well as English, both into French, so that both meet in one space.
ROUTES = (("en", "de"), ("en", "fr"), ("de", "fr"))
TARGETS = ("de", "fr")


@dataclass(frozen=True)
class CommonTranslation:
    """One encoder of English and German, decoders into German and French (Multi30k)."""

    higher_is_better: ClassVar[bool] = True

    summary: str
    system: System
    spelling: Spelling
    course: Course
    searching: Searching = FIVE_BEAMS
    target: str = knob("de", "the language that `regard run` and `regard show` write: de or fr")

    @property
    def data(self) -> Multi30k:
        """What the ledger calls the data."""
        return Multi30k(source="en+de", target="de+fr")

    def train(
        self, folder: "RunFolder", device: str, journals: "Sequence[Journal]", resume_with: str
    ) -> "Outcome":
        """Train in a run folder, from where it stands to the end."""
        import torch

        from regard.recipes.translation.routes import TranslatingTogether
        from regard.training import choose_threads, train

        if device == "cpu":
            choose_threads(self.course.batch * self.system.work).use()
        splits = {route: Multi30k(source=route[0], target=route[1]).training() for route in ROUTES}
        torch.manual_seed(self.course.seed)
        train_pairs = {route: split.train for route, split in splits.items()}
        entries = self._entries(folder.path, train_pairs)
        model = self._build(entries).to(device)
        interpreters = {route: self._interpreter(model, entries, route[1]) for route in ROUTES}
        experiment = TranslatingTogether(model, interpreters, splits, self.course)
        schedule = self.course.schedule()
        return train(experiment, schedule, folder, journals=journals, resume_with=resume_with)

    def load(self, folder: Path) -> "Interpreter":
        """The trained translator into the language that the knob names."""
        model, entries = self._load(folder)
        return self._interpreter(model, entries, self.target)

    def evaluate(self, folder: Path) -> "list[Measured]":
        """BLEU of every route, and whether sentences of two languages find each other."""
        from regard.recipes.translation.routes import measure_retrieval, measure_route

        model, entries = self._load(folder)
        tests = {
            route: Multi30k(source=route[0], target=route[1]).tests()["test 2016"]
            for route in ROUTES
        }
        rows = [
            measure_route(self._interpreter(model, entries, route[1]), route, tests[route])
            for route in ROUTES
        ]
        pairs = tests["en", "de"]
        return rows + measure_retrieval(self._interpreter(model, entries, "de"), pairs)

    def examples(self) -> list[str]:
        """A few sentences that the model was not trained on."""
        return Multi30k().examples()

    def _entries(
        self, folder: Path, train: "dict[tuple[str, str], list[Pair]]"
    ) -> "dict[str, Encoding]":
        """One set of entries for both languages that are read, and one for each that is written."""
        from regard.recipes.entries import keep_digest, keep_entries

        together = [pair for route in ROUTES for pair in train[route]]
        keep_digest(folder, "training", together)
        read = [pair.source for route in (("en", "de"), ("de", "fr")) for pair in train[route]]
        sentences = {
            "source": read,
            "de": [pair.target for pair in train["en", "de"]],
            "fr": [pair.target for pair in train["en", "fr"]],
        }
        return {
            name: keep_entries(folder / f"{name}_entries.json", self.spelling, each)
            for name, each in sentences.items()
        }

    def _build(self, entries: "dict[str, Encoding]") -> "CommonEncoder":
        from regard.models import CommonEncoder

        single = {
            name: self.system.build(len(entries["source"]), len(entries[name])) for name in TARGETS
        }
        decoders = {name: translator.decoder for name, translator in single.items()}
        return CommonEncoder(single["de"].encoder, decoders)

    def _load(self, folder: Path) -> "tuple[CommonEncoder, dict[str, Encoding]]":
        from regard.recipes.entries import read_entries
        from regard.training import load_weights

        names = ("source", *TARGETS)
        entries = {name: read_entries(folder / f"{name}_entries.json") for name in names}
        model = self._build(entries)
        load_weights(model, folder / "model.safetensors")
        return model.eval(), entries

    def _interpreter(
        self, model: "CommonEncoder", entries: "dict[str, Encoding]", target: str
    ) -> "Interpreter":
        from regard.recipes.translation.interpreter import Interpreter

        return Interpreter(
            model.into(target),
            entries["source"],
            entries[target],
            Multi30k(target=target),
            self.searching.search(),
        )
