"""Finding a good translation word by word: greedily, with beams, or by drawing."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, runtime_checkable

import torch
from jaxtyping import Float, Int
from torch import Tensor

from regard.attention import Attended
from regard.models.encoding import Encoded
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


@torch.no_grad()
def follow(
    decoder: Steps, encoded: Encoded, marks: Marks, longest: int, choose: Choice
) -> list[Written]:
    """One word after the other, each as ``choose`` picks it from the scores, until the end."""
    state, memory = decoder.begin(encoded)
    batch, device = encoded.annotations.shape[0], encoded.annotations.device
    word = torch.full((batch, 1), marks.begin, device=device)
    going = torch.ones(batch, dtype=torch.bool, device=device)
    total = encoded.annotations.new_zeros(batch)
    lengths = torch.zeros(batch, dtype=torch.long, device=device)
    words, looks = [], []
    for _ in range(longest):
        state, logits, seen = decoder.step(state, word, memory)
        log_probability = logits[:, 0].log_softmax(dim=-1)
        word = choose(log_probability).unsqueeze(1)
        total += torch.where(going, log_probability.gather(1, word)[:, 0], 0)
        words.append(word)
        looks.append(decoder.alignment(seen))
        going &= word[:, 0] != marks.end
        lengths += going
        if not going.any():
            break
    rows, weights = torch.cat(words, dim=1).tolist(), torch.cat(looks, dim=-2)
    return [
        Written(rows[i][:length], float(total[i]), weights[i, :length])
        for i, length in enumerate(lengths.tolist())
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
        return torch.multinomial((scores / temperature).softmax(dim=-1), 1)[:, 0]

    return follow(decoder, encoded, marks, longest, draw)


class Grown(NamedTuple):
    """One step of all beams: where each came from, its word, and what its step saw."""

    parents: Int[Tensor, "batch beam"]
    words: Int[Tensor, "batch beam"]
    weights: Float[Tensor, "batch row source"]  # by the rows that were stepped from


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
    alone. An example is done once ``beams`` hypotheses have ended. The beams ride on the query axis
    of every look, so the memory is neither repeated nor reordered.
    """
    if beams < 1:
        raise ValueError(f"beams must be 1 or more, but beams={beams}")
    state, memory = decoder.begin(encoded)
    batch, device = encoded.annotations.shape[0], encoded.annotations.device
    words = torch.full((batch, 1), marks.begin, device=device)
    scores = encoded.annotations.new_zeros(batch, 1)
    ended, grown = _nothing_ended(scores), []
    for step in range(longest):
        state, logits, seen = decoder.step(state, words, memory)
        candidates = scores.unsqueeze(-1) + logits.log_softmax(dim=-1)
        vocabulary = candidates.shape[-1]
        best, place = candidates.flatten(1).topk(min(2 * beams, candidates[0].numel()), dim=1)
        parents, words = place // vocabulary, place % vocabulary
        ended = _end(ended, best, words == marks.end, parents, step, beams, length_power)
        best = torch.where(words == marks.end, IMPOSSIBLE, best)
        scores, kept = best.topk(min(beams, best.shape[1]), dim=1)
        parents, words = parents.gather(1, kept), words.gather(1, kept)
        state = decoder.pick(state, parents)
        grown.append(Grown(parents, words, decoder.alignment(seen)))
        if (ended.ends >= beams).all():
            break
    return _collect(ended, grown, scores)


def _nothing_ended(scores: Float[Tensor, "batch 1"]) -> Ended:
    none = torch.zeros_like(scores[:, 0], dtype=torch.long)
    lowest = torch.full_like(scores[:, 0], IMPOSSIBLE)
    return Ended(lowest, lowest, none, none, none)


def _end(
    ended: Ended,
    best: Float[Tensor, "batch candidate"],
    ends: Tensor,
    parents: Int[Tensor, "batch candidate"],
    step: int,
    beams: int,
    power: Number,
) -> Ended:
    """Take in the candidates that end now, as long as the example still collects."""
    among_best = torch.arange(best.shape[1], device=best.device) < beams
    now = ends & among_best & (ended.ends < beams).unsqueeze(1)
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


def _collect(
    ended: Ended, grown: list[Grown], scores: Float[Tensor, "batch beam"]
) -> list[Written]:
    """Follow the best hypothesis of each example back to its first word."""
    best_open, open_row = scores.max(dim=1)
    written = []
    for example in range(len(scores)):
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
