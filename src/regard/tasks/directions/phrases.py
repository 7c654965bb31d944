"""Constituents in two languages at once, and the rules that put them together.

A rule is two lines of words, one for each language. ``{slot}`` takes a phrase; ``~word`` is a
Korean word that nothing in the English comes from; particles are written as in a grammar,
``(으)로``, and take the form that fits. An English word belongs to the one Korean word of its rule
that is not silent, or else says which: ``please=주세요``; ``as_far_as=까지`` is three words, and
``the={noun}`` comes from the first word in a slot.

>>> near = Rule("{anchor} 근처 {head}", "{head} near {anchor}")
>>> goal = Rule("{place} (으)로", "to {place}")
>>> phrase = goal(place=near(anchor=word("서울역", "Seoul station"), head=word("카페", "the cafe")))
>>> " ".join(phrase.korean), " ".join(phrase.english)
('서울역 근처 카페 로', 'to the cafe near Seoul station')
>>> sorted(phrase.links)
[(0, 3), (1, 2), (2, 2), (3, 1), (4, 0), (5, 0)]
"""

from typing import NamedTuple

from regard.tasks.directions.hangul import PARTICLES, particle


class Phrase(NamedTuple):
    """Words of both languages, and which English word each Korean word makes appear."""

    korean: tuple[str, ...]
    english: tuple[str, ...]
    links: frozenset[tuple[int, int]]  # (English position, Korean position)
    silent: frozenset[int]  # the Korean positions that are declared to have no English word


EMPTY = Phrase((), (), frozenset(), frozenset())


def word(korean: str, english: str) -> Phrase:
    """One Korean word and all the English words that it stands for."""
    words = tuple(english.split())
    links = frozenset((position, 0) for position in range(len(words)))
    return Phrase((korean,), words, links, frozenset())


class Rule:
    """How the parts of a phrase are ordered in each language, and the words that join them."""

    def __init__(self, korean: str, english: str) -> None:
        marked = korean.split()
        self.korean = [token.removeprefix("~") for token in marked]
        self.silent = {token[1:] for token in marked if token.startswith("~")}
        literals = [token for token in self.korean if not token.startswith("{")]
        speaking = [token for token in literals if token not in self.silent]
        self.english = [_owned(token, speaking) for token in english.split()]
        self.text = f"{korean} -> {english}"
        owners = {owner for words, owner in self.english if words}
        slots = sorted(set(self.korean) - set(literals))
        shown = sorted(owner for words, owner in self.english if not words)
        once = len(set(self.korean)) == len(self.korean) and slots == shown
        if not once or not set(speaking) <= owners <= {*speaking, *slots}:
            raise ValueError(
                f"in the rule {self.text!r} each slot and each Korean word must appear once, and "
                "each Korean word make an English one appear or be marked ~silent"
            )

    def __repr__(self) -> str:
        return f"Rule({self.text!r})"

    def __call__(self, **parts: Phrase) -> Phrase:
        """Put phrases into the slots."""
        korean: list[str] = []
        starts: dict[str, int] = {}
        silent: set[int] = set()
        for token in self.korean:
            starts[token] = len(korean)
            if token.startswith("{"):
                part = parts[token[1:-1]]
                silent |= {len(korean) + position for position in part.silent}
                korean += part.korean
                continue
            if token in self.silent:
                silent.add(len(korean))
            korean.append(particle(token, korean[-1]) if token in PARTICLES else token)
        english: list[str] = []
        links: set[tuple[int, int]] = set()
        for words, owner in self.english:
            part = parts[owner[1:-1]] if not words else word(owner, " ".join(words))
            links |= {(len(english) + to, starts[owner] + origin) for to, origin in part.links}
            english += part.english
        return Phrase(tuple(korean), tuple(english), frozenset(links), frozenset(silent))


def _owned(token: str, speaking: list[str]) -> tuple[tuple[str, ...], str]:
    """The English words of a token, and the Korean word or the slot that they come from."""
    if token.startswith("{"):
        return (), token
    words, _, owner = token.partition("=")
    if not owner and len(speaking) == 1:
        owner = speaking[0]
    return tuple(words.split("_")), owner
