"""An encoder and a decoder together."""

from abc import ABC

from jaxtyping import Float, Int
from torch import Tensor, nn

from regard.attention import Attended


class Translator(nn.Module, ABC):
    """Anything with an encoder and a decoder of words."""

    encoder: nn.Module
    decoder: nn.Module

    def forward(
        self,
        source: Int[Tensor, "batch source"],
        lengths: Int[Tensor, " batch"],
        words: Int[Tensor, "batch target"],
    ) -> tuple[Float[Tensor, "batch target vocabulary"], list[Attended]]:
        """Scores of the word after each of ``words``, and what each step or layer saw."""
        return self.decoder(self.encoder(source, lengths), words)


class EncoderDecoder(Translator):
    """Any encoder in front of any decoder; several may share either."""

    def __init__(self, encoder: nn.Module, decoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder
