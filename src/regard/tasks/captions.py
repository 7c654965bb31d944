"""Images with captions: Flickr8k, and the user's own folder with a table or a Karpathy JSON.

Words are in lower case. Those of Flickr8k are its tokens as they stand there ("dog", "'s",
"t-shirt", ","), full stops among them, as in the references that come with the code of Show, Attend
and Tell (which keep capitals); those of a JSON's "tokens" likewise, and those of other text what
stands between spaces, less the punctuation at either end of it, both without the tokens that have
no letter or digit. Scores are counted over these words, of references and of candidates alike.
"""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

from regard.tasks.captioned import (
    Captioned,
    CaptionedSplit,
    Entry,
    caption_tokens,
    caption_words,
    filled,
    present,
)
from regard.tasks.files import read_lines
from regard.tasks.folders import data_file
from regard.tasks.pairs import Words
from regard.tasks.pictures import FolderPictures, PackedPictures

FLICKR8K_PARTS = ("train", "dev", "test")
NUMBERED = re.compile(r"(.+\.\w+)#\d+")  # image.jpg#3, the image's caption number 3
SPLITS = {"train": 0, "restval": 0, "val": 1, "test": 2}  # of a Karpathy JSON
SHARE = 0.1  # of the images of a table that go to valid, and to test


def flickr8k(folder: str | Path | None = None) -> CaptionedSplit:
    """8,000 photos of people and dogs with five captions each: 6,000, 1,000 and 1,000.

    Framing Image Description as a Ranking Task, Hodosh, Young, Hockenmaier 2013, with its own
    sets; its dev is ``valid``. https://doi.org/10.1613/jair.3994 The photos are small ones, 160
    pixels along the shorter side. Words: the tokens of ``Flickr8k.token.txt`` in lower case, the
    full stop, commas and quotes among them.
    """
    known = _table(data_file("flickr8k", "Flickr8k.token.txt", folder), _as_they_stand)
    sets = []
    for part in FLICKR8K_PARTS:
        path = data_file("flickr8k", f"Flickr_8k.{part}Images.txt", folder)
        names = list(map(str.strip, read_lines(path)))
        lost = [name for name in names if name not in known]
        if lost:
            raise ValueError(f"{path}: {len(lost)} images have no captions, the first is {lost[0]}")
        sets.append([Captioned(name, tuple(known[name].captions)) for name in names])
    files = [data_file("flickr8k", f"images_{part}.npz", folder) for part in FLICKR8K_PARTS]
    train, valid, test = sets
    return CaptionedSplit(train, valid, test, PackedPictures(files))


def read_captions(file: str | Path, images: str | Path) -> CaptionedSplit:
    """The user's own images and captions: a Karpathy JSON, or else a table."""
    reader = read_karpathy if Path(file).suffix.lower() == ".json" else read_caption_table
    return reader(file, images)


def read_test_captions(file: str | Path, images: str | Path) -> CaptionedSplit:
    """Captioned images to test on: the test set of a Karpathy JSON, or all of a table."""
    if Path(file).suffix.lower() == ".json":
        _, _, test, pictures = read_karpathy(file, images)
        if not test:
            raise ValueError(f'{file}: no image is of the split "test"; name those to test on so')
    else:
        test, _, _, pictures = read_caption_table(file, images, valid=0.0, test=0.0)
    return CaptionedSplit([], [], test, pictures)


def read_caption_table(
    file: str | Path,
    images: str | Path,
    valid: float = SHARE,
    test: float = SHARE,
    seed: int = 0,
) -> CaptionedSplit:
    """Captions from a table: on each line an image's name, a tab and a caption of it.

    An image has as many lines as captions. Names may end in ``#0``, ``#1`` and so on, as in the
    files of Flickr8k and Flickr30k. ``valid`` and ``test`` are shares of the images, one at least
    unless the share is 0; which images depends on their names and the seed, not on the order of
    the lines.
    """
    if not (valid >= 0 and test >= 0 and valid + test < 1):
        raise ValueError(
            f"valid and test are shares of the images, less than 1 together, but valid={valid} "
            f"and test={test}"
        )
    path, pictures = Path(file), FolderPictures(images)
    found = present(_table(path, caption_words), pictures)
    found.sort(key=lambda each: hashlib.sha256(f"{seed}\t{each.name}".encode()).digest())
    counts = [max(1, round(share * len(found))) if share else 0 for share in (test, valid)]
    if sum(counts) >= len(found):
        raise ValueError(
            f"{path}: nothing is left to train on: test and valid take {sum(counts)} of "
            f"{len(found)} images"
        )
    first, second = counts[0], sum(counts)
    return CaptionedSplit(found[second:], found[first:second], found[:first], pictures)


def read_karpathy(file: str | Path, images: str | Path) -> CaptionedSplit:
    """Captions and their split from a JSON in the form of Karpathy's.

    Deep Visual-Semantic Alignments for Generating Image Descriptions, Karpathy, Fei-Fei 2015,
    https://arxiv.org/abs/1412.2306, whose splits of Flickr8k, Flickr30k and COCO most papers use:
    ``{"images": [{"filename", "split", "sentences": [{"tokens"} or {"raw"}], "filepath"?}]}``.
    The split restval is part of train, and val is ``valid``.
    """
    path, pictures = Path(file), FolderPictures(images)
    known: dict[str, Entry] = {}
    for number, image in enumerate(_images(path), 1):
        place = f"{path}, image {number}"
        name, entry = _karpathy_image(image, place)
        if name in known:
            raise ValueError(f"{place}: {name} is there already, in {known[name].place}")
        known[name] = entry
    sets: list[list[Captioned]] = [[], [], []]
    for captioned in present(known, pictures):
        sets[known[captioned.name].part].append(captioned)
    train, valid, test = sets
    return CaptionedSplit(train, valid, test, pictures)


def _as_they_stand(caption: str) -> Words:
    return tuple(caption.lower().split())


def _table(path: Path, split: Callable[[str], Words]) -> dict[str, Entry]:
    known: dict[str, Entry] = {}
    for number, line in enumerate(read_lines(path), 1):
        place = f"{path}, line {number}"
        cells = line.split("\t")
        if len(cells) != 2 or not cells[0].strip():
            raise ValueError(
                f"{place}: each line is the name of an image, one tab and a caption, but this one "
                f"has {len(cells)} column{'s' * (len(cells) != 1)}: {line[:60]!r}"
            )
        name = PurePosixPath(cells[0].strip()).as_posix()  # ./image.jpg is image.jpg
        numbered = NUMBERED.fullmatch(name)
        entry = known.setdefault(numbered[1] if numbered else name, Entry([], place))
        entry.captions.append(filled(split(cells[1]), place))
    return known


def _images(path: Path) -> list[Any]:
    """The images that a JSON lists."""
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    content = path.read_bytes()
    try:
        table = json.loads(content)
    except json.JSONDecodeError as wrong:
        raise ValueError(
            f"{path}, line {wrong.lineno}: not valid JSON ({wrong.msg}, column {wrong.colno})"
        ) from wrong
    except UnicodeDecodeError as wrong:
        line = content.count(b"\n", 0, wrong.start) + 1
        raise ValueError(
            f"{path}, line {line}: byte 0x{content[wrong.start]:02x} is not UTF-8; save the file "
            "as UTF-8"
        ) from wrong
    except RecursionError as wrong:
        raise ValueError(f"{path} is nested too deeply to be captions") from wrong
    images = table.get("images") if isinstance(table, dict) else None
    if not isinstance(images, list) or not images:
        raise ValueError(
            f'{path} needs a list "images" with one image or more, as Karpathy\'s files have, but '
            f"it is {_told(table)}"
        )
    return images


def _karpathy_image(image: Any, place: str) -> tuple[str, Entry]:
    if not isinstance(image, dict) or not isinstance(image.get("filename"), str):
        raise ValueError(f'{place}: an image needs a "filename", but this is {_told(image)}')
    name = (PurePosixPath(str(image.get("filepath") or "")) / image["filename"]).as_posix()
    place = f"{place} ({name})"
    split = image.get("split")
    if not isinstance(split, str) or split not in SPLITS:
        raise ValueError(
            f'{place}: "split" must be one of {", ".join(SPLITS)}, but it is {split!r}'
        )
    sentences = image.get("sentences")
    if not isinstance(sentences, list) or not sentences:
        raise ValueError(f'{place}: "sentences" must be a list of captions, one or more')
    captions = [filled(_sentence(sentence, place), place) for sentence in sentences]
    return name, Entry(captions, place, SPLITS[split])


def _sentence(sentence: Any, place: str) -> Words:
    found = sentence if isinstance(sentence, dict) else {}
    listed, raw = found.get("tokens"), found.get("raw")
    if isinstance(listed, list) and all(isinstance(token, str) for token in listed):
        return caption_tokens(" ".join(listed))
    if isinstance(raw, str):
        return caption_words(raw)
    raise ValueError(
        f'{place}: a sentence needs "tokens", a list of words, or "raw", a text, but this is '
        f"{_told(sentence)}"
    )


def _told(value: Any) -> str:
    """What a piece of JSON is, in a few words."""
    if isinstance(value, dict):
        return f"an object with {', '.join(map(repr, list(value)[:8])) or 'nothing'}"
    return f"a list of {len(value)}" if isinstance(value, list) else repr(value)[:60]
