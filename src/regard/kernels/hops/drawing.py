"""Examples and times by chance: the same in machine code and in Python, so that both learn alike.

Numbers come from two small generators side by side, whose products fit into 64 bits: Efficient and
Portable Combined Random Number Generators, L'Ecuyer 1988, https://doi.org/10.1145/62959.62969
The state is an array of two numbers, changed in place: who keeps it can go on where it was.
"""

from math import ceil
from typing import Any

import numpy

FIRST, SECOND = 2147483563, 2147483399


def seeded(seed: int) -> Any:
    """The state that a seed begins with."""
    words = numpy.random.SeedSequence(seed).generate_state(2, numpy.uint64)
    return (words % numpy.array([FIRST - 1, SECOND - 1], numpy.uint64) + 1).astype(numpy.int64)


def draw(state: Any, limit: int) -> int:
    """A whole number from 0 to ``limit - 1``."""
    state[0] = state[0] * 40014 % FIRST
    state[1] = state[1] * 40692 % SECOND
    return (state[0] - state[1]) % (FIRST - 1) % limit


def draw_examples(state: Any, total: int, chosen: Any) -> None:
    """Choose examples, with replacement."""
    for b in range(len(chosen)):
        chosen[b] = draw(state, total)


def draw_gaps(state: Any, count: int, noise: float, gaps: Any) -> int:
    """Which times are left out between ``count`` sentences, the highest first; how many they are.

    Up to ``ceil(noise count)``, any choice being as likely as any other (Floyd's way to draw a
    subset); ``gaps`` is room for them.
    """
    extra = draw(state, ceil(count * noise) + 1) if noise > 0 and count > 0 else 0
    for g in range(extra):
        gap, at = draw(state, count + g + 1) + 1, g
        for other in range(g):
            if gaps[other] == gap:
                gap = count + g + 1
        while at > 0 and gaps[at - 1] < gap:
            gaps[at] = gaps[at - 1]
            at -= 1
        gaps[at] = gap
    return extra


def draw_times(state: Any, count: int, noise: float, slots: int, times: Any, gaps: Any) -> None:
    """When each of ``count`` sentences was said, the earliest first; 1 is the latest time.

    With noise, there are gaps between them, and none is later than ``slots``.
    """
    extra = draw_gaps(state, count, noise, gaps)
    time, g = count + extra, 0
    for i in range(count):
        while g < extra and gaps[g] == time:
            time -= 1
            g += 1
        times[i] = min(time, slots)
        time -= 1


PARTS = draw, draw_examples, draw_gaps, draw_times
