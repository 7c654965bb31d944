"""How a grid of scores is cut, so that a tile of it stays in the processor's cache.

The cuts follow from the sizes alone, never from the number of threads: a piece is worked on by one
thread, tile after tile, and the sums of pieces are added in their order.
"""

from typing import NamedTuple

TILE = 32_768  # scores; 128 kB in float32, a quarter of a common second-level cache


class Piece(NamedTuple):
    """Some elements of the batch, and the tiles of query rows in which they are worked off."""

    number: int
    batch: slice
    tiles: list[slice]


def cut(batch: int, query: int, key: int) -> list[Piece]:
    """Several whole batch elements to a piece where they are small, else rows of one element."""
    together = max(1, TILE // max(1, query * key))
    rows = max(4, TILE // max(1, key) // 4 * 4)  # kernels take four queries at a time
    tiles = [slice(first, min(first + rows, query)) for first in range(0, query, rows)]
    return [
        Piece(number, slice(first, min(first + together, batch)), tiles)
        for number, first in enumerate(range(0, batch, together))
    ]
