"""Finding a good translation word by word: greedily, with beams, or by drawing."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from regard.attention import Attended
from regard.models.encoding import Encoded
from regard.models.readying import ready
from regard.shapes import Number

IMPOSSIBLE = -torch.inf  # the score of a hypothesis that may not go on
Choice = Callable[[Float[Tensor, "batch vocabulary"]], Int[Tensor, " batch"]]


@runtime_checkable
class Steps(Protocol):
    """What a decoder must offer to be searched."""

    def begin(self, encoded: Encoded) -> tuple[Any, Any]:
        """The first state, one row to an example, and the memory."""

    def step(
        self, state: Any, word: Int[Tensor, "batch row"], memory: Any
    ) -> tuple[Any, Float[Tensor, "batch row vocabulary"], Attended]:
        """The next state, scores of all words, and what was seen."""

    def pick(self, state: Any, rows: Int[Tensor, "batch row"]) -> Any:
        """The states of these rows of each example, repeats allowed."""

    def keep(self, state: Any, memory: Any, examples: Int[Tensor, " kept"]) -> tuple[Any, Any]:
        """The states and the memory of these examples alone, the others being done."""

    def alignment(self, seen: Attended) -> Float[Tensor, "batch row source"]:
        """What each row saw of the source."""


class Written(NamedTuple):
    """One translation: its words without the end, its log-probability, and what each word saw."""

    words: list[int]
    log_probability: float
    weights: Float[Tensor, "word source"]


class Marks(NamedTuple):
    """The numbers of the words that begin and end every sentence."""

    begin: int
    end: int


class Under:
    """The examples that are still under way, by their places in the batch.

    When a quarter of them is done, these are dropped, so that no work is spent on finished
    sentences; ``spread`` puts what the rest gave back into its places.
    """

    def __init__(self, encoded: Encoded) -> None:
        self.batch = len(encoded.annotations)
        self.examples = torch.arange(self.batch, device=encoded.annotations.device)

    def spread(self, rows: Tensor) -> Tensor:
        """Rows of the examples under way, at their places in the whole batch, zero elsewhere."""
        if len(rows) == self.batch:
            return rows
        return rows.new_zeros(self.batch, *rows.shape[1:]).index_copy_(0, self.examples, rows)

    def drop(self, going: Bool[Tensor, " batch"]) -> Int[Tensor, " kept"] | None:
        """Forget who is done if they are many; where the others stood, or None if all stay."""
        still = going[self.examples]
        if still.sum() > 0.75 * len(still):
            return None
        kept = still.nonzero()[:, 0]
        self.examples = self.examples[kept]
        return kept


@torch.no_grad()
def follow(
    decoder: Steps, encoded: Encoded, marks: Marks, longest: int, choose: Choice
) -> list[Written]:
    """One word after the other, each as ``choose`` picks it from the scores, until the end."""
    _check_longest(longest)
    decoder = ready(decoder)
    state, memory = decoder.begin(encoded)
    under, device = Under(encoded), encoded.annotations.device
    word = torch.full((under.batch, 1), marks.begin, device=device)
    going = torch.ones(under.batch, dtype=torch.bool, device=device)
    total = encoded.annotations.new_zeros(under.batch)
    words, looks = [], []
    for _ in range(longest):
        state, logits, seen = decoder.step(state, word, memory)
        log_probability = logits[:, 0].log_softmax(dim=-1)
        word = choose(log_probability).unsqueeze(1)
        total += torch.where(going, under.spread(log_probability.gather(1, word)[:, 0]), 0)
        going = going & under.spread(word[:, 0] != marks.end)
        words.append(torch.where(going, under.spread(word[:, 0]), marks.end))
        looks.append(under.spread(decoder.alignment(seen)))
        if not going.any():
            break
        if (kept := under.drop(going)) is not None:
            state, memory = decoder.keep(state, memory, kept)
            word = word[kept]
    rows, weights = torch.stack(words, dim=1), torch.cat(looks, dim=-2)
    lengths = (rows != marks.end).sum(dim=1).tolist()
    return [
        Written(row[:length], float(total[place]), weights[place, :length])
        for place, (row, length) in enumerate(zip(rows.tolist(), lengths, strict=True))
    ]


def greedy(decoder: Steps, encoded: Encoded, marks: Marks, *, longest: int) -> list[Written]:
    """The likeliest word at every step."""
    return follow(decoder, encoded, marks, longest, lambda scores: scores.argmax(dim=-1))


def sample(
    decoder: Steps, encoded: Encoded, marks: Marks, *, longest: int, temperature: Number = 1.0
) -> list[Written]:
    """Every word drawn by its probability; colder is nearer to greedy."""
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0, but temperature={temperature}")

    def draw(scores: Float[Tensor, "batch vocabulary"]) -> Int[Tensor, " batch"]:
        # The best is taken off and the rest is divided in double precision: any cold is finite.
        below = (scores - scores.amax(dim=-1, keepdim=True)).double()
        return torch.multinomial((below / temperature).softmax(dim=-1), 1)[:, 0]

    return follow(decoder, encoded, marks, longest, draw)


class Grown(NamedTuple):
    """One step of all beams: where each came from, its word, and what its step saw."""

    parents: Int[Tensor, "batch beam"]
    words: Int[Tensor, "batch beam"]
    weights: Float[Tensor, "batch row source"]  # by the rows that were stepped from
    scores: Float[Tensor, "batch beam"]


class Ended(NamedTuple):
    """The best ended hypothesis of each example: its score, and the row that it ended from."""

    score: Float[Tensor, " batch"]
    log_probability: Float[Tensor, " batch"]
    step: Int[Tensor, " batch"]
    row: Int[Tensor, " batch"]
    ends: Int[Tensor, " batch"]


@torch.no_grad()
def beam(
    decoder: Steps,
    encoded: Encoded,
    marks: Marks,
    *,
    longest: int,
    beams: int = 5,
    length_power: Number = 1.0,
) -> list[Written]:
    """The best of several hypotheses that grow side by side.

    Hypotheses are ranked by log p / length^power, the length counting the end; 0 ranks by log p
    alone. An example is done once ``beams`` hypotheses have ended and none that is open would be
    better if it ended next: unlikely short ones alone end nothing. The beams ride on the query
    axis of every look, so the memory is neither repeated nor reordered.
    """
    if beams < 1:
        raise ValueError(f"beams must be 1 or more, but beams={beams}")
    if not length_power >= 0:
        raise ValueError(f"length_power must be 0 or more, but length_power={length_power}")
    _check_longest(longest)
    decoder = ready(decoder)
    state, memory = decoder.begin(encoded)
    under = Under(encoded)
    words = torch.full((under.batch, 1), marks.begin, device=encoded.annotations.device)
    scores = encoded.annotations.new_zeros(under.batch, 1)
    ended, grown = _nothing_ended(scores), []
    going = torch.ones_like(ended.ends, dtype=torch.bool)
    for step in range(longest):
        state, logits, seen = decoder.step(state, words, memory)
        candidates = scores.unsqueeze(-1) + logits.log_softmax(dim=-1)
        vocabulary = candidates.shape[-1]
        best, place = candidates.flatten(1).topk(
            min(2 * beams, vocabulary * candidates.shape[1]), dim=1
        )
        parents, words = place // vocabulary, place % vocabulary
        ends = words == marks.end
        now = tuple(under.spread(part) for part in (best, ends, parents))
        ended = _end(ended, going, *now, step=step, beams=beams, power=length_power)
        scores, kept = torch.where(ends, IMPOSSIBLE, best).topk(min(beams, best.shape[1]), dim=1)
        parents, words = parents.gather(1, kept), words.gather(1, kept)
        state = decoder.pick(state, parents)
        parts = (parents, words, decoder.alignment(seen), scores)
        grown.append(Grown(*(under.spread(part) for part in parts)))
        hope = under.spread(scores[:, 0]) / (step + 2) ** length_power
        going = going & ((ended.ends < beams) | (hope > ended.score))
        if not going.any():
            break
        if (rows := under.drop(going)) is not None:
            state, memory = decoder.keep(state, memory, rows)
            words, scores = words[rows], scores[rows]
    return _collect(ended, grown)


def _check_longest(longest: int) -> None:
    if longest < 1:
        raise ValueError(f"longest is the most words to write, 1 or more, but longest={longest}")


def _nothing_ended(scores: Float[Tensor, "batch 1"]) -> Ended:
    none = torch.zeros_like(scores[:, 0], dtype=torch.long)
    lowest = torch.full_like(scores[:, 0], IMPOSSIBLE)
    return Ended(lowest, lowest, none, none, none)


def _end(
    ended: Ended,
    going: Bool[Tensor, " batch"],
    best: Float[Tensor, "batch candidate"],
    ends: Bool[Tensor, "batch candidate"],
    parents: Int[Tensor, "batch candidate"],
    *,
    step: int,
    beams: int,
    power: Number,
) -> Ended:
    """Take in the candidates that end now, of the examples that are still under way."""
    among_best = torch.arange(best.shape[1], device=best.device) < beams
    now = ends & among_best & going.unsqueeze(1)
    normalised = torch.where(now, best / (step + 1) ** power, IMPOSSIBLE)
    score, which = normalised.max(dim=1)
    better = score > ended.score
    row = parents.gather(1, which.unsqueeze(1))[:, 0]
    log_probability = best.gather(1, which.unsqueeze(1))[:, 0]
    return Ended(
        torch.where(better, score, ended.score),
        torch.where(better, log_probability, ended.log_probability),
        torch.where(better, step, ended.step),
        torch.where(better, row, ended.row),
        ended.ends + now.sum(dim=1),
    )


def _collect(ended: Ended, grown: list[Grown]) -> list[Written]:
    """Follow the best hypothesis of each example back to its first word."""
    best_open, open_row = grown[-1].scores.max(dim=1)
    written = []
    for example in range(len(best_open)):
        finished = bool(ended.ends[example] > 0)
        step = int(ended.step[example]) - 1 if finished else len(grown) - 1
        row = int(ended.row[example] if finished else open_row[example])
        total = ended.log_probability[example] if finished else best_open[example]
        words: list[int] = []
        looks: list[Tensor] = []
        for grow in reversed(grown[: step + 1]):
            words.append(int(grow.words[example, row]))
            row = int(grow.parents[example, row])
            looks.append(grow.weights[example, row])
        source = grown[0].weights.shape[-1]
        seen = torch.stack(looks[::-1]) if looks else grown[0].weights.new_zeros(0, source)
        written.append(Written(words[::-1], float(total), seen))
    return written
