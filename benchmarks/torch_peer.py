"""``nn.Transformer`` between our embeddings and readout, and its weights in our layers."""

from typing import Any

import torch
from torch import Tensor, nn

from regard import MultiHead
from regard.models import Transformer

WORDWISE = {"linear1": "feed_forward.widen", "linear2": "feed_forward.narrow"}
ENCODER = {"norm1": "own.block.norm", "norm2": "feed_forward.block.norm"}
DECODER = {
    "norm1": "own.block.norm",
    "norm2": "block.norm",
    "norm3": "feed_forward.block.norm",
}


class TorchTranslator(nn.Module):
    """Torch's layers for ours, with the same work to do.

    Its norms after the last layers and its dropout inside the word-wise layers are taken out, for
    ours has neither.
    """

    def __init__(self, ours: Transformer, heads: int, layers: int, dropout: float) -> None:
        super().__init__()
        encoder: Any = ours.encoder  # any encoder and decoder, for all that a Translator says
        decoder: Any = ours.decoder
        self.source_words, self.target_words = encoder.embedding, decoder.embedding
        self.readout = decoder.readout
        size = self.readout.in_features
        self.layers = nn.Transformer(
            size, heads, layers, layers, 4 * size, dropout, batch_first=True
        )
        self.layers.encoder.norm = self.layers.decoder.norm = None
        for here, there in zip(encoder.layers, self.layers.encoder.layers, strict=True):
            _give(here, there, ENCODER)
            here.own.attention = MultiHead.from_torch(there.self_attn)
        for here, there in zip(decoder.layers, self.layers.decoder.layers, strict=True):
            _give(here, there, DECODER)
            here.own.attention = MultiHead.from_torch(there.self_attn)
            here.attention = MultiHead.from_torch(there.multihead_attn)

    def forward(self, source: Tensor, lengths: Tensor, target: Tensor) -> Tensor:
        """Scores of the word after each of ``target``; torch's masks say what is forbidden."""
        filling = torch.arange(source.shape[1]) >= lengths.unsqueeze(1)
        length = target.shape[1]
        written = self.layers(
            self.source_words(source),
            self.target_words(target),
            tgt_mask=torch.ones(length, length, dtype=torch.bool).triu(1),
            src_key_padding_mask=filling,
            memory_key_padding_mask=filling,
            tgt_is_causal=True,
        )
        return self.readout(written)


def _give(ours: nn.Module, theirs: nn.Module, norms: dict[str, str]) -> None:
    """Our layer takes the weights of theirs, except for the looks; theirs drops where ours does."""
    theirs.dropout = nn.Identity()
    for their_name, our_name in (WORDWISE | norms).items():
        state = theirs.get_submodule(their_name).state_dict()
        ours.get_submodule(our_name).load_state_dict(state)
