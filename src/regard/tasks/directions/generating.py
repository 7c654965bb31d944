"""Pairs of sentences without end, and sets of them that share no sentence."""

from collections.abc import Iterator
from itertools import islice
from random import Random

from regard.tasks.directions.sentences import sentence
from regard.tasks.pairs import Pair, Split

SHORTEST = 3  # 시청 으로 가자
USUAL = 8  # words that a sentence has on average beyond the shortest
PATIENCE = 2_000  # sentences drawn without finding a new one before giving up

# The lectures' own example.
LECTURE = Pair(
    ("서울역", "근처", "스타벅스", "로", "가자"),
    ("Let's", "go", "to", "Starbucks", "near", "Seoul", "station"),
    frozenset({(0, 4), (1, 4), (2, 3), (3, 2), (4, 1), (5, 0), (6, 0)}),
)


def endless(
    seed: int, longest: int | None = None, shortest: int | None = None, usual: int = USUAL
) -> Iterator[Pair]:
    """Pairs one after the other; sentences may come back, short ones the sooner.

    ``longest`` and ``shortest`` count the words of the Korean side. Lengths fall off
    exponentially from the shortest on, by ``usual`` words on average, so that most sentences are
    of a usual length and any length comes at last. The same seed gives the same pairs on every
    machine.
    """
    least = SHORTEST if shortest is None else shortest
    if least < 1:
        raise ValueError(f"shortest is a number of words, 1 or more, but shortest={shortest}")
    if longest is not None and longest < max(least, SHORTEST):
        raise ValueError(
            f"longest must leave room for a sentence, but longest={longest} and "
            f"shortest={shortest}; a sentence has {SHORTEST} words or more"
        )
    random = Random(seed)
    while True:
        room = least + int(random.expovariate(1 / usual))
        if longest is not None and room > longest:
            continue
        phrase = sentence(random, room)
        if least <= len(phrase.korean) and (longest is None or len(phrase.korean) <= longest):
            yield Pair(phrase.korean, phrase.english, phrase.links)


def generate(
    count: int, seed: int, longest: int | None = None, shortest: int | None = None
) -> list[Pair]:
    """The first ``count`` pairs of ``endless``; a sentence may be among them twice."""
    return list(islice(endless(seed, longest, shortest), count))


def split(
    train: int,
    valid: int,
    test: int,
    seed: int,
    longest: int | None = None,
    shortest: int | None = None,
    usual: int = USUAL,
) -> Split:
    """Three lists of pairs, no sentence twice in any of them, and the lectures' in none.

    The test is filled first and training last, so that more training, or training by sentences of
    another ``usual`` length, leaves the other two as they were.
    """
    seen = {LECTURE.source}
    new = _distinct(endless(seed, longest, shortest), seen)
    tested = list(islice(new, test))
    validated = list(islice(new, valid))
    if usual != USUAL:
        new = _distinct(endless(seed, longest, shortest, usual), seen)
    return Split(list(islice(new, train)), validated, tested)


def _distinct(pairs: Iterator[Pair], seen: set[tuple[str, ...]]) -> Iterator[Pair]:
    """Each sentence once, those in ``seen`` never."""
    misses = 0
    for pair in pairs:
        if pair.source not in seen:
            seen.add(pair.source)
            misses = 0
            yield pair
            continue
        misses += 1
        if misses > PATIENCE:
            raise ValueError(
                f"no new sentence came up after {len(seen)} different ones; "
                "ask for fewer pairs, or let sentences be longer (longest=...)"
            )
