"""Soft and hard attention as knobs: the normaliser in the slot, and the loss that goes with it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regard.choices import check_choice
from regard.recipes.knobs import NOT_NEGATIVE, SHARE, knob

if TYPE_CHECKING:
    from regard.normalisers import Normaliser
    from regard.recipes.captioning.lessons import Term


@dataclass(frozen=True)
class Kind(ABC):
    """How a captioner spreads its attention, and what it is taught by."""

    @abstractmethod
    def normaliser(self) -> "Normaliser":
        """The normaliser of the look, as it is trained."""

    @abstractmethod
    def telling(self) -> "Normaliser":
        """The normaliser of the look when the trained model tells."""

    def check(self, epochs: int) -> None:  # noqa: B027  # most have nothing to check
        """Raise where a course of so many epochs would not teach it."""

    @abstractmethod
    def terms(self) -> "list[Term]":
        """What it adds to the loss of the words."""


@dataclass(frozen=True)
class Soft(Kind):
    """Every cell gets its share of each look."""

    penalty: float = knob(
        1.0, "weight of the doubly stochastic penalty: each cell is to be seen once", NOT_NEGATIVE
    )

    def normaliser(self) -> "Normaliser":
        from regard.normalisers import Softmax

        return Softmax()

    def telling(self) -> "Normaliser":
        return self.normaliser()

    def terms(self) -> "list[Term]":
        from regard.recipes.captioning.lessons import Doubly

        return [Doubly(self.penalty)] if self.penalty else []


TELLING = ("expectation", "best", "drawn")


@dataclass(frozen=True)
class HardDraws(Kind):
    """One cell is drawn for each word; its scores learn by the words that followed."""

    reward_weight: float = knob(0.1, "lambda_r: how much a draw learns by its reward", NOT_NEGATIVE)
    entropy_weight: float = knob(
        0.002, "lambda_e: how much spread-out looks are liked", NOT_NEGATIVE
    )
    expected: float = knob(
        0.5, "share of batches whose looks take the expectation instead of a draw", SHARE
    )
    soft_epochs: int = knob(
        0,
        "epochs at first in which all looks take the expectation, none of them kept",
        NOT_NEGATIVE,
    )
    tell_by: str = knob("best", f"what a look takes when it tells: {', '.join(TELLING)}")

    def normaliser(self) -> "Normaliser":
        from regard.normalisers import Hard, Mixed, Softmax

        return Mixed(Hard(), Softmax(), self.expected)

    def telling(self) -> "Normaliser":
        from regard.normalisers import Hard, Softmax

        check_choice("tell_by", self.tell_by, TELLING)
        if self.tell_by == "expectation":
            return Softmax()
        return Hard().train(self.tell_by == "drawn")  # which draws while it trains

    def check(self, epochs: int) -> None:
        if self.soft_epochs >= epochs:
            raise ValueError(
                f"--soft-epochs {self.soft_epochs} leaves no epoch of --epochs {epochs} to draw "
                "looks in; lower the one or raise the other"
            )

    def terms(self) -> "list[Term]":
        from regard.recipes.captioning.lessons import Draws

        return [Draws(self.reward_weight, self.entropy_weight, self.expected, self.soft_epochs)]
