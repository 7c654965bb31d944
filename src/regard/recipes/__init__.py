"""Recipes: experiments that anyone can repeat, each a value made of parts whose knobs turn."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from regard.recipes.algorithms import ALGORITHMS
from regard.recipes.captioning import CAPTIONS
from regard.recipes.knobs import Knob, knobs_of, turn, values_of
from regard.recipes.language import LANGUAGE
from regard.recipes.measured import Measured
from regard.recipes.pondering import PONDERINGS
from regard.recipes.stories import STORIES
from regard.recipes.translation import TRANSLATIONS

if TYPE_CHECKING:
    from regard.training import Journal, Outcome, RunFolder
    from regard.viewing import PictureSheet, Sheet

__all__ = [
    "RECIPES",
    "Detailed",
    "Gathering",
    "Knob",
    "Measured",
    "Recipe",
    "Restarting",
    "Runner",
    "Sampling",
    "knobs_of",
    "turn",
    "values_of",
]


@runtime_checkable
class Runner(Protocol):
    """A trained model at work."""

    names_files: bool  # whether its inputs are names of files, and not text

    def __call__(self, text: str, /) -> Any:
        """The answer to one input; ``str`` of it is what is printed."""

    def lines(self, texts: Sequence[str], /) -> Iterator[Any]:
        """The answers to many inputs, in their order."""

    def sheet(self, text: str, /) -> "Sheet | PictureSheet":
        """What the model looked at while it answered, to be drawn."""


@runtime_checkable
class Gathering(Protocol):
    """A runner whose inputs may stand on several lines of a file."""

    def gather(self, lines: Iterable[str], source: str, /) -> Iterator[str]:
        """The inputs in these lines; an error names the source."""


@runtime_checkable
class Sampling(Protocol):
    """A runner that says words, which may be drawn."""

    def sampling(self, temperature: float, seed: int, /) -> Runner:
        """The same runner, drawing its words."""


@runtime_checkable
class Detailed(Protocol):
    """An answer that has more to tell than its one line."""

    def details(self) -> str:
        """What a person who waits for the answer may want to see beside it; empty for nothing."""


@runtime_checkable
class Recipe(Protocol):
    """What a recipe can do. Its knobs are the fields that ``knob`` made, its parts' included."""

    higher_is_better: ClassVar[bool]  # whether the number that selects is to be high

    @property
    def summary(self) -> str:
        """What it trains on what, in a line."""

    @property
    def system(self) -> Any:
        """The model and its sizes."""

    def train(
        self, folder: "RunFolder", device: str, journals: "Sequence[Journal]", resume_with: str
    ) -> "Outcome":
        """Train in a run folder, from where it stands to the end."""

    def load(self, folder: Path) -> Runner:
        """The trained model of a run folder."""

    def evaluate(self, folder: Path) -> list[Measured]:
        """Every test set, by every number that suits it."""

    def examples(self) -> list[str]:
        """A few inputs that the model was not trained on."""


@runtime_checkable
class Restarting(Protocol):
    """A recipe that learns from several beginnings in one run."""

    @property
    def seeds_taken(self) -> int:
        """How many seeds one run takes, counted up from its own."""


RECIPES: dict[str, Recipe] = {
    **TRANSLATIONS,
    **CAPTIONS,
    **ALGORITHMS,
    **PONDERINGS,
    **STORIES,
    **LANGUAGE,
}
