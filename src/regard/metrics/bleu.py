"""BLEU as sacrebleu counts it, with the signature that says how.

A Call for Clarity in Reporting BLEU Scores, Post 2018. https://aclanthology.org/W18-6319
Takes whole sentences as text, not tokenised. Needs the extra ``pip install "regard[text]"``.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import NamedTuple

from regard.choices import check_choice
from regard.metrics.lengths import Bucket, buckets, check_same_number


class Bleu(NamedTuple):
    """A score from 0 to 100, and the signature without which it cannot be compared."""

    score: float
    signature: str


def bleu(hypotheses: Sequence[str], references: Sequence[str], tokenise: str = "13a") -> Bleu:
    """The BLEU of all sentences together, one reference each.

    ``tokenise`` is sacrebleu's name of a way to find the words: "13a" for European languages,
    "char" or "ko-mecab" for Korean.
    """
    check_same_number(hypotheses, references)
    library = _sacrebleu()
    known = sorted(library.BLEU.TOKENIZERS)
    check_choice("tokenise", tokenise, known)
    metric = library.BLEU(tokenize=tokenise, force=True)
    score = metric.corpus_score(list(hypotheses), [list(references)]).score
    return Bleu(float(score), str(metric.get_signature()))


def bleu_by_length(
    hypotheses: Sequence[str],
    references: Sequence[str],
    lengths: Sequence[int],
    width: int = 10,
    tokenise: str = "13a",
) -> list[tuple[Bucket, Bleu]]:
    """The BLEU of each bucket of (usually the source's) lengths.

    Figure 2 of Neural Machine Translation by Jointly Learning to Align and Translate, Bahdanau,
    Cho, Bengio 2015, draws it against the length. https://arxiv.org/abs/1409.0473
    """
    check_same_number(hypotheses, references)
    check_same_number(lengths, references)
    return [
        (
            bucket,
            bleu(
                [hypotheses[position] for position in bucket.positions],
                [references[position] for position in bucket.positions],
                tokenise,
            ),
        )
        for bucket in buckets(lengths, width)
    ]


def _sacrebleu() -> ModuleType:
    """The library, imported when it is first used: it is slow to import, and an extra."""
    try:
        import sacrebleu
    except ImportError as missing:
        raise ImportError(
            'BLEU needs the package sacrebleu, which comes with pip install "regard[text]"'
        ) from missing
    return sacrebleu
