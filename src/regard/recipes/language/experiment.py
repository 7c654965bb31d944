"""A language model and its text, as the loop sees them."""

import math
from collections.abc import Sequence

import torch
from jaxtyping import Int
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy

from regard.tasks.vocabulary import END
from regard.training import Experiment, Loss

Stream = Int[Tensor, " word"]
Places = tuple[Int[Tensor, "batch slot"], Int[Tensor, " batch"]]  # the words before, the word
JUDGED = 512  # places that are judged side by side


class Batches(Sequence[Places]):
    """Places of a text, drawn with replacement, each with all the words that are remembered."""

    def __init__(self, stream: Stream, slots: int, batch: int, draws: Generator) -> None:
        count = len(stream) // batch
        self._stream, self._slots = stream, slots
        self._places = torch.randint(slots, len(stream), (count, batch), generator=draws)

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, number: int) -> Places:  # type: ignore[override]
        return before(self._stream, self._places[number], self._slots)


def before(stream: Stream, places: Int[Tensor, " batch"], slots: int) -> Places:
    """So many words before each place, and the word there."""
    return stream[places.unsqueeze(1) + torch.arange(-slots, 0)], stream[places]


class Foretelling(Experiment[Places]):
    """The next word at places of a text, judged by the perplexity of another text."""

    selected_by = "perplexity"
    higher_is_better = False

    def __init__(
        self, model: nn.Module, train: Stream, valid: Stream, *, slots: int, batch: int, seed: int
    ) -> None:
        if len(train) <= slots + batch:
            raise ValueError(
                f"the text has {len(train)} words, but {slots} are remembered and a batch has "
                f"{batch} places; take a longer text, or fewer of them"
            )
        self.model = model
        self.train_stream, self.valid_stream = train, valid
        self.slots, self.batch, self.seed = slots, batch, seed

    def epoch(self, number: int) -> Sequence[Places]:
        draws = Generator().manual_seed(self.seed * 1_000_003 + number)
        return Batches(self.train_stream, self.slots, self.batch, draws)

    def loss(self, batch: Places) -> Loss:
        device = next(self.model.parameters()).device
        logits, _ = self.model(batch[0].to(device))
        return Loss(cross_entropy(logits, batch[1].to(device), reduction="sum"), len(batch[1]))

    def validate(self) -> dict[str, float]:
        return {"perplexity": perplexity(self.model, self.valid_stream, self.slots)}


@torch.no_grad()
def perplexity(model: nn.Module, stream: Stream, slots: int) -> float:
    """exp of the mean loss of all words, each told from the words before it, at most ``slots``.

    The text begins as if a sentence had just ended.
    """
    device = next(model.parameters()).device
    told = torch.cat([torch.tensor([END]), stream])
    short = [torch.tensor([place]) for place in range(1, min(slots, len(told)))]
    full = [
        torch.arange(start, min(start + JUDGED, len(told)))
        for start in range(slots, len(told), JUDGED)
    ]
    total = 0.0
    for places in (*short, *full):
        words, following = before(told, places, min(slots, int(places[0])))
        logits, _ = model(words.to(device))
        total += float(cross_entropy(logits, following.to(device), reduction="sum"))
    return math.exp(total / len(stream))
