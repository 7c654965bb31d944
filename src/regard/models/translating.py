"""An encoder and a decoder together."""

from abc import ABC
from collections.abc import Mapping

from jaxtyping import Float, Int, Num
from torch import Tensor, nn

from regard.attention import Attended
from regard.models.pretrained import Pretrained


class Translator(Pretrained, ABC):
    """Anything with an encoder, of words or of images, and a decoder of words."""

    encoder: nn.Module
    decoder: nn.Module

    def forward(
        self,
        source: Num[Tensor, "batch *source"],
        lengths: Int[Tensor, "batch *axes"],
        words: Int[Tensor, "batch target"],
    ) -> tuple[Float[Tensor, "batch target vocabulary"], list[Attended]]:
        """Scores of the word after each of ``words``, and what each step or layer saw.

        ``source`` is a sentence or an image, ``lengths`` how much of it is there.
        """
        for name, given in (("source", source), ("lengths", lengths), ("words", words)):
            if not isinstance(given, Tensor):
                raise TypeError(
                    f"{name} must be a tensor, but it is a {type(given).__name__} (of images, "
                    "lengths are heights and widths: (batch, 2))"
                )
        if 0 in (*source.shape[1:], words.shape[1]):
            raise ValueError(
                "source and words hold at least one word, if only filling or the mark that begins "
                f"a sentence, but their shapes are {tuple(source.shape)} and {tuple(words.shape)}"
            )
        if not len(source) == len(lengths) == len(words):
            raise ValueError(
                "source, lengths and words are of the same examples, but there are "
                f"{len(source)} sources, {len(lengths)} lengths and {len(words)} rows of words"
            )
        return self.decoder(self.encoder(source, lengths), words)


class EncoderDecoder(Translator):
    """Any encoder in front of any decoder; several may share either."""

    def __init__(self, encoder: nn.Module, decoder: nn.Module) -> None:
        super().__init__(encoder=encoder, decoder=decoder)
        self.encoder = encoder
        self.decoder = decoder


class CommonEncoder(nn.Module):
    """One encoder that feeds several decoders: a common representation of what is said.

    ``into(name)`` is the translator of one of them; all of them share the encoder's parameters.
    """

    def __init__(self, encoder: nn.Module, decoders: Mapping[str, nn.Module]) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoders = nn.ModuleDict(decoders)

    def into(self, name: str) -> EncoderDecoder:
        """The translator whose decoder goes by this name."""
        if name not in self.decoders:
            raise ValueError(f"there is no decoder {name!r}; there are {', '.join(self.decoders)}")
        return EncoderDecoder(self.encoder, self.decoders[name])
