"""Looks that know where the last one was: the location-aware attention of Chorowski et al."""

from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor, nn

from regard.attention import Attended, Attention, Memory
from regard.models.decoding import Advance, Advanced, FromSummary, Stepper
from regard.models.encoding import Encoded
from regard.recurrence import GatedUnit


class TrailingState(NamedTuple):
    """What the decoder carries from word to word."""

    hidden: Float[Tensor, "batch row size"]  # s
    weights: Float[Tensor, "batch row source"]  # of the last look


class NothingSeen(nn.Module):
    """The first state of another start, before any look."""

    def __init__(self, start: FromSummary) -> None:
        super().__init__()
        self.start = start

    def forward(self, encoded: Encoded) -> TrailingState:
        """The first state, one row to an example."""
        nowhere = encoded.annotations.new_zeros(len(encoded.summary), 1, encoded.mask.shape[-1])
        return TrailingState(self.start(encoded), nowhere)


class Trail(nn.Module):
    """What the weights of the last look say of each key: f = F * w, then U_f f.

    A convolution along the keys finds the keys that lie so and so far before or behind where the
    last look was. Attention-Based Models for Speech Recognition, Chorowski, Bahdanau, Serdyuk, Cho,
    Bengio 2015, eqs. (8), (9). https://arxiv.org/abs/1506.07503
    """

    def __init__(self, *, hidden_size: int, features: int = 8, width: int = 25) -> None:
        super().__init__()
        if width % 2 == 0:
            raise ValueError(
                f"width is odd, so that a key has as many before it as behind it, but "
                f"width={width}; {width - 1} and {width + 1} are"
            )
        self.convolve = nn.Conv1d(1, features, width, padding=width // 2, bias=False)  # F
        self.to_hidden = nn.Linear(features, hidden_size, bias=False)  # U_f

    def forward(
        self, weights: Float[Tensor, "batch row source"]
    ) -> Float[Tensor, "batch row source hidden"]:
        """Each key's share of the hidden layer of a score."""
        found = self.convolve(weights.flatten(0, 1).unsqueeze(1))  # batch*row feature source
        return self.to_hidden(found.mT).unflatten(0, weights.shape[:2])


class LookAlongThenStep(Stepper):
    """RNNsearch's order, with looks that know where the last one was.

    c_i = look(s_{i-1}) with the score v . tanh(W s_{i-1} + U h_j + U_f f_ij): the ``trail`` f of
    the last weights is added to the keys, which were prepared once. Chorowski et al. 2015.
    """

    look: Attention

    def __init__(self, look: Attention, trail: Trail, cell: GatedUnit) -> None:
        super().__init__()
        self.look = look
        self.trail = trail
        self.cell = cell

    def prepare(
        self, embedded: Float[Tensor, "batch row word"]
    ) -> Float[Tensor, "batch row given"]:
        """The cell's map of its inputs."""
        return self.cell.from_input(embedded)

    def over(self, steps: int, rows: int) -> Advance:
        """Look along, then step."""
        maps = self.cell.maps() if steps == 1 else self.cell.maps_over(steps, rows)

        def advance(state: TrailingState, given: Tensor, memory: Memory) -> Advanced:
            seen = self.look(state.hidden.unsqueeze(2), self._laid(memory, state.weights))
            context = seen.context.squeeze(2)
            hidden = self.cell(state.hidden, given, context, maps)
            following = TrailingState(hidden, self.alignment(seen))
            return Advanced(following, (hidden, context), seen)

        return advance

    def alignment(self, seen: Attended) -> Float[Tensor, "batch row source"]:
        """What each row saw of the source; every row has keys of its own, and so one query."""
        return seen.weights.squeeze(-2)

    def _laid(self, memory: Memory, weights: Float[Tensor, "batch row source"]) -> Memory:
        """The memory as each row sees it: its own trail laid over the keys."""
        prepared = memory.prepared.unsqueeze(1) + self.trail(weights)
        mask = None if memory.mask is None else memory.mask.unsqueeze(1)
        return Memory(prepared, memory.value.unsqueeze(1), mask)
