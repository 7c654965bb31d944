"""One decoder for any encoder: it looks, steps and reads out."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.utils._pytree import tree_map

from regard.attention import Attended, Attention, Memory, MultiHead
from regard.linear import WideLinear
from regard.models.encoding import Encoded, check_encoded
from regard.recurrence import GatedUnit
from regard.shapes import Number

# A tensor (batch, row, size) or a tuple of them: a row per hypothesis, one in training, beams in
# search.
State = Any
Features = tuple[Float[Tensor, "batch row ..."], ...]
Advance = Callable[[State, Float[Tensor, "batch row given"], Memory], "Advanced"]


class Advanced(NamedTuple):
    """Where one step leads."""

    state: State
    features: Features  # what the readout is given, side by side
    seen: Attended


class Stepper(nn.Module, ABC):
    """How a decoder goes on by one word: when it looks, and what it remembers."""

    look: Attention | MultiHead

    @abstractmethod
    def prepare(
        self, embedded: Float[Tensor, "batch row word"]
    ) -> Float[Tensor, "batch row given"]:
        """What can be worked out from the words alone, for all steps at once."""

    @abstractmethod
    def over(self, steps: int, rows: int) -> Advance:
        """The step as it stands in a loop of so many steps and rows; one, for a step by itself."""

    def alignment(self, seen: Attended) -> Float[Tensor, "batch row source"]:
        """What each row saw of the source."""
        return seen.weights


class LookThenStep(Stepper):
    """RNNsearch's order: look with the state so far, then step with what was seen.

    c_i = look(s_{i-1}), s_i = cell(s_{i-1}, y_{i-1}, c_i). Bahdanau, Cho, Bengio 2015, eqs. (4)-(6)
    and appendix A.2.2. https://arxiv.org/abs/1409.0473
    """

    def __init__(self, look: Attention | MultiHead, cell: GatedUnit) -> None:
        super().__init__()
        self.look = look
        self.cell = cell

    def prepare(
        self, embedded: Float[Tensor, "batch row word"]
    ) -> Float[Tensor, "batch row given"]:
        """The cell's map of its inputs."""
        return self.cell.from_input(embedded)

    def over(self, steps: int, rows: int) -> Advance:
        """Look, then step."""
        maps = self.cell.maps() if steps == 1 else self.cell.maps_over(steps, rows)

        def advance(state: State, given: Tensor, memory: Memory) -> Advanced:
            seen = self.look(state, memory)
            state = self.cell(state, given, seen.context, maps)
            return Advanced(state, (state, seen.context), seen)

        return advance


class Decoder(nn.Module):
    """Writes the target word by word, looking at what an encoder gave.

    Four parts: ``start`` makes the first state of what the encoder gave, ``stepper`` holds the look
    and the cell, ``readout`` turns features and the last word into scores of all words. The
    readout, by far the widest product, runs once over all steps.
    """

    def __init__(
        self, embedding: nn.Embedding, start: nn.Module, stepper: Stepper, readout: nn.Module
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.start = start
        self.stepper = stepper
        self.readout = readout

    def begin(self, encoded: Encoded) -> tuple[State, Memory]:
        """The first state, one row to an example, and the memory that every step looks at."""
        check_encoded(encoded)
        memory = self.stepper.look.remember(encoded.annotations, None, encoded.mask)
        return self.start(encoded), memory

    def step(
        self, state: State, word: Int[Tensor, "batch row"], memory: Memory
    ) -> tuple[State, Float[Tensor, "batch row vocabulary"], Attended]:
        """One step after ``word``: the next state, scores of all words, and what was seen."""
        embedded = self.embedding(word)
        advance = self.stepper.over(1, word.numel())
        advanced = advance(state, self.stepper.prepare(embedded), memory)
        logits = self.readout(torch.cat([*advanced.features, embedded], dim=-1))
        return advanced.state, logits, advanced.seen

    def pick(self, state: State, rows: Int[Tensor, "batch row"]) -> State:
        """The states of these rows of each example, repeats allowed: for beams that move."""
        return tree_map(lambda part: _pick_rows(part, rows), state)

    def keep(
        self, state: State, memory: Memory, examples: Int[Tensor, " kept"]
    ) -> tuple[State, Memory]:
        """The states and the memory of these examples alone, the others being done."""
        return tree_map(lambda part: part.index_select(0, examples), state), memory.select(examples)

    def alignment(self, seen: Attended) -> Float[Tensor, "batch row source"]:
        """What each row saw of the source."""
        return self.stepper.alignment(seen)

    def alignments(self, looks: list[Attended]) -> Float[Tensor, "batch target source"]:
        """What each word saw of the source, from the looks that ``forward`` gave."""
        return torch.cat([self.alignment(seen) for seen in looks], dim=-2)

    def maps(self, looks: list[Attended]) -> Float[Tensor, "batch target source"]:
        """Every weight of the looks that ``forward`` gave, for pictures."""
        return self.alignments(looks)

    def forward(
        self, encoded: Encoded, words: Int[Tensor, "batch target"]
    ) -> tuple[Float[Tensor, "batch target vocabulary"], list[Attended]]:
        """Scores of every next word after each of ``words``, and what each step saw."""
        state, memory = self.begin(encoded)
        embedded = self.embedding(words)
        given = self.stepper.prepare(embedded)
        advance = self.stepper.over(words.shape[1], words.shape[0])
        features, looks = [], []
        for step in given.unsqueeze(2).unbind(1):
            advanced = advance(state, step, memory)
            state = advanced.state
            features.append(advanced.features)
            looks.append(advanced.seen)
        over_time = [torch.cat(each, dim=1) for each in zip(*features, strict=True)]
        return self.readout(torch.cat([*over_time, embedded], dim=-1)), looks


class FromSummary(nn.Module):
    """s_0 = tanh(W_s summary). Bahdanau, Cho, Bengio 2015, appendix A.2.2."""

    def __init__(self, *, summary_size: int, state_size: int) -> None:
        super().__init__()
        self.to_state = nn.Linear(summary_size, state_size)  # W_s

    def forward(self, encoded: Encoded) -> Float[Tensor, "batch 1 size"]:
        """The first state, one row to an example."""
        return self.to_state(encoded.summary).tanh().unsqueeze(1)


def _pick_rows(part: Tensor, rows: Int[Tensor, "batch row"]) -> Tensor:
    return part.gather(1, rows.unsqueeze(-1).expand(-1, -1, part.shape[-1]))


class Maxout(nn.Module):
    """A readout that keeps the larger of every two units, then scores all words.

    t_j = max(t~_{2j-1}, t~_{2j}), p(y) ~ exp(y' W_o t). Bahdanau, Cho, Bengio 2015, appendix A.2.2.
    https://arxiv.org/abs/1409.0473
    """

    def __init__(
        self, *, in_size: int, hidden_size: int, vocabulary: int, dropout: Number = 0.0
    ) -> None:
        super().__init__()
        self.to_pairs = WideLinear(in_size, 2 * hidden_size)  # U_o, V_o, C_o side by side
        self.dropout = nn.Dropout(dropout)
        self.to_words = WideLinear(hidden_size, vocabulary)  # W_o

    def forward(
        self, features: Float[Tensor, "*batch features"]
    ) -> Float[Tensor, "*batch vocabulary"]:
        """Scores of all words."""
        pairs = self.to_pairs(features)
        largest = pairs.unflatten(-1, (pairs.shape[-1] // 2, 2)).amax(dim=-1)
        return self.to_words(self.dropout(largest))
