"""Directions as people type them, into the words of this grammar.

>>> to_words("서울역 근처 스타벅스로 가주세요.")
('서울역', '근처', '스타벅스', '로', '가', '주세요')
>>> to_words("시청은 어디에 있어요?")
('시청', '은', '어디', '에', '있어요', '?')
"""

import re
from collections.abc import Iterator
from functools import cache

from regard.tasks.directions import clauses, names, nouns, rules, steps
from regard.tasks.directions.hangul import PARTICLES
from regard.tasks.directions.phrases import Phrase, Rule


def to_words(text: str) -> tuple[str, ...]:
    """Split typed text as the grammar does: punctuation, particles and run-together words apart.

    A word that is not made of words of the grammar stays whole. Full stops, which the sentences
    here do not have, are left out.
    """
    words: list[str] = []
    for token in re.findall(r"[,?]|[^\s,?.!]+", text):
        words += _pieces(token) or (token,)
    return tuple(words)


@cache
def known_words() -> frozenset[str]:
    """Every Korean word that the grammar can say."""
    return frozenset(
        word
        for module in (names, nouns, rules, clauses, steps)
        for value in vars(module).values()
        for word in _korean(value)
    )


def _korean(value: object) -> Iterator[str]:
    """The Korean words of a phrase, of a rule, or of a table of either."""
    if isinstance(value, Phrase):
        yield from value.korean
    elif isinstance(value, Rule):
        for token in value.korean:
            if not token.startswith("{"):
                yield from PARTICLES.get(token, (token,))
    elif isinstance(value, tuple):
        for item in value:
            if not isinstance(item, str):
                yield from _korean(item)


def _pieces(text: str) -> tuple[str, ...]:
    """The known words that make up ``text``, the first as long as can be; else nothing."""
    if text in known_words():
        return (text,)
    for end in range(len(text) - 1, 0, -1):
        if text[:end] in known_words() and (rest := _pieces(text[end:])):
            return (text[:end], *rest)
    return ()
