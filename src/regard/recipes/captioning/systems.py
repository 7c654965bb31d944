"""The captioner's sizes, as knobs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from regard.recipes.captioning.attentions import Kind
from regard.recipes.captioning.data import CaptionData
from regard.recipes.knobs import COUNT, SHARE, knob

if TYPE_CHECKING:
    from regard.models import Captioner


@dataclass(frozen=True)
class CaptionerSystem:
    """Show, Attend and Tell."""

    kind: Kind
    annotation_size: int = knob(512, "width of the annotation of a cell", COUNT)
    word_size: int = knob(512, "width of the word vectors", COUNT)
    state_size: int = knob(512, "width of the LSTM", COUNT)
    hidden_size: int = knob(512, "width of the network that scores cells", COUNT)
    dropout: float = knob(0.5, "share of features set to zero in training", SHARE)

    @property
    def work(self) -> int:
        """Multiply-adds of one row between two waits, to choose the number of threads by."""
        return self.state_size * 4 * self.state_size

    def build(self, data: CaptionData, vocabulary: int) -> "Captioner":
        """The model, freshly drawn."""
        from regard.attention import Attention
        from regard.models import Captioner
        from regard.scores import Additive

        look = Attention(
            Additive(
                query_size=self.state_size,
                key_size=self.annotation_size,
                hidden_size=self.hidden_size,
            ),
            self.kind.normaliser(),
        )
        return Captioner(
            data.encoder(self.annotation_size, self.dropout),
            look,
            vocabulary=vocabulary,
            annotation_size=self.annotation_size,
            word_size=self.word_size,
            state_size=self.state_size,
            dropout=self.dropout,
        )
