"""The real data sets: Multi30k, Tatoeba English-French, and Korean-English from four sources.

Each reader takes the folder that holds the data sets; ``data_folder`` says where it looks when
none is given. Words are what stands between spaces; punctuation stays with its word.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from zipfile import ZipFile

from regard.choices import check_choice
from regard.tasks.files import read_parallel, read_table
from regard.tasks.folders import data_file
from regard.tasks.pairs import Pair, Split

MULTI30K_LANGUAGES = ("en", "de", "fr")
MULTI30K_PARTS = (
    "train",
    "val",
    "test_2016_flickr",
    "test_2017_flickr",
    "test_2017_mscoco",
    "test_2018_flickr",
)
LARGEST_MEMBER = 64_000_000  # bytes that a member of an archive may unpack to

# Korean-English: tables (English first), and parallel files.
KOREAN_TABLES = {
    "tatoeba": "tatoeba_kor_eng_2022.tsv.xz",
    "python": "python_docs_3.13_en_ko.tsv.xz",
}
KOREAN_PARALLEL = {
    "news-dev": "korean-english-park.dev",
    "news-test": "korean-english-park.test",
    "school-dev": "jhe-koen-dev",
    "school-eval": "jhe-koen-eval",
}


def multi30k(
    part: str, source: str = "en", target: str = "de", folder: str | Path | None = None
) -> list[Pair]:
    """Captions of pictures in two of English, German and French.

    Multi30K: Multilingual English-German Image Descriptions, Elliott, Frank, Sima'an, Specia 2016.
    https://arxiv.org/abs/1605.00459 Task 1, raw text.
    """
    check_choice("part", part, MULTI30K_PARTS)
    for language in (source, target):
        check_choice("language", language, MULTI30K_LANGUAGES)
    files = [data_file("multi30k", f"{part}.{code}.gz", folder) for code in (source, target)]
    return read_parallel(*files)


def tatoeba_french(
    valid: int = 2_000, test: int = 2_000, seed: int = 0, folder: str | Path | None = None
) -> Split:
    """English sentences and their French translations, CC BY 2.0, from tatoeba.org.

    Many English sentences have several translations; see ``split_by_source``.
    """
    path = data_file("tatoeba_fra_eng", "fra-eng.zip", folder)
    pairs = []
    for number, line in enumerate(_member(path, "fra.txt").splitlines(), 1):
        cells = line.split("\t")
        if len(cells) != 2:
            raise ValueError(f"{path}, fra.txt, line {number}: {len(cells)} columns instead of two")
        pairs.append(Pair(tuple(cells[0].split()), tuple(cells[1].split())))
    return split_by_source(pairs, valid, test, seed)


def korean_english(name: str, folder: str | Path | None = None) -> list[Pair]:
    """Korean sentences and their English translations, from one of the sources.

    ``tatoeba`` (everyday, CC BY 2.0 FR), ``python`` (the paragraphs of Python's manual),
    ``news-dev`` and ``news-test`` (Park, Hong, Cha 2016), ``school-dev`` and ``school-eval``
    (junior high English), the last four CC BY-SA 3.0.
    """
    check_choice("name", name, (*KOREAN_TABLES, *KOREAN_PARALLEL))
    if name in KOREAN_TABLES:
        return read_table(data_file("korean_english", KOREAN_TABLES[name], folder), columns=(1, 0))
    files = [
        data_file("korean_english", f"{KOREAN_PARALLEL[name]}.{code}.xz", folder)
        for code in ("ko", "en")
    ]
    return read_parallel(*files)


def split_by_source(pairs: Iterable[Pair], valid: int, test: int, seed: int) -> Split:
    """Split so that no source sentence is in two of the sets, and about as large as asked for.

    Sentences that differ only in case and punctuation count as one, and all their translations go
    the same way; which way depends on the sentence and the seed, not on the order of the pairs.
    A set ends with the sentence that fills it, so it may have a few pairs more than asked for.
    """
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[_letters(pair.source)].append(pair)
    names = sorted(groups, key=lambda name: hashlib.sha256(f"{seed}\t{name}".encode()).digest())
    sets: list[list[Pair]] = [[], [], []]
    for name in names:
        which = 0 if len(sets[0]) < test else 1 if len(sets[1]) < valid else 2
        sets[which] += groups[name]
    if not sets[2]:
        raise ValueError(
            f"nothing is left to train on: there are {len(groups)} different source sentences in "
            f"{sum(map(len, sets))} pairs, and valid={valid} and test={test} take all of them"
        )
    return Split(train=sets[2], valid=sets[1], test=sets[0])


def _letters(words: tuple[str, ...]) -> str:
    return " ".join(re.sub(r"[^\w\s]", "", " ".join(words).casefold()).split())


def _member(path: Path, name: str) -> str:
    """The text of one member of an archive; nothing is written to disk."""
    with ZipFile(path) as archive:
        if name not in archive.namelist():
            raise ValueError(f"{path} has no {name}; it has {', '.join(archive.namelist())}")
        size = archive.getinfo(name).file_size
        if size > LARGEST_MEMBER:
            raise ValueError(f"{path}, {name}: unpacks to {size} bytes, over {LARGEST_MEMBER}")
        return archive.read(name).decode("utf-8")
