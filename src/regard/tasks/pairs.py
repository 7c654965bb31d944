"""A sentence and its translation, as words."""

from typing import NamedTuple

Words = tuple[str, ...]
Alignment = frozenset[tuple[int, int]]  # (target position, source position), counted from 0


class Pair(NamedTuple):
    """A source sentence, its translation and, where it is known, which word comes from which."""

    source: Words
    target: Words
    alignment: Alignment | None = None


class Split(NamedTuple):
    """Three sets of pairs that share no sentence."""

    train: list[Pair]
    valid: list[Pair]
    test: list[Pair]
