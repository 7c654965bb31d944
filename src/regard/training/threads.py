"""How many threads torch should use, by the size of the work between two waits."""

import os
from typing import NamedTuple

import torch

from regard.cores import cores

WORTHWHILE = 16_000_000  # multiply-adds; about a third of a millisecond of one core


class Threads(NamedTuple):
    """A number of threads and, in words, why."""

    number: int
    reason: str

    def use(self) -> None:
        """Make torch use them."""
        torch.set_num_threads(self.number)


def choose_threads(work: int, cores: int | None = None) -> Threads:
    """One thread for small work, all cores of this process for large.

    ``work`` is the multiply-adds of the largest product that has to be waited for before the next
    can begin: batch x hidden x 3 hidden for a step of a GRU, batch x length x size x 4 size for a
    layer of a Transformer. Threads that meet after every small product cost more than they bring.
    Processes started side by side by ``torchrun`` split the cores.
    """
    if work < 1:
        raise ValueError(f"work must be at least 1 multiply-add, but it is {work}")
    beside = max(1, int(os.environ.get("LOCAL_WORLD_SIZE", "1")))
    cores = max(1, (available_cores() if cores is None else cores) // beside)
    size = f"{work / 1e6:.3g} million multiply-adds between two waits"
    if cores == 1:
        return Threads(1, "one thread: there is one core for this process")
    if work < WORTHWHILE:
        return Threads(1, f"one thread: {size} are too few to share out")
    return Threads(cores, f"{cores} threads: {size} are worth sharing out over all cores")


def available_cores() -> int:
    """The cores that this process may use, or as many as OMP_NUM_THREADS says."""
    wished = os.environ.get("OMP_NUM_THREADS", "")
    if wished.isdigit() and int(wished) > 0:
        return int(wished)
    return cores()
