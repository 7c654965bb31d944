"""Show, Attend and Tell: the translator's decoder in front of an image."""

from typing import NamedTuple, cast

from jaxtyping import Float
from torch import Tensor, nn

from regard.attention import Attention, Memory
from regard.linear import WideLinear
from regard.models.decoding import Advance, Advanced, Decoder, Stepper
from regard.models.encoding import Encoded
from regard.models.translating import Translator
from regard.normalisers import Hard, Mixed, Normaliser, StraightThrough
from regard.recurrence import StackedMemoryCells
from regard.shapes import Number


class CaptionState(NamedTuple):
    """What the decoder carries from word to word."""

    hidden: Float[Tensor, "batch row size"]  # h
    cell: Float[Tensor, "batch row size"]  # the LSTM's own memory


class LookSelectStep(Stepper):
    """Look with the state so far, weigh what was seen by one number, then step.

    z_t = beta_t look(h_{t-1}), beta_t = sigmoid(f_beta(h_{t-1})), h_t = LSTM(E y_{t-1}, h_{t-1},
    z_t). Xu et al. 2015, section 3.1.2 and 4.2.1: the gate is a scalar that lets the decoder lean
    on the image or on its language. https://arxiv.org/abs/1502.03044
    """

    def __init__(self, look: Attention, cells: StackedMemoryCells) -> None:
        super().__init__()
        self.look = look
        self.cells = cells
        self.to_gate = nn.Linear(cells.size, 1)  # f_beta

    def prepare(
        self, embedded: Float[Tensor, "batch row word"]
    ) -> Float[Tensor, "batch row given"]:
        """The cells' map of the words."""
        return self.cells.from_input(embedded)

    def over(self, steps: int, rows: int) -> Advance:
        """Look, select, step."""
        maps = self.cells.maps() if steps == 1 else self.cells.maps_over(steps, rows)

        def advance(state: CaptionState, given: Tensor, memory: Memory) -> Advanced:
            seen = self.look(state.hidden, memory)
            selected = self.to_gate(state.hidden).sigmoid() * seen.context
            following = CaptionState(*self.cells(state.hidden, state.cell, given, selected, maps))
            return Advanced(following, (following.hidden, selected), seen)

        return advance


class FromMean(nn.Module):
    """h_0 = tanh(W_h mean + b_h), c_0 = tanh(W_c mean + b_c): from the mean annotation."""

    def __init__(self, *, summary_size: int, state_size: int) -> None:
        super().__init__()
        self.to_hidden = nn.Linear(summary_size, state_size)  # f_init,h
        self.to_cell = nn.Linear(summary_size, state_size)  # f_init,c

    def forward(self, encoded: Encoded) -> CaptionState:
        """The first state, one row to an example."""
        mean = encoded.summary.unsqueeze(1)
        return CaptionState(self.to_hidden(mean).tanh(), self.to_cell(mean).tanh())


class DeepOutput(nn.Module):
    """p(y_t) ~ exp(L_o tanh(E y_{t-1} + L_h h_t + L_z z_t)), Xu et al. 2015, eq. (7).

    The paper prints no tanh; without one, L_h and L_z would be no layer of their own.
    """

    def __init__(
        self, *, features_size: int, word_size: int, vocabulary: int, dropout: Number = 0.0
    ) -> None:
        super().__init__()
        self.word_size = word_size
        self.from_features = WideLinear(features_size, word_size)  # L_h and L_z side by side
        self.dropout = nn.Dropout(dropout)
        self.to_words = WideLinear(word_size, vocabulary)  # L_o

    def forward(
        self, features: Float[Tensor, "*batch features"]
    ) -> Float[Tensor, "*batch vocabulary"]:
        """Scores of all words; the last word's embedding stands behind the features."""
        own, embedded = features[..., : -self.word_size], features[..., -self.word_size :]
        hidden = (embedded + self.from_features(self.dropout(own))).tanh()
        return self.to_words(self.dropout(hidden))


class Captioner(Translator):
    """Show, Attend and Tell: an encoder of images, any attention, an LSTM that tells.

    Show, Attend and Tell: Neural Image Caption Generation with Visual Attention, Xu et al. 2015.
    https://arxiv.org/abs/1502.03044 ``encoder(images, sizes)`` gives a grid of annotations of
    ``annotation_size``: ``ConvolutionalGrid``, ``FeatureGrid``, or a module of one's own, which
    gives an ``Encoded``: annotations (batch, cell, size), which cells are there (batch, 1, cell),
    their mean (batch, size) and how many rows and columns there are. Soft and
    hard attention differ in the ``look``'s normaliser alone: ``Softmax()`` or
    ``Mixed(Hard(), Softmax())``. The paper's sizes: 196 cells of 512, words 512, state 1800 (the
    released code's). ``model(images, sizes, words)`` gives the scores of the words to follow.
    """

    decoder: Decoder

    def __init__(
        self,
        encoder: nn.Module,
        look: Attention,
        *,
        vocabulary: int,
        annotation_size: int,
        word_size: int,
        state_size: int,
        dropout: Number = 0.0,
    ) -> None:
        super().__init__(
            encoder=encoder,
            look=look,
            vocabulary=vocabulary,
            annotation_size=annotation_size,
            word_size=word_size,
            state_size=state_size,
            dropout=dropout,
        )
        self.encoder = encoder
        cells = StackedMemoryCells(
            input_size=word_size, fed_size=annotation_size, size=state_size, layers=1
        )
        self.decoder = Decoder(
            nn.Embedding(vocabulary, word_size),
            FromMean(summary_size=annotation_size, state_size=state_size),
            LookSelectStep(look, cells),
            DeepOutput(
                features_size=state_size + annotation_size,
                word_size=word_size,
                vocabulary=vocabulary,
                dropout=dropout,
            ),
        )

    def tell_by(self, normaliser: Normaliser) -> None:
        """Put another normaliser into the look: what was trained by draws may tell by the mean."""
        self.decoder.stepper.look.normaliser = normaliser

    @property
    def normaliser(self) -> Normaliser:
        """The normaliser of the look as it is."""
        return cast(Normaliser, self.decoder.stepper.look.normaliser)

    def mix(self, share: Number) -> None:
        """From now on a look takes the second of its two normalisers with this share."""
        if not isinstance(self.normaliser, Mixed):
            raise TypeError(
                "a share needs two normalisers, as in Mixed(Hard(), Softmax()), but this "
                f"captioner's look has {self.normaliser!r}"
            )
        self.normaliser.share = share

    @property
    def chooses(self) -> bool:
        """Whether each look takes one cell, rather than a share of each."""
        return isinstance(self.normaliser, Hard | Mixed | StraightThrough)
