"""RNNsearch, the first attentional translator, its ancestor without attention, and an heir."""

from abc import ABC, abstractmethod
from typing import ClassVar

from torch import nn

from regard.attention import Attention
from regard.models.decoding import Decoder, FromSummary, LookThenStep, Maxout, Stepper
from regard.models.encoding import BidirectionalEncoder, LastStateEncoder
from regard.models.trailing import LookAlongThenStep, NothingSeen, Trail
from regard.models.translating import Translator
from regard.recurrence import GatedUnit
from regard.scores import Additive
from regard.shapes import Number


class GatedTranslator(Translator, ABC):
    """An encoder of words, and a decoder that looks by an additive score and steps by gates.

    s_0 = tanh(W_s summary), then look and step, and a maxout layer before the words. Its kinds
    differ in the encoder and in how a look is made. Neural Machine Translation by Jointly Learning
    to Align and Translate, Bahdanau, Cho, Bengio 2015. https://arxiv.org/abs/1409.0473 The paper's
    sizes: word_size 620, state_size 1000 (also the alignment's), hidden_size 500, vocabularies of
    30,000. Deviations: biases, dropout, ``forgetting`` (of whole states, a share at each word),
    torch's initialisation outside the recurrent matrices (the paper's is tuned to days of
    training), and a readout of s_i, on which p(y_i) is conditioned, where the appendix prints
    s_{i-1}.
    """

    reader: ClassVar[type[BidirectionalEncoder | LastStateEncoder]]
    states: ClassVar[int]  # of the encoder that make an annotation

    def __init__(
        self,
        *,
        source_vocabulary: int,
        target_vocabulary: int,
        word_size: int,
        state_size: int,
        hidden_size: int,
        dropout: Number = 0.0,
        forgetting: Number = 0.0,
    ) -> None:
        super().__init__(
            source_vocabulary=source_vocabulary,
            target_vocabulary=target_vocabulary,
            word_size=word_size,
            state_size=state_size,
            hidden_size=hidden_size,
            dropout=dropout,
            forgetting=forgetting,
        )
        self.encoder = self.reader(
            source_vocabulary,
            word_size=word_size,
            state_size=state_size,
            dropout=dropout,
            forgetting=forgetting,
        )
        seen = self.states * state_size
        score = Additive(query_size=state_size, key_size=seen, hidden_size=state_size)
        cell = GatedUnit(
            input_size=word_size,
            state_size=state_size,
            context_size=seen,
            forgetting=forgetting,
        )
        embedding = nn.Embedding(target_vocabulary, word_size)
        start, stepper = self._going(
            FromSummary(summary_size=state_size, state_size=state_size), score, cell
        )
        readout = Maxout(
            in_size=state_size + seen + word_size,
            hidden_size=hidden_size,
            vocabulary=target_vocabulary,
            dropout=dropout,
        )
        self.decoder = Decoder(embedding, start, stepper, readout)

    @abstractmethod
    def _going(
        self, start: FromSummary, score: Additive, cell: GatedUnit
    ) -> tuple[nn.Module, Stepper]:
        """Where the decoder starts, and how it goes on by one word."""


class RNNSearch(GatedTranslator):
    """Bahdanau's translator: a bidirectional encoder, additive attention, a gated decoder."""

    reader = BidirectionalEncoder
    states = 2

    def _going(
        self, start: FromSummary, score: Additive, cell: GatedUnit
    ) -> tuple[nn.Module, Stepper]:
        return start, LookThenStep(Attention(score), cell)


class Seq2Seq(GatedTranslator):
    """The encoder-decoder without attention: all that the decoder sees is the last state.

    c = h_T. RNNencdec of Bahdanau, Cho, Bengio 2015, after Sutskever, Vinyals, Le 2014 and Cho et
    al. 2014: the same decoder as ``RNNSearch``, which finds one annotation and nothing to choose.
    """

    reader = LastStateEncoder
    states = 1

    def _going(
        self, start: FromSummary, score: Additive, cell: GatedUnit
    ) -> tuple[nn.Module, Stepper]:
        return start, LookThenStep(Attention(score), cell)


class LocationAware(GatedTranslator):
    """``RNNSearch`` whose looks know where the last one was, so that they can move on from there.

    Words alone tell a look what to find, but not which of several alike comes next: a network
    counts them, and counts no further than it did in training; give it some ``forgetting``, or it
    will count all the same. Attention-Based Models for Speech Recognition, Chorowski, Bahdanau,
    Serdyuk, Cho, Bengio 2015. https://arxiv.org/abs/1506.07503
    """

    reader = BidirectionalEncoder
    states = 2

    def _going(
        self, start: FromSummary, score: Additive, cell: GatedUnit
    ) -> tuple[nn.Module, Stepper]:
        trail = Trail(hidden_size=len(score.vector))
        return NothingSeen(start), LookAlongThenStep(Attention(score), trail, cell)
