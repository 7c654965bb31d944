"""How many cores there are to compute on."""

import os


def cores() -> int:
    """The cores that this process may use: a container or ``taskset`` may leave it fewer."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
