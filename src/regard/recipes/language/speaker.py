"""A trained language model at work: words in, the likeliest next ones and the looks out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.tasks import Vocabulary
from regard.tasks.vocabulary import END, UNKNOWN
from regard.viewing import Sheet

LIKELY = 5  # words that are told


@dataclass(frozen=True)
class Foretold:
    """The likeliest next words, with everything that a picture of the looks needs."""

    words: tuple[str, ...]
    shares: tuple[float, ...]
    remembered: tuple[str, ...]
    weights: Float[Tensor, "hop word"]
    said: tuple[str, ...] = ()
    trouble: str = ""

    def __str__(self) -> str:
        told = zip(self.words, self.shares, strict=True)
        return ", ".join(f"{word} ({share:.1%})" for word, share in told)

    def remarks(self) -> list[str]:
        """What a reader should know about this answer."""
        return list(self.said)

    def to_json(self) -> dict[str, Any]:
        """As plain data, with the weights as lists."""
        return {
            "output": self.words[0],
            "words": list(self.words),
            "shares": [round(share, 5) for share in self.shares],
            "remembered": list(self.remembered),
            "weights": [[round(share, 5) for share in hop] for hop in self.weights.tolist()],
        }


class Speaker:
    """A language model with its words; call it with the beginning of a sentence."""

    names_files = False

    def __init__(self, model: nn.Module, words: Vocabulary, slots: int) -> None:
        self.model = model
        self.words = words
        self.slots = slots

    @torch.no_grad()
    def __call__(self, text: str) -> Foretold:
        """The likeliest words after a text, which begins a sentence."""
        typed = text.split()
        numbers = [END, *self.words.encode(typed)][-self.slots :]
        logits, looks = self.model(torch.tensor([numbers]))
        shares, best = logits[0].softmax(dim=-1).topk(min(LIKELY, len(self.words)))
        unknown = [word for word in dict.fromkeys(typed) if word not in self.words]
        said = f"the model does not know {', '.join(unknown)}: read as {self.words.words[UNKNOWN]}"
        return Foretold(
            tuple(self.words.labels(best.tolist())),
            tuple(shares.tolist()),
            tuple(self.words.labels(numbers)),
            torch.cat([look.weights[0] for look in looks]),
            (said,) if unknown else (),
        )

    def lines(self, texts: Sequence[str]) -> Iterator[Foretold]:
        """The answers to many, in their order."""
        return map(self, texts)

    def sheet(self, text: str) -> Sheet:
        """What each hop looked at among the words."""
        told = self(text)
        rows = [f"hop {hop}" for hop in range(1, len(told.weights) + 1)]
        return Sheet(f"{text} ... {told.words[0]}", told.weights, rows, list(told.remembered))
