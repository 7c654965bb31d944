"""RNNsearch, the first attentional translator, and its ancestor without attention."""

from torch import nn

from regard.attention import Attention
from regard.models.decoding import Decoder, FromSummary, LookThenStep, Maxout
from regard.models.encoding import BidirectionalEncoder, LastStateEncoder
from regard.models.translating import Translator
from regard.recurrence import GatedUnit
from regard.scores import Additive
from regard.shapes import Number


class RNNSearch(Translator):
    """Bahdanau's translator: a bidirectional encoder, additive attention, a gated decoder.

    Neural Machine Translation by Jointly Learning to Align and Translate, Bahdanau, Cho, Bengio
    2015. https://arxiv.org/abs/1409.0473 The paper's sizes: word_size 620, state_size 1000 (also
    the alignment's), hidden_size 500, vocabularies of 30,000. Deviations: biases, dropout, torch's
    initialisation outside the recurrent matrices (the paper's is tuned to days of training), and a
    readout of s_i, on which p(y_i) is conditioned, where the appendix prints s_{i-1}.
    """

    def __init__(
        self,
        *,
        source_vocabulary: int,
        target_vocabulary: int,
        word_size: int,
        state_size: int,
        hidden_size: int,
        dropout: Number = 0.0,
    ) -> None:
        super().__init__(
            source_vocabulary=source_vocabulary,
            target_vocabulary=target_vocabulary,
            word_size=word_size,
            state_size=state_size,
            hidden_size=hidden_size,
            dropout=dropout,
        )
        self.encoder = BidirectionalEncoder(
            source_vocabulary, word_size=word_size, state_size=state_size, dropout=dropout
        )
        look = Attention(
            Additive(query_size=state_size, key_size=2 * state_size, hidden_size=state_size)
        )
        self.decoder = _gated_decoder(
            look, target_vocabulary, word_size, state_size, 2 * state_size, hidden_size, dropout
        )


class Seq2Seq(Translator):
    """The encoder-decoder without attention: all that the decoder sees is the last state.

    c = h_T. RNNencdec of Bahdanau, Cho, Bengio 2015, after Sutskever, Vinyals, Le 2014 and Cho et
    al. 2014: the same decoder as ``RNNSearch``, which finds one annotation and nothing to choose.
    """

    def __init__(
        self,
        *,
        source_vocabulary: int,
        target_vocabulary: int,
        word_size: int,
        state_size: int,
        hidden_size: int,
        dropout: Number = 0.0,
    ) -> None:
        super().__init__(
            source_vocabulary=source_vocabulary,
            target_vocabulary=target_vocabulary,
            word_size=word_size,
            state_size=state_size,
            hidden_size=hidden_size,
            dropout=dropout,
        )
        self.encoder = LastStateEncoder(
            source_vocabulary, word_size=word_size, state_size=state_size, dropout=dropout
        )
        look = Attention(
            Additive(query_size=state_size, key_size=state_size, hidden_size=state_size)
        )
        self.decoder = _gated_decoder(
            look, target_vocabulary, word_size, state_size, state_size, hidden_size, dropout
        )


def _gated_decoder(
    look: Attention,
    vocabulary: int,
    word_size: int,
    state_size: int,
    context_size: int,
    hidden_size: int,
    dropout: Number,
) -> Decoder:
    """s_0 = tanh(W_s summary), look, gated step, maxout."""
    cell = GatedUnit(input_size=word_size, state_size=state_size, context_size=context_size)
    return Decoder(
        nn.Embedding(vocabulary, word_size),
        FromSummary(summary_size=state_size, state_size=state_size),
        LookThenStep(look, cell),
        Maxout(
            in_size=state_size + context_size + word_size,
            hidden_size=hidden_size,
            vocabulary=vocabulary,
            dropout=dropout,
        ),
    )
