"""Letters of every script in matplotlib's pictures, as far as a font for them is installed."""

import unicodedata
import warnings
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from matplotlib.font_manager import FontEntry

BOX = "\u25a1"  # drawn in the place of a letter that no font has
NAMED = 12  # letters that a warning names
KOREAN = "NanumGothic (apt install fonts-nanum) or Noto Sans CJK KR"
EASTERN = "Noto Sans CJK (apt install fonts-noto-cjk)"
INSTALL = {
    "HANGUL": KOREAN,
    "CJK": EASTERN,
    "HIRAGANA": EASTERN,
    "KATAKANA": EASTERN,
}
ELSE = "a Noto font of that script, from https://fonts.google.com/noto"


class Fonts(NamedTuple):
    """The fonts for some words, the usual one first, and the letters that none of them has."""

    families: list[str]
    missing: frozenset[str]

    def drawable(self, word: str) -> str:
        """Put a box in the place of each missing letter, as matplotlib would, without a warning."""
        return "".join(BOX if letter in self.missing else letter for letter in word)


def choose_fonts(words: Iterable[str]) -> Fonts:
    """Choose the fewest installed fonts that have the letters of these words.

    What the usual font lacks is looked up letter by letter in all others; the font that has most of
    it comes first, so that the words of a language look alike. Where none has a letter, one warning
    for each script says so and what to install.
    """
    import matplotlib

    families = list(matplotlib.rcParams["font.family"])
    lacking = frozenset("".join(words)) - _usual(tuple(families))
    for scan in (False, True):
        fonts = _upright(scan) if lacking else []
        while fonts and lacking:
            best = max(fonts, key=lambda font: len(lacking & _letters(font.fname)))
            if not lacking & _letters(best.fname):
                break
            families.append(best.name)
            lacking -= _letters(best.fname)
    for script in sorted({_script(letter) for letter in lacking}):
        _warn(script, "".join(sorted(one for one in lacking if _script(one) == script))[:NAMED])
    return Fonts(families, lacking)


def _upright(scan: bool) -> "list[FontEntry]":
    """The fonts that are neither bold nor slanted; a scan finds those installed only lately."""
    from matplotlib import font_manager

    manager = font_manager.fontManager
    known = {entry.fname for entry in manager.ttflist}
    for path in sorted(set(font_manager.findSystemFonts()) - known) if scan else ():
        try:
            manager.addfont(path)
        except (OSError, RuntimeError, UnicodeDecodeError):
            continue  # a file that cannot be read has no letters
    return [
        entry
        for entry in manager.ttflist
        if entry.style == "normal"
        and entry.weight in (400, "normal", "regular")
        and not entry.name.startswith("Last Resort")  # has every letter, as an empty box
    ]


def _usual(families: tuple[str, ...]) -> frozenset[str]:
    from matplotlib import font_manager

    wanted = font_manager.FontProperties(family=list(families))
    return _letters(str(font_manager.findfont(wanted)))


@cache
def _letters(path: str) -> frozenset[str]:
    """The letters that a font file has a picture of."""
    from matplotlib import font_manager

    return frozenset(map(chr, font_manager.get_font(path).get_charmap()))


def _script(letter: str) -> str:
    return unicodedata.name(letter, "unnamed letter").split()[0]


_warned: set[str] = set()


def _warn(script: str, letters: str) -> None:
    """Say once for each script which letters are missing, and what to install."""
    if script in _warned:
        return
    warnings.warn(
        f"no installed font has the letters {' '.join(letters)} ({script.lower()}), so they are "
        f"drawn as {BOX}; install {INSTALL.get(script, ELSE)}, and draw again",
        stacklevel=2,
    )
    _warned.add(script)  # after the warning, which may be an error
