"""The networks that answer questions over stories, as knobs."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from regard.choices import check_choice
from regard.recipes.knobs import COUNT, SHARE, knob

if TYPE_CHECKING:
    from torch import nn

    from regard.models import DMN, DMNPlus, MemN2N
    from regard.models.memn2n import Tying, Update
    from regard.models.sentences import SentenceEncoding


class Sizes(NamedTuple):
    """What a network has to hold of the stories that it learns."""

    words: int  # of the vocabulary, the special ones among them
    longest: int  # words of the longest sentence
    slots: int  # sentences of the longest story, or as many as are remembered


@dataclass(frozen=True)
class StorySystem(ABC):
    """A network that is given a story and a question, and gives scores of the answers."""

    look: ClassVar[str] = "hop"  # what a look over the story is called

    memory: int = knob(50, "sentences of a story that are remembered, the last ones", COUNT)

    @abstractmethod
    def build(self, sizes: Sizes) -> "nn.Module":
        """The network, freshly drawn; called with a story and a question it gives logits, looks."""

    @property
    def leaks(self) -> bool:
        """Whether looks may give weight to slots without a sentence."""
        return False

    def reads(self, sizes: Sizes) -> int | None:
        """The most words of a sentence that the network can read; None where any number."""
        del sizes
        return None


RELEASED, PRINTED, BAG, LEARNED = "released", "paper", "bag", "learned"
ENCODINGS = (RELEASED, PRINTED, BAG)
TYINGS = ("adjacent", "layer-wise")
UPDATES = ("straight", "rectified")
ALL, ONE, NONE = "all", "one", "none"  # of the slots without a sentence


@dataclass(frozen=True)
class MemN2NSystem(StorySystem):
    """The end-to-end memory network."""

    size: int = knob(20, "width of the embeddings", COUNT)
    hops: int = knob(3, "how often the story is asked", COUNT)
    encoding: str = knob(
        RELEASED, "how words make a sentence: released (the authors' code), paper, or bag"
    )
    tying: str = knob("adjacent", "which embeddings are the same: adjacent or layer-wise")
    update: str = knob("straight", "how the question goes on after a hop: straight or rectified")
    empty: str = knob(
        ALL, "slots without a sentence that take weight: all, as in the authors' code, one, or none"
    )

    def __post_init__(self) -> None:
        check_choice("empty", self.empty, (ALL, ONE, NONE))
        check_choice("encoding", self.encoding, ENCODINGS)
        check_choice("tying", self.tying, TYINGS)
        check_choice("update", self.update, UPDATES)

    def build(self, sizes: Sizes) -> "MemN2N":
        from regard.attention import Attention
        from regard.models import MemN2N
        from regard.models.memn2n import LeakySoftmax, OneEmpty
        from regard.normalisers import Softmax
        from regard.scores import Dot

        tying = self._tying()
        normaliser = {ALL: LeakySoftmax(sizes.slots), ONE: OneEmpty(), NONE: Softmax()}[self.empty]
        return MemN2N(
            encodings(sizes.longest)[self.encoding],
            tying,
            self._update(tying),
            Attention(Dot(), normaliser),
            vocabulary=sizes.words,
            slots=sizes.slots,
            size=self.size,
            hops=self.hops,
        )

    @property
    def leaks(self) -> bool:
        return self.empty != NONE

    def reads(self, sizes: Sizes) -> int | None:
        return reads(self.encoding, sizes)

    def _tying(self) -> "Tying":
        from regard.models.memn2n import Adjacent, LayerWise

        return dict(zip(TYINGS, (Adjacent(), LayerWise()), strict=True))[self.tying]

    def _update(self, tying: "Tying") -> "Update":
        from regard.models.memn2n import Rectified

        straight = tying.update(self.size)
        ways = straight, Rectified(straight)
        return dict(zip(UPDATES, ways, strict=True))[self.update]


def encodings(longest: int) -> "dict[str, SentenceEncoding]":
    """How words make a sentence of up to so many."""
    from regard.models.sentences import BagOfWords, PositionEncoding, ReleasedPositionEncoding

    return {
        RELEASED: ReleasedPositionEncoding(longest),
        PRINTED: PositionEncoding(),
        BAG: BagOfWords(),
    }


def reads(encoding: str, sizes: Sizes) -> int | None:
    """The most words of a sentence that an encoding takes; None where any number."""
    return sizes.longest if encoding in (RELEASED, LEARNED) else None


@dataclass(frozen=True)
class DynamicSystem(StorySystem):
    """A dynamic memory network: which one is the class's business.

    DMN+'s paper remembers 70 sentences, and 130 for task 3 alone; here 130 for all tasks.
    """

    look: ClassVar[str] = "pass"

    memory: int = knob(130, "sentences of a story that are remembered, the last ones", COUNT)
    size: int = knob(80, "width of the words, facts and memories", COUNT)
    passes: int = knob(3, "how often the story is passed over", COUNT)
    dropout: float = knob(0.1, "share of the words' numbers set to zero in training", SHARE)

    def shape(self, sizes: Sizes) -> dict[str, Any]:
        """What every such network is made with."""
        return {
            "vocabulary": sizes.words,
            "answers": sizes.words,
            "size": self.size,
            "passes": self.passes,
            "dropout": self.dropout,
        }


@dataclass(frozen=True)
class DMNSystem(DynamicSystem):
    """The dynamic memory network."""

    def build(self, sizes: Sizes) -> "DMN":
        from regard.models import DMN

        return DMN(**self.shape(sizes))


@dataclass(frozen=True)
class DMNPlusSystem(DynamicSystem):
    """DMN+: sentences that exchange what they say, an attention GRU, untied updates."""

    encoding: str = knob(
        PRINTED,
        "how words make a sentence: paper, released (the code of MemN2N), bag, or learned",
    )

    def __post_init__(self) -> None:
        check_choice("encoding", self.encoding, (*ENCODINGS, LEARNED))

    def build(self, sizes: Sizes) -> "DMNPlus":
        from regard.models import DMNPlus
        from regard.models.sentences import LearnedPositionEncoding

        longest = sizes.longest
        choices = {LEARNED: LearnedPositionEncoding(longest, self.size), **encodings(longest)}
        encoding = choices[self.encoding]
        return DMNPlus(**self.shape(sizes), encoding=encoding)

    def reads(self, sizes: Sizes) -> int | None:
        return reads(self.encoding, sizes)
