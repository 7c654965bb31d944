"""Pieces of words as numbers: byte pairs joined by how often they stand together.

Neural Machine Translation of Rare Words with Subword Units, Sennrich, Haddow, Birch 2016, section
3.2. https://arxiv.org/abs/1508.07909 The smallest pieces are bytes rather than letters, so that
any text can be written and comes back unchanged. Needs the extra ``pip install "regard[text]"``.
"""

import json
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from regard.tasks.vocabulary import SPECIAL, Encoding, check_kind, until_end

if TYPE_CHECKING:
    import tokenizers

BYTES = 256


class Subwords(Encoding):
    """Byte pairs learnt from text, in the same shape as a ``Vocabulary``.

    Text that looks like a special entry is written in bytes and never becomes that entry.
    """

    def __init__(self, tokenizer: "tokenizers.Tokenizer") -> None:
        self._tokenizer = tokenizer
        self._tokenizer.encode_special_tokens = True

    @classmethod
    def train(cls, sentences: Iterable[Sequence[str]], size: int) -> "Subwords":
        """Learn ``size`` entries from the training text, special entries and bytes among them."""
        if size < BYTES + len(SPECIAL):
            raise ValueError(
                f"size must hold {BYTES} bytes and {len(SPECIAL)} special entries, "
                f"{BYTES + len(SPECIAL)} or more, but size={size}"
            )
        library = _tokenizers()
        tokenizer = library.Tokenizer(library.models.BPE())
        tokenizer.pre_tokenizer = library.pre_tokenizers.ByteLevel(add_prefix_space=True)
        tokenizer.decoder = library.decoders.ByteLevel()
        trainer = library.trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=list(SPECIAL),
            initial_alphabet=sorted(library.pre_tokenizers.ByteLevel.alphabet()),
            show_progress=False,
        )
        tokenizer.train_from_iterator(map(" ".join, sentences), trainer)
        return cls(tokenizer)

    def __len__(self) -> int:
        return int(self._tokenizer.get_vocab_size())

    def __repr__(self) -> str:
        return f"Subwords({len(self)} entries)"

    def encode(self, words: Sequence[str]) -> list[int]:
        """The numbers of the pieces of a sentence, its words joined by spaces."""
        return list(self._tokenizer.encode(" " + " ".join(words)).ids) if words else []

    def decode(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """The words of these pieces up to the first end, exactly as they were encoded."""
        kept = until_end(numbers)
        text = self._tokenizer.decode(kept, skip_special_tokens=False)
        return tuple(text.removeprefix(" ").split(" ")) if kept else ()

    def labels(self, numbers: Iterable[int]) -> list[str]:
        """The text of each piece, ``_`` for a space before it; bytes of a cut letter as ``�``."""
        texts = [self._tokenizer.decode([number], skip_special_tokens=False) for number in numbers]
        return ["_" + text[1:] if text.startswith(" ") else text for text in texts]

    def to_json(self) -> dict[str, Any]:
        return {"kind": "subwords", "subwords": json.loads(self._tokenizer.to_str())}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Subwords":
        """Build it again from what ``to_json`` gave."""
        check_kind(data, "subwords")
        return cls(_tokenizers().Tokenizer.from_str(json.dumps(data["subwords"])))


def _tokenizers() -> ModuleType:
    """The library, imported when it is first used: it is slow to import, and an extra."""
    try:
        import tokenizers
    except ImportError as missing:
        raise ImportError(
            'subwords need the package tokenizers, which comes with pip install "regard[text]"; '
            "or take a Vocabulary of whole words"
        ) from missing
    return tokenizers
