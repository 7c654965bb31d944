"""Recurrent cells that go step by step."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from regard.linear import Apply, LoopLinear, WideLinear
from regard.shapes import Number

State = Float[Tensor, "*batch size"]
Step = Float[Tensor, "*batch wide"]
Fed = Float[Tensor, "*batch fed"]


class Forgetting(nn.Module):
    """Now and then a whole state is forgotten: in training, a ``share`` of rows becomes zero.

    What a unit can remember over a whole sequence, such as how many things it has come past, it
    will rely on, and sequences longer than those of training come to nothing. After this, it finds
    its way by what is near.
    """

    def __init__(self, share: Number) -> None:
        super().__init__()
        if not 0 <= share < 1:
            raise ValueError(f"the share of states to forget is in [0, 1), but it is {share}")
        self.share = share

    def forward(self, state: State) -> State:
        """The states, some of them zero."""
        if not (self.training and self.share):
            return state
        return state * (torch.rand_like(state[..., :1]) >= self.share)

    def extra_repr(self) -> str:
        return f"share={self.share}"


class GatedMaps(NamedTuple):
    """The three maps of a gated unit, as they stand in its loop."""

    state: Apply
    reset: Apply
    context: Apply


class GatedUnit(nn.Module):
    """The gated recurrent unit as RNNsearch defines it, with a context beside its input.

    z = sigmoid(W_z x + U_z s + C_z c), r = sigmoid(W_r x + U_r s + C_r c),
    new = tanh(W x + U (r * s) + C c), s' = (1 - z) * s + z * new.
    Neural Machine Translation by Jointly Learning to Align and Translate, Bahdanau, Cho, Bengio
    2015, appendix A.1. https://arxiv.org/abs/1409.0473
    Unlike ``nn.GRU``, z is the share of the new state, and r acts on the state before U does. The
    paper omits biases; here the input's map has one. U starts orthogonal, as in the paper. A share
    of ``forgetting``, which the paper has not, steps from zero instead of from s while it trains.
    """

    def __init__(
        self,
        *,
        input_size: int,
        state_size: int,
        context_size: int = 0,
        forgetting: Number = 0.0,
    ) -> None:
        super().__init__()
        self.forget = Forgetting(forgetting)
        self.from_input = WideLinear(input_size, 3 * state_size)  # W_z, W_r, W
        self.from_state = LoopLinear(state_size, 2 * state_size)  # U_z, U_r
        self.from_reset = LoopLinear(state_size, state_size)  # U
        self.from_context = LoopLinear(context_size, 3 * state_size)  # C_z, C_r, C
        for block in (*self.from_state.weight.data.chunk(2), self.from_reset.weight.data):
            nn.init.orthogonal_(block)

    def maps(self) -> GatedMaps:
        """For a step by itself."""
        return GatedMaps(self.from_state, self.from_reset, self.from_context)

    def maps_over(self, steps: int, rows: int) -> GatedMaps:
        """For a loop of so many steps."""
        return GatedMaps(
            self.from_state.over(steps, rows),
            self.from_reset.over(steps, rows),
            self.from_context.over(steps, rows),
        )

    def forward(
        self, state: State, given: Step, context: Float[Tensor, "*batch context"], maps: GatedMaps
    ) -> State:
        """The next state; ``given`` is ``from_input`` of the step's input, made for all at once."""
        size, state = state.shape[-1], self.forget(state)
        whole = given + maps.context(context) if context.shape[-1] else given
        update, reset = (whole[..., : 2 * size] + maps.state(state)).sigmoid().chunk(2, dim=-1)
        new = (whole[..., 2 * size :] + maps.reset(reset * state)).tanh()
        return state + update * (new - state)

    def run(self, inputs: Float[Tensor, "batch time given"]) -> Float[Tensor, "batch time size"]:
        """All states over a sequence, from zero, without a context."""
        given = self.from_input(inputs)
        maps = self.maps_over(inputs.shape[1], inputs.shape[0])
        state = given.new_zeros(inputs.shape[0], self.from_reset.weight.shape[0])
        nothing = given.new_zeros(inputs.shape[0], 0)
        states = []
        for step in given.unbind(1):
            state = self(state, step, nothing, maps)
            states.append(state)
        return torch.stack(states, dim=1)


class StackedMaps(NamedTuple):
    """The maps of a stack of memory cells, as they stand in its loop."""

    states: list[Apply]
    below: list[Apply]
    fed: Apply


class StackedMemoryCells(nn.Module):
    """A stack of LSTM layers that goes step by step, fed with a second vector beside its input.

    (i, f, o, g) = (sigmoid, sigmoid, sigmoid, tanh)(W x + F y + U h), c' = f * c + i * g,
    h' = o * tanh(c'). Long Short-Term Memory, Hochreiter, Schmidhuber 1997, with the forget gate of
    Gers et al. 2000, whose bias starts at one.
    """

    def __init__(self, *, input_size: int, fed_size: int, size: int, layers: int) -> None:
        super().__init__()
        self.size = size
        self.from_input = WideLinear(input_size, 4 * size)
        self.from_fed = LoopLinear(fed_size, 4 * size)
        self.from_state = nn.ModuleList(LoopLinear(size, 4 * size) for _ in range(layers))
        self.from_below = nn.ModuleList(LoopLinear(size, 4 * size) for _ in range(layers - 1))
        self.biases = nn.ParameterList(torch.zeros(4 * size) for _ in range(layers - 1))
        for bias in (self.from_input.bias, *self.biases):
            nn.init.zeros_(bias)
            nn.init.ones_(bias[size : 2 * size])

    def maps(self) -> StackedMaps:
        """For a step by itself."""
        return StackedMaps(list(self.from_state), list(self.from_below), self.from_fed)

    def maps_over(self, steps: int, rows: int) -> StackedMaps:
        """For a loop of so many steps."""
        states = [layer.over(steps, rows) for layer in self.from_state]  # type: ignore[operator]
        below = [layer.over(steps, rows) for layer in self.from_below]  # type: ignore[operator]
        return StackedMaps(states, below, self.from_fed.over(steps, rows))

    def forward(
        self, hidden: State, cell: State, given: Step, fed: Fed, maps: StackedMaps
    ) -> tuple[State, State]:
        """The next states and cells of all layers, side by side."""
        whole = given + maps.fed(fed)
        states: list[Tensor] = []
        cells: list[Tensor] = []
        count = len(maps.states)
        layers = zip(hidden.chunk(count, -1), cell.chunk(count, -1), strict=True)
        for number, (state, memory) in enumerate(layers):
            if number:
                whole = maps.below[number - 1](states[-1]) + self.biases[number - 1]
            gates = whole + maps.states[number](state)
            let_in, keep, let_out = gates[..., : 3 * self.size].sigmoid().chunk(3, dim=-1)
            cells.append(keep * memory + let_in * gates[..., 3 * self.size :].tanh())
            states.append(let_out * cells[-1].tanh())
        return torch.cat(states, dim=-1), torch.cat(cells, dim=-1)
