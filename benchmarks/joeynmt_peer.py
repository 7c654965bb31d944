"""JoeyNMT 2.3's recurrent translator: ``pip install --no-deps joeynmt==2.3.0``.

Its models need none of what the package imports for logs, pictures and subwords.
"""

import importlib.metadata
import sys
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import torch
from torch import Tensor, nn

UNUSED = ("torch.utils.tensorboard", "sentencepiece", "subword_nmt")
MARKS = ("unk", "pad", "bos", "eos")  # numbered 0 to 3


class JoeyTranslator:
    """A bidirectional GRU, Bahdanau's score and a GRU decoder, all of one size, without dropout.

    It feeds its attentional vector (``size``) back where RNNsearch feeds the context (2 ``size``),
    looks after the step, and reads out of that vector without a maxout: with size 512 and 8,000
    words 19.9 million parameters, where ``RNNSearch`` has 21.7 million and so more to work out.
    """

    def __init__(self, vocabulary: int, size: int) -> None:
        _stand_in_for_the_unused()
        from joeynmt.model import build_model
        from joeynmt.vocabulary import Vocabulary

        marks = {f"{mark}_token": f"<{mark}>" for mark in MARKS}
        numbers = {f"{mark}_id": number for number, mark in enumerate(MARKS)}
        options = SimpleNamespace(**marks, **numbers, sep_token=None, lang_tags=[])
        words = Vocabulary([str(word) for word in range(vocabulary - len(MARKS))], options)
        half = {"type": "recurrent", "rnn_type": "gru", "hidden_size": size}
        shape = {"encoder": half | {"embeddings": {"embedding_dim": size}},
                 "decoder": half | {"embeddings": {"embedding_dim": size}}}  # fmt: skip
        self.model: nn.Module = build_model(shape, words, words)

    def logits(self, source: Tensor, lengths: Tensor, target: Tensor) -> Tensor:
        """Scores of the word after each of ``target``; its own loss would count hits besides."""
        mask = torch.ones_like(source, dtype=torch.bool).unsqueeze(1)
        scores, *_ = self.model._encode_decode(source, target, mask, lengths)  # type: ignore[operator]
        return scores

    @torch.no_grad()
    def translate(self, source: Tensor, lengths: Tensor, steps: int, beams: int) -> Any:
        """``steps`` words, the end being forbidden until then; the words, for one beam greedily."""
        from joeynmt.search import beam_search, greedy

        mask = torch.ones_like(source, dtype=torch.bool).unsqueeze(1)
        encoded, last = self.model.eval()._encode(source, lengths, mask)  # type: ignore[operator]
        options = {"src_mask": mask, "max_output_length": steps, "min_output_length": steps}
        given = {"model": self.model, "encoder_output": encoded, "encoder_hidden": last}
        if beams == 1:
            return greedy(**options, **given, return_prob="hyp")[0]
        return beam_search(**options, **given, beam_size=beams, alpha=1.0, return_prob="hyp")[0]


def _stand_in_for_the_unused() -> None:
    """Import the package while what it does not need is played by others, who then leave."""
    others = {name: MagicMock() for name in UNUSED if name not in sys.modules}
    sys.modules |= others
    sys.modules.setdefault("importlib_metadata", importlib.metadata)
    try:
        import joeynmt.search  # noqa: F401
    finally:
        for name in others:
            del sys.modules[name]
