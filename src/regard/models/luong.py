"""Luong's translator: step first, then look with the new state, and feed what was seen back in."""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from regard.attention import Attention, Memory
from regard.linear import WideLinear
from regard.masks import padding
from regard.models.decoding import Advance, Advanced, Decoder, Stepper
from regard.models.encoding import Encoded, nothing_if_empty
from regard.models.scopes import Anywhere, Scope
from regard.models.translating import Translator
from regard.recurrence import StackedMemoryCells
from regard.shapes import Number

States = tuple[Tensor, Tensor]  # of all layers, after the last word: hidden and cell

SPREAD = 0.1  # of the numbers that matrices start with


class LuongState(NamedTuple):
    """What the decoder carries from word to word."""

    hidden: Float[Tensor, "batch row layers_size"]  # h of every layer, side by side
    cell: Float[Tensor, "batch row layers_size"]  # the cells' own memory
    fed: Float[Tensor, "batch row size"]  # h~, what was made of the last look
    step: Int[Tensor, "batch row 1"]  # t, counted from zero


class StepThenLook(Stepper):
    """Luong's order: step with the word and the last attentional vector, then look.

    h_t = cells(y_{t-1}, h~_{t-1}), c_t = look(h_t), h~_t = tanh(W_c [c_t; h_t]). Effective
    Approaches to Attention-based Neural Machine Translation, Luong, Pham, Manning 2015, eq. (5) and
    section 3.3 (input feeding). https://arxiv.org/abs/1508.04025
    """

    def __init__(
        self,
        look: Attention,
        cells: StackedMemoryCells,
        *,
        state_size: int,
        context_size: int,
        scope: Scope | None = None,
        dropout: Number = 0.0,
    ) -> None:
        super().__init__()
        self.look = look
        self.cells = cells
        self.scope = Anywhere() if scope is None else scope
        self.to_attentional = nn.Linear(context_size + state_size, state_size, bias=False)  # W_c
        self.dropout = nn.Dropout(dropout)

    def prepare(
        self, embedded: Float[Tensor, "batch row word"]
    ) -> Float[Tensor, "batch row given"]:
        """The first layer's map of the words."""
        return self.cells.from_input(self.dropout(embedded))

    def over(self, steps: int, rows: int) -> Advance:
        """Step, then look."""
        maps = self.cells.maps() if steps == 1 else self.cells.maps_over(steps, rows)

        def advance(state: LuongState, given: Tensor, memory: Memory) -> Advanced:
            hidden, cell = self.cells(state.hidden, state.cell, given, state.fed, maps)
            top = hidden[..., -state.fed.shape[-1] :]
            seen = self.look(top, memory, mask=self.scope(state.step, memory))
            both = torch.cat([seen.context, top], dim=-1)
            attentional = self.to_attentional(both).tanh()
            following = LuongState(hidden, cell, attentional, state.step + 1)
            return Advanced(following, (attentional,), seen)

        return advance


class MemoryCellEncoder(nn.Module):
    """A stack of LSTM layers over the source; annotations are the states of the top layer.

    The paper's read forwards alone. ``both_ways`` gives half of each layer's width to cells that
    read backwards, so that an annotation knows of the words behind it.
    """

    def __init__(
        self,
        vocabulary: int,
        *,
        size: int,
        layers: int,
        both_ways: bool = False,
        dropout: Number = 0.0,
    ) -> None:
        super().__init__()
        ways = 1 + both_ways
        if size % ways:
            raise ValueError(f"half the width reads each way, so it is even, but size={size}")
        self.embedding = nn.Embedding(vocabulary, size)
        self.dropout = nn.Dropout(dropout)
        between = dropout if layers > 1 else 0.0
        self.cells = nn.LSTM(
            size,
            size // ways,
            layers,
            batch_first=True,
            dropout=between,
            bidirectional=both_ways,
        )

    def forward(
        self, words: Int[Tensor, "batch source"], lengths: Int[Tensor, " batch"]
    ) -> Encoded:
        """Annotations (batch, source, size); the summary is all layers' last states and cells."""
        mask = padding(lengths, words.shape[1])
        annotations, (hidden, cell) = self._read(self.dropout(self.embedding(words)), lengths)
        summary = torch.cat([*hidden, *cell], dim=-1)  # ways side by side, layer by layer
        return Encoded(annotations, mask, nothing_if_empty(summary, lengths))

    def _read(self, embedded: Tensor, lengths: Int[Tensor, " batch"]) -> tuple[Tensor, States]:
        """The states, and those after the last word; torch packs no empty batch or sentence."""
        if not len(embedded):
            states, last = self.cells(embedded)
            return states, last
        packed = pack_padded_sequence(
            embedded, lengths.clamp_min(1).cpu(), batch_first=True, enforce_sorted=False
        )
        states, last = self.cells(packed)
        read, _ = pad_packed_sequence(states, batch_first=True, total_length=embedded.shape[1])
        return read, last


class FromLastStates(nn.Module):
    """The decoder starts where the encoder ended, layer by layer, and has seen nothing yet."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def forward(self, encoded: Encoded) -> LuongState:
        """The first state, one row to an example."""
        summary = encoded.summary
        hidden, cell = summary.unsqueeze(1).chunk(2, dim=-1)
        fed = summary.new_zeros(len(summary), 1, self.size)
        step = torch.zeros(len(summary), 1, 1, dtype=torch.long, device=summary.device)
        return LuongState(hidden, cell, fed, step)


class OnlyFeatures(nn.Module):
    """A readout of the features alone: p(y) ~ exp(W_s h~), eq. (6)."""

    def __init__(self, *, size: int, vocabulary: int, dropout: Number = 0.0) -> None:
        super().__init__()
        self.size = size
        self.dropout = nn.Dropout(dropout)
        self.to_words = WideLinear(size, vocabulary)  # W_s

    def forward(
        self, features: Float[Tensor, "*batch features"]
    ) -> Float[Tensor, "*batch vocabulary"]:
        """Scores of all words; the last word's embedding, which stands behind, is not used."""
        return self.to_words(self.dropout(features[..., : self.size]))


class Luong(Translator):
    """Luong's translator: stacked LSTMs, any score, global or local attention, input feeding.

    Effective Approaches to Attention-based Neural Machine Translation, Luong, Pham, Manning 2015.
    https://arxiv.org/abs/1508.04025 Which attention is the ``look``'s business:
    ``Attention(Dot())``, ``General``, ``Concat`` or ``FromQuery`` (location), all over keys of
    ``size``; local-p is its ``window=Predictive(...)``, local-m the ``scope`` ``Around(radius)``.
    ``both_ways`` lets the encoder read backwards, too, which the paper's does not.
    The paper's sizes: size 1000, 4 layers, vocabularies of 50,000, source back to front.
    """

    def __init__(
        self,
        look: Attention,
        *,
        source_vocabulary: int,
        target_vocabulary: int,
        size: int,
        layers: int = 1,
        both_ways: bool = False,
        scope: Scope | None = None,
        dropout: Number = 0.0,
    ) -> None:
        super().__init__(
            look=look,
            source_vocabulary=source_vocabulary,
            target_vocabulary=target_vocabulary,
            size=size,
            layers=layers,
            both_ways=both_ways,
            scope=scope,
            dropout=dropout,
        )
        encoder = MemoryCellEncoder(
            source_vocabulary, size=size, layers=layers, both_ways=both_ways, dropout=dropout
        )
        self.encoder = encoder
        cells = StackedMemoryCells(input_size=size, fed_size=size, size=size, layers=layers)
        self.decoder = Decoder(
            nn.Embedding(target_vocabulary, size),
            FromLastStates(size),
            StepThenLook(
                look, cells, state_size=size, context_size=size, scope=scope, dropout=dropout
            ),
            OnlyFeatures(size=size, vocabulary=target_vocabulary, dropout=dropout),
        )
        _start_evenly(self, encoder.cells, size)


def _start_evenly(model: Luong, cells: nn.LSTM, size: int) -> None:
    """All matrices but the word vectors are drawn between -0.1 and 0.1, as in the paper.

    The paper draws the word vectors so, too, and is 1000 wide: below a width of 100, that would
    leave hardly a signal, and the bounds are +-1/sqrt(width). Its cells have no forget bias; here
    it starts at one, in the encoder as in the decoder.
    """
    bound = max(SPREAD, size**-0.5)
    for name, parameter in model.named_parameters():
        if parameter.dim() > 1 and not name.endswith("embedding.weight"):
            nn.init.uniform_(parameter, -bound, bound)
    gate = cells.hidden_size
    for name, parameter in cells.named_parameters():
        if name.startswith("bias"):
            nn.init.zeros_(parameter)
        if name.startswith("bias_ih"):
            nn.init.ones_(parameter[gate : 2 * gate])
