"""Where the pairs of sentences come from, as knobs."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regard.recipes.knobs import COUNT, NOT_NEGATIVE, Limits, knob, path_knob

if TYPE_CHECKING:
    from regard.tasks import Pair, Split

EXAMPLES = 5  # sentences that are shown when none is given
OWN_SHARE = 20  # one pair in so many is held out for validation where no file is given


@dataclass(frozen=True)
class Data(ABC):
    """Pairs to learn from, to select by and to test on."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What the ledger calls it."""

    @abstractmethod
    def training(self) -> "Split":
        """Pairs for training and validation; its test is empty or not looked at."""

    @abstractmethod
    def tests(self) -> dict[str, list["Pair"]]:
        """Each test set by its name, the main one first."""

    def examples(self) -> list[str]:
        """A few source sentences of the first test set."""
        first = next(iter(self.tests().values()))
        return [" ".join(pair.source) for pair in first[:EXAMPLES]]

    def to_words(self, text: str) -> tuple[str, ...]:
        """The words of a typed sentence."""
        return tuple(text.split())

    def to_text(self, words: Sequence[str]) -> str:
        """A sentence as a person reads it, on one line: pieces of words may spell its end."""
        return " ".join(" ".join(words).split())

    @property
    def has_alignment(self) -> bool:
        """Whether the test pairs say which word belongs to which."""
        return False


@dataclass(frozen=True)
class Directions(Data):
    """Korean directions and their English, made on the spot."""

    pairs: int = knob(60_000, "training pairs that are made", COUNT)
    longest: int = knob(24, "Korean words of the longest sentence in training", Limits(4))
    usual: int = knob(
        8, "scale by which lengths of training sentences fall off, cut at the longest", COUNT
    )
    data_seed: int = knob(1, "seed of the sentences; the test set hangs on it, too", NOT_NEGATIVE)

    @property
    def name(self) -> str:
        return "directions"

    @property
    def has_alignment(self) -> bool:
        return True

    def training(self) -> "Split":
        from regard.tasks import directions

        return directions.split(
            self.pairs, 500, 1_000, self.data_seed, self.longest, usual=self.usual
        )

    def examples(self) -> list[str]:
        from regard.tasks import directions

        return [" ".join(directions.LECTURE.source), *super().examples()]

    def tests(self) -> dict[str, list["Pair"]]:
        from regard.tasks import directions

        unseen = directions.split(0, 500, 1_000, self.data_seed, self.longest).test
        spans = [(start, start + 3) for start in range(self.longest + 1, 2 * self.longest, 4)]
        longer = [
            pair
            for shortest, longest in spans
            for pair in directions.split(0, 0, 200, self.data_seed, longest, shortest).test
        ]
        return {"test": unseen, "longer than in training": longer}

    def to_words(self, text: str) -> tuple[str, ...]:
        from regard.tasks import directions

        return directions.to_words(text)


@dataclass(frozen=True)
class Files(Data):
    """The user's own pairs, wherever a recipe reads files."""

    train: tuple[str, ...] = path_knob(
        (), "your own training pairs: a table with tabs, or a source and a target file"
    )
    valid: tuple[str, ...] = path_knob(
        (), "your own pairs to select the model by (else part of train)"
    )
    test: tuple[str, ...] = path_knob((), "your own pairs to evaluate on")

    @property
    def name(self) -> str:
        return "own pairs" if self.train else self.own_name

    @property
    def own_name(self) -> str:
        """The name of the data set that is read when no files are given."""
        return "own pairs"

    def __post_init__(self) -> None:
        for name in ("train", "valid", "test"):
            files = getattr(self, name)
            if len(files) > 2:
                raise ValueError(
                    f"--{name} takes one table, or a source and a target file, but was given "
                    f"{len(files)} files: {', '.join(files)}"
                )

    def examples(self) -> list[str]:
        """A few source sentences: of the test, or of what was held out of your own pairs."""
        if self.train and not self.test:
            return [" ".join(pair.source) for pair in self.training().valid[:EXAMPLES]]
        return super().examples()

    def training(self) -> "Split":
        from regard.tasks import Split, read_pairs, split_by_source

        if self.test:
            self.tests()  # what is wrong with them is said now, not after hours
        if not self.train:
            return self.own_training()
        pairs = read_pairs(*self.train)
        if not pairs:
            raise ValueError(f"{self.train[0]} is empty: there is nothing to train on")
        if self.valid:
            return Split(pairs, read_pairs(*self.valid), [])
        try:
            return split_by_source(pairs, max(1, len(pairs) // OWN_SHARE), 0, seed=0)
        except ValueError as problem:
            raise ValueError(
                f"{self.train[0]}: {problem}; give more sentences, or others to select the model "
                "by with --valid FILE"
            ) from problem

    def tests(self) -> dict[str, list["Pair"]]:
        from regard.tasks import read_pairs

        if self.test:
            return {"test": read_pairs(*self.test)}
        if self.train:
            raise ValueError(
                "this run was trained on your own pairs and knows no test set; give one by "
                "--test FILE (or --test SOURCE TARGET); a run that is trained with --test keeps it"
            )
        return self.own_tests()

    def own_training(self) -> "Split":
        """Pairs of the data set that this recipe is named after."""
        raise ValueError(
            "there is nothing to train on; give your pairs by --train FILE (a sentence, one tab "
            "and its translation on each line) or --train SOURCE TARGET (two files)"
        )

    def own_tests(self) -> dict[str, list["Pair"]]:
        """Tests of the data set that this recipe is named after."""
        raise ValueError("there is no test set; give one by --test FILE")


@dataclass(frozen=True)
class Multi30k(Files):
    """Captions of pictures in English, German and French."""

    source: str = knob("en", "language to translate from: en, de or fr")
    target: str = knob("de", "language to translate into: en, de or fr")

    @property
    def own_name(self) -> str:
        return f"multi30k {self.source}-{self.target}"

    def own_training(self) -> "Split":
        from regard.tasks import Split

        return Split(self._part("train"), self._part("val"), [])

    def own_tests(self) -> dict[str, list["Pair"]]:
        parts = {"test 2016": "test_2016_flickr", "test 2017": "test_2017_flickr"}
        return {name: self._part(part) for name, part in parts.items()}

    def _part(self, part: str) -> list["Pair"]:
        from regard.tasks import multi30k

        return multi30k(part, self.source, self.target)


@dataclass(frozen=True)
class Tatoeba(Files):
    """Everyday English sentences and their French."""

    @property
    def own_name(self) -> str:
        return "tatoeba en-fr"

    def own_training(self) -> "Split":
        from regard.tasks import tatoeba_french

        return tatoeba_french()

    def own_tests(self) -> dict[str, list["Pair"]]:
        from regard.tasks import tatoeba_french

        return {"test": tatoeba_french().test}


@dataclass(frozen=True)
class KoreanEnglish(Files):
    """Real Korean and its English: everyday sentences, and the paragraphs of Python's manual."""

    @property
    def own_name(self) -> str:
        return "korean-english"

    def own_training(self) -> "Split":
        from regard.tasks import Split, korean_english

        everyday = self._everyday()
        return Split(
            everyday.train + korean_english("python") + korean_english("news-dev"),
            everyday.valid,
            [],
        )

    def own_tests(self) -> dict[str, list["Pair"]]:
        from regard.tasks import korean_english

        return {"everyday": self._everyday().test, "news": korean_english("news-test")}

    def _everyday(self) -> "Split":
        from regard.tasks import korean_english, split_by_source

        return split_by_source(korean_english("tatoeba"), 300, 500, seed=0)
