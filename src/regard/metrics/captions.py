"""How good captions are against several captions that people wrote: BLEU, CIDEr, METEOR.

All three take words, not text: the candidates' and the references' must be found in the same way
(lower case, punctuation dropped or not), and a score without that way said cannot be compared.
"""

import math
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

from regard.metrics.lengths import check_same_number

Caption = Sequence[str]  # its words
LONGEST = 4  # n of the longest n-grams
# What the captioners' script adds above and below, so that nothing is divided by zero.
ABOVE, BELOW = 1e-15, 1e-9
BAR = "|||"  # divides the fields of a line that METEOR reads


def caption_bleu(
    candidates: Sequence[Caption], references: Sequence[Sequence[Caption]]
) -> tuple[float, float, float, float]:
    """BLEU-1 to BLEU-4 of all captions together, from 0 to 100, as captioning papers count it.

    BLEU-n = exp(min(0, 1 - r / c)) (p_1 ... p_n)^(1/n), where p_k is the share of the candidates'
    k-grams that are in the references, each counted at most as often as in the one reference that
    has it most; c is the number of words of all candidates; and r that of the references closest in
    length to each (the shorter of two as close). A Method for Automatic Evaluation of Machine
    Translation, Papineni et al. 2002, https://aclanthology.org/P02-1040, in the form of Microsoft
    COCO Captions, Chen et al. 2015, https://arxiv.org/abs/1504.00325. There is no smoothing but
    the script's tiny constants. Not to be compared with sacrebleu's numbers, as tokens differ.

    >>> caption = "a dog runs over the grass".split()
    >>> [round(score, 3) for score in caption_bleu([caption], [[caption, ["a", "dog"]]])]
    [100.0, 100.0, 100.0, 100.0]
    """
    penalty = _brevity_penalty(candidates, references)
    one, two, three, four = caption_precision(candidates, references)
    return penalty * one, penalty * two, penalty * three, penalty * four


def caption_precision(
    candidates: Sequence[Caption], references: Sequence[Sequence[Caption]]
) -> tuple[float, float, float, float]:
    """BLEU-1 to BLEU-4 without a brevity penalty, as Show, Attend and Tell reports them.

    (p_1 ... p_n)^(1/n) times 100, p_k as in ``caption_bleu``: short captions gain by it. Xu et al.
    2015. https://arxiv.org/abs/1502.03044

    >>> said, wanted = "a dog runs on".split(), "a dog runs on the grass".split()
    >>> [round(score, 3) for score in caption_precision([said], [[wanted]])]
    [100.0, 100.0, 100.0, 100.0]
    """
    _check(candidates, references)
    right, said = [0] * LONGEST, [0] * LONGEST
    for candidate, wordings in zip(candidates, references, strict=True):
        for order in range(LONGEST):
            grams = _grams(candidate, order + 1)
            most: Counter[tuple[str, ...]] = Counter()
            for wording in wordings:
                most |= _grams(wording, order + 1)  # the larger count of the two
            right[order] += (grams & most).total()  # the smaller
            said[order] += grams.total()
    precisions = [(ours + ABOVE) / (all_ + BELOW) for ours, all_ in zip(right, said, strict=True)]
    one, two, three, four = (
        100 * math.prod(precisions[:order]) ** (1 / order) for order in range(1, LONGEST + 1)
    )
    return one, two, three, four


def _brevity_penalty(
    candidates: Sequence[Caption], references: Sequence[Sequence[Caption]]
) -> float:
    """exp(min(0, 1 - r / c)) of all captions together."""
    _check(candidates, references)
    length = wanted = 0
    for candidate, wordings in zip(candidates, references, strict=True):
        length += len(candidate)
        lengths = [len(wording) for wording in wordings]
        wanted += min(lengths, key=lambda other: (abs(other - len(candidate)), other))
    ratio = (length + ABOVE) / (wanted + BELOW)
    return math.exp(1 - 1 / ratio) if ratio < 1 else 1.0


def cider(candidates: Sequence[Caption], references: Sequence[Sequence[Caption]]) -> float:
    """CIDEr-D times 100, mean over images: 100 and more for good captions of easy pictures.

    CIDEr: Consensus-based Image Description Evaluation, Vedantam, Zitnick, Parikh 2015.
    https://arxiv.org/abs/1411.5726 An n-gram weighs the more the fewer images have it in their
    references, so the score depends on which images are scored together; that of one is 0.
    Needs ``pip install "regard[caption]"``.
    """
    _check(candidates, references)
    scorer = _coco("CIDEr", "cider.cider").Cider()
    score, _ = scorer.compute_score(
        {image: list(map(" ".join, wordings)) for image, wordings in enumerate(references)},
        {image: [" ".join(candidate)] for image, candidate in enumerate(candidates)},
    )
    return 100 * float(score)


def meteor(candidates: Sequence[Caption], references: Sequence[Sequence[Caption]]) -> float:
    """METEOR 1.5 for English, from 0 to 100, of all captions together.

    Meteor Universal: Language Specific Translation Evaluation for Any Target Language, Denkowski,
    Lavie 2014. https://aclanthology.org/W14-3348 With its own normalising (``-norm``), as
    captioning papers run it. Needs ``pip install "regard[caption]"`` and Java; starting takes
    some seconds.
    """
    _check(candidates, references)
    module = _coco("METEOR", "meteor.meteor")
    java = shutil.which("java")
    if java is None:
        raise RuntimeError(
            "METEOR is a Java program, but there is no java on the PATH; install a Java runtime "
            "(version 8 or later), for example by: apt install default-jre-headless"
        )
    folder = Path(str(module.__file__)).parent
    command = [java, "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", module.METEOR_JAR]
    with subprocess.Popen(
        [*command, "-", "-", "-stdio", "-l", "en", "-norm"],
        cwd=folder,  # where it looks for its data
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    ) as process:
        counts = [
            _ask(process, "SCORE", *map(" ".join, (*wordings, candidate)))
            for candidate, wordings in zip(candidates, references, strict=True)
        ]
        _ask(process, "EVAL", *counts)  # answers by a line for each caption, then one for all
        answers = [process.stdout.readline() for _ in counts] if process.stdout else []
    return 100 * float(answers[-1])


def _ask(process: "subprocess.Popen[str]", *fields: str) -> str:
    """Send METEOR one line, and give the line that it answers."""
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("METEOR's Java program was started without pipes to it")
    try:
        process.stdin.write(f" {BAR} ".join(fields) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
    except BrokenPipeError:
        answer = ""
    if not answer.strip():
        process.kill()
        with suppress(BrokenPipeError):  # closing sends what could not be sent, to nobody
            process.stdin.close()
        raise RuntimeError(
            f"METEOR's Java program gave no answer to {' '.join(fields)[:80]!r} and was stopped; "
            "it needs 2 GB of memory and the file data/paraphrase-en.gz of pycocoevalcap"
        )
    return answer.strip()


def _grams(words: Caption, order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[start:] for start in range(order)), strict=False))


def _check(candidates: Sequence[Caption], references: Sequence[Sequence[Caption]]) -> None:
    """Stop where candidates and references cannot be scored, or text was given for words."""
    check_same_number(candidates, references)
    for image, (candidate, wordings) in enumerate(zip(candidates, references, strict=True)):
        if isinstance(wordings, str) or not wordings:
            raise ValueError(
                f"image {image} needs one reference or more, each a list of words, but its "
                f"references are {wordings!r}"
            )
        for caption in (candidate, *wordings):
            if isinstance(caption, str):
                raise ValueError(
                    f"a caption is a list of its words, but image {image} has the text "
                    f"{caption!r}; split it first, candidates and references in the same way"
                )
            odd = [word for word in caption if word.split() != [word] or BAR in word]
            if odd:
                raise ValueError(
                    f"a word has no white space and no {BAR}, but image {image} has the word "
                    f"{odd[0]!r}"
                )


def _coco(metric: str, module: str) -> ModuleType:
    """A part of pycocoevalcap, imported when it is first used: it is an extra."""
    try:
        return import_module(f"pycocoevalcap.{module}")
    except ImportError as missing:
        raise ImportError(
            f"{metric} needs the package pycocoevalcap, which comes with "
            'pip install "regard[caption]"'
        ) from missing
