"""Running text: every recipe is a language model, a text and a course."""

from regard.recipes.language.course import Descending
from regard.recipes.language.data import OwnText, Treebank
from regard.recipes.language.recipe import LanguageModelling
from regard.recipes.language.systems import MemoryLanguageSystem

# End-To-End Memory Networks, Sukhbaatar et al. 2015, table 2: hops and slots, then valid and test.
_PAPER = {
    (2, 100): (128, 121), (3, 100): (129, 122), (4, 100): (127, 120), (5, 100): (127, 118),
    (6, 100): (122, 115), (7, 100): (120, 114), (6, 25): (125, 118), (6, 50): (121, 114),
    (6, 75): (122, 114), (6, 125): (120, 112), (6, 150): (121, 114), (7, 200): (118, 111),
}  # fmt: skip

LANGUAGE: dict[str, LanguageModelling] = {
    "memn2n-ptb": LanguageModelling(
        "the next word of the Penn Treebank, with hops over the words before it",
        MemoryLanguageSystem(),
        Treebank(),
        Descending(),
        published=_PAPER,
    ),
    "memn2n-text": LanguageModelling(
        "the next word of your own text, with hops over the words before it: --train FILE",
        MemoryLanguageSystem(hops=3, slots=50, size=64, straight=32),
        OwnText(),
        Descending(),
    ),
}
