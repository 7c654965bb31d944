"""Running text as one long row of numbers, for language models.

>>> vocabulary = text_vocabulary([("a", "b", "a"), ("<unk>", "a")])
>>> text_stream([("a", "b"), ("<unk>",)], vocabulary).tolist()
[4, 5, 2, 3, 2]
"""

from collections.abc import Iterable
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor

from regard.choices import check_choice
from regard.tasks.files import read_lines
from regard.tasks.folders import data_file
from regard.tasks.pairs import Words
from regard.tasks.vocabulary import END, Vocabulary

TREEBANK_PARTS = ("train", "valid", "test")
RARE = "<unk>"  # how the files of the treebank spell a word that is too rare


def treebank(part: str = "train", folder: str | Path | None = None) -> list[Words]:
    """Sentences of the Penn Treebank, with numbers as ``N`` and rare words as ``<unk>``.

    Recurrent neural network based language model, Mikolov et al. 2010: sections 0 to 20 of the
    Wall Street Journal, 21 and 22, 23 and 24; 10,000 words, the end of a sentence among them.
    """
    check_choice("part", part, TREEBANK_PARTS)
    return read_text(data_file("ptb", f"ptb.{part}.txt.xz", folder))


def read_text(path: str | Path) -> list[Words]:
    """Sentences of a file, one on each line, words between spaces."""
    return [tuple(line.split()) for line in read_lines(path)]


def text_vocabulary(sentences: Iterable[Words], largest_size: int | None = None) -> Vocabulary:
    """The words of a text; ``<unk>`` is no word, but the vocabulary's own unknown one.

    So it counts two entries more than papers do, padding and beginning, which no text has.
    """
    told = (tuple(word for word in sentence if word != RARE) for sentence in sentences)
    return Vocabulary.build(told, largest_size=largest_size)


def text_stream(sentences: Iterable[Words], vocabulary: Vocabulary) -> Int[Tensor, " word"]:
    """All sentences in one row, an end after each."""
    numbers: list[int] = []
    for sentence in sentences:
        numbers += vocabulary.encode(sentence)
        numbers.append(END)
    return torch.tensor(numbers, dtype=torch.int64)
