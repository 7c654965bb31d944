"""Time and memory of two ways to do the same thing, interleaved in one process, one thread."""

import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

Work = Callable[[], object]
SECONDS = 6.0  # for each comparison
FEWEST = 5  # rounds at least


@dataclass(frozen=True)
class Comparison:
    """One row of the table: a peer's way, ours, and the ratio to reach.

    ``ratio`` is peer / ours where we mean to be faster ("at least"), ours / peer where we mean to
    cost little more ("at most"). ``make`` sets up and gives both; ``environment`` is set before
    torch is imported. Without the package that it ``needs`` a row is left out.
    """

    name: str
    peer: str
    make: Callable[[], tuple[Work, Work]]
    at_least: float | None = None
    at_most: float | None = None
    environment: tuple[tuple[str, str], ...] = ()
    kind: str = "time"
    needs: str | None = None


def times(peer: Work, ours: Work) -> tuple[float, float]:
    """Median CPU seconds of either, measured in turns so that both meet the same machine."""
    for work in (peer, ours, peer, ours):
        work()  # compiled, allocated, warm
    taken: tuple[list[float], list[float]] = ([], [])
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS or len(taken[0]) < FEWEST:
        for work, seconds in zip((peer, ours), taken, strict=True):
            before = time.process_time()
            work()
            seconds.append(time.process_time() - before)
    return statistics.median(taken[0]), statistics.median(taken[1])


def peak_memory(work: Work) -> float:
    """Megabytes that the work adds to the most that the process has ever held."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work()
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
