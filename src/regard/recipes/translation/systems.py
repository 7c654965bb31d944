"""The translators as knobs: each builds its model for two vocabularies."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, TypeVar

from regard.choices import check_choice
from regard.recipes.knobs import COUNT, SHARE, knob

if TYPE_CHECKING:
    from regard.attention import Attention
    from regard.models import Translator
    from regard.models.rnnsearch import GatedTranslator

Choice = TypeVar("Choice")


@dataclass(frozen=True)
class System(ABC):
    """A translator and its sizes."""

    @abstractmethod
    def build(self, source_vocabulary: int, target_vocabulary: int) -> "Translator":
        """The model, freshly drawn."""

    @property
    @abstractmethod
    def work(self) -> int:
        """Multiply-adds of one row between two waits, to choose the number of threads by."""


@dataclass(frozen=True)
class GatedSizes:
    """What RNNsearch, its ancestor without attention and its heir have in common."""

    word_size: int = knob(256, "width of the word vectors", COUNT)
    state_size: int = knob(256, "width of each recurrent state and of the alignment network", COUNT)
    hidden_size: int = knob(256, "width of the maxout layer before the words", COUNT)
    dropout: float = knob(0.3, "share of inputs and features set to zero in training", SHARE)
    forgetting: float = knob(
        0.0, "share of states forgotten at each word in training, so that none counts far", SHARE
    )

    @property
    def work(self) -> int:
        """Multiply-adds of the largest product of a step."""
        return self.state_size * 3 * self.state_size


@dataclass(frozen=True)
class GatedSystem(System):
    """A translator of the gated family: which one is the class's business."""

    sizes: GatedSizes

    @property
    def work(self) -> int:
        return self.sizes.work

    @abstractmethod
    def kind(self) -> "type[GatedTranslator]":
        """The model's class."""

    def build(self, source_vocabulary: int, target_vocabulary: int) -> "Translator":
        return self.kind()(
            source_vocabulary=source_vocabulary,
            target_vocabulary=target_vocabulary,
            **asdict(self.sizes),
        )


@dataclass(frozen=True)
class RNNSearchSystem(GatedSystem):
    """Bahdanau's translator with additive attention."""

    def kind(self) -> "type[GatedTranslator]":
        from regard.models import RNNSearch

        return RNNSearch


@dataclass(frozen=True)
class LocationAwareSystem(GatedSystem):
    """The same with looks that know where the last one was."""

    def kind(self) -> "type[GatedTranslator]":
        from regard.models import LocationAware

        return LocationAware


@dataclass(frozen=True)
class Seq2SeqSystem(GatedSystem):
    """The encoder-decoder without attention: one vector for the whole sentence."""

    def kind(self) -> "type[GatedTranslator]":
        from regard.models import Seq2Seq

        return Seq2Seq


@dataclass(frozen=True)
class LuongSystem(System):
    """Luong's translator: stacked LSTMs, input feeding, any of the paper's scores and reaches."""

    size: int = knob(256, "width of the word vectors and of every layer", COUNT)
    layers: int = knob(1, "LSTM layers on either side", COUNT)
    reading: str = knob("forwards", "how the encoder reads: forwards, as the paper's, or both-ways")
    score: str = knob("general", "dot, general, concat or location")
    reach: str = knob("global", "what a look may see: global, local-m or local-p")
    radius: int = knob(10, "half the width of a local window, in words", COUNT)
    dropout: float = knob(0.3, "share of inputs and features set to zero in training", SHARE)

    @property
    def work(self) -> int:
        return self.size * 8 * self.size

    def build(self, source_vocabulary: int, target_vocabulary: int) -> "Translator":
        from regard.models import Around, Luong

        return Luong(
            self.look(),
            source_vocabulary=source_vocabulary,
            target_vocabulary=target_vocabulary,
            size=self.size,
            layers=self.layers,
            both_ways=_chosen("reading", self.reading, READINGS),
            scope=Around(self.radius) if self.reach == "local-m" else None,
            dropout=self.dropout,
        )

    def look(self) -> "Attention":
        """The attention that the knobs name."""
        from torch import nn

        from regard.attention import Attention
        from regard.scores import Concat, Dot, FromQuery, General, Score
        from regard.windows import Predictive, Window

        size = self.size
        scores: dict[str, Callable[[], Score]] = {
            "dot": Dot,
            "general": lambda: General(query_size=size, key_size=size),
            "concat": lambda: Concat(query_size=size, key_size=size, hidden_size=size),
            "location": lambda: FromQuery(nn.Linear(size, LONGEST_LOCATED)),
        }
        windows: dict[str, Callable[[], Window | None]] = {
            "global": lambda: None,
            "local-m": lambda: None,  # a mask that moves with the step: the decoder's scope
            "local-p": lambda: Predictive(query_size=size, radius=self.radius),
        }
        score = _chosen("score", self.score, scores)
        window = _chosen("reach", self.reach, windows)
        return Attention(score(), window=window())


def _chosen(name: str, value: str, choices: Mapping[str, Choice]) -> Choice:
    check_choice(name, value, choices)
    return choices[value]


READINGS = {"forwards": False, "both-ways": True}
LONGEST_LOCATED = 100  # places that the location score can tell apart


@dataclass(frozen=True)
class TransformerSystem(System):
    """The Transformer, small enough for a plain CPU."""

    size: int = knob(128, "width of the words in every layer", COUNT)
    heads: int = knob(4, "heads of every look", COUNT)
    inner_size: int = knob(512, "width inside the word-wise layers", COUNT)
    layers: int = knob(3, "layers of encoder and decoder each", COUNT)
    dropout: float = knob(0.2, "share of features and weights set to zero in training", SHARE)

    @property
    def work(self) -> int:
        return 16 * self.size * self.inner_size  # rows of about sixteen words go together

    def build(self, source_vocabulary: int, target_vocabulary: int) -> "Translator":
        from regard.models import Transformer

        return Transformer(
            source_vocabulary=source_vocabulary,
            target_vocabulary=target_vocabulary,
            size=self.size,
            heads=self.heads,
            inner_size=self.inner_size,
            layers=self.layers,
            dropout=self.dropout,
        )
