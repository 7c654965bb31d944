"""Images with captions as they are held, and the words of a caption."""

import unicodedata
import warnings
from collections.abc import Iterable
from typing import NamedTuple

from regard.tasks.pairs import Words
from regard.tasks.pictures import FolderPictures, Pictures

KEPT_AT_ENDS = "'#&%@"  # punctuation that belongs to a word: 's, #1, 50%


class Captioned(NamedTuple):
    """The name of an image, and the words of each of its captions."""

    name: str
    captions: tuple[Words, ...]


class CaptionedSplit(NamedTuple):
    """Three sets that share no image, and the images' files."""

    train: list[Captioned]
    valid: list[Captioned]
    test: list[Captioned]
    pictures: Pictures


class Entry(NamedTuple):
    """The captions of an image, where in the file they are, and in which set they are."""

    captions: list[Words]
    place: str
    part: int = 0


def caption_tokens(caption: str) -> Words:
    """The words of a caption that is tokenised: lower case, no tokens of punctuation alone.

    >>> caption_tokens("The dog 's t-shirt says : No. 1 .")
    ('the', 'dog', "'s", 't-shirt', 'says', 'no.', '1')
    """
    return words_alone(caption.lower().split())


def words_alone(tokens: Iterable[str]) -> Words:
    """The tokens that have a letter or digit: full stops, commas and quotes are dropped.

    >>> words_alone(["a", "dog", ",", "no.", "1", "."])
    ('a', 'dog', 'no.', '1')
    """
    return tuple(token for token in tokens if any(map(str.isalnum, token)))


def caption_words(caption: str) -> Words:
    """The words of a caption as people write it, without the punctuation at their ends.

    In lower case; words of punctuation alone are dropped. ``'#&%@`` stay, as in 50% or 's.

    >>> caption_words("The dog's t-shirt (50% off) says No. 1!")
    ('the', "dog's", 't-shirt', '50%', 'off', 'says', 'no', '1')
    """
    return words_alone(map(_stripped, caption.lower().split()))


def filled(caption: Words, place: str) -> Words:
    """The caption, where it has words; the error names the place in the file."""
    if not caption:
        raise ValueError(f"{place}: the caption has no words; fill it, or delete it")
    return caption


def present(known: dict[str, Entry], pictures: FolderPictures) -> list[Captioned]:
    """The images that are in their folder; a warning says how many are not, and the first."""
    missing = []
    for name, entry in known.items():
        try:
            if not pictures.has(name):
                missing.append(name)
        except ValueError as wrong:
            raise ValueError(f"{entry.place}: {wrong}") from wrong
    if missing:
        message = (
            f"{known[missing[0]].place}: there is no image {pictures.path(missing[0])}; "
            f"{len(missing)} of {len(known)} images are missing"
        )
        if len(missing) == len(known):
            raise ValueError(f"{message}, so nothing is left; name the folder that has them")
        warnings.warn(f"{message} and left out", stacklevel=3)
    gone = set(missing)
    return [
        Captioned(name, tuple(entry.captions)) for name, entry in known.items() if name not in gone
    ]


def _stripped(word: str) -> str:
    marks = {
        letter
        for letter in word
        if unicodedata.category(letter).startswith("P") and letter not in KEPT_AT_ENDS
    }
    return word.strip("".join(marks))
