"""Independent pieces of work, spread over as many threads as torch may use.

Compiled kernels let go of Python's lock, so threads really run side by side. The pieces are cut by
the sizes of the tensors alone and never by the number of threads; hence neither are the results.
"""

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import torch

WORTHWHILE = 4_000_000  # terms; below about a millisecond of work, waking threads costs more

_pools: dict[int, ThreadPoolExecutor] = {}  # by size; idle threads cost next to nothing
_making = threading.Lock()
_inside = threading.local()


def _forget_pools() -> None:
    """Let a forked child (a DataLoader worker) start afresh: it has none of these threads."""
    global _making  # noqa: PLW0603
    _pools.clear()
    _making = threading.Lock()


if hasattr(os, "register_at_fork"):  # Windows never forks
    os.register_at_fork(after_in_child=_forget_pools)


def _settle(threads: int) -> None:
    """Make torch use one thread inside this worker.

    ``torch.set_num_threads`` acts on the calling thread and on threads yet to be born; a
    short-lived thread therefore sets the latter back.
    """
    _inside.worker = True
    torch.get_num_threads()  # a thread's first question overwrites what was set before it
    torch.set_num_threads(1)
    restorer = threading.Thread(target=torch.set_num_threads, args=(threads,))
    restorer.start()
    restorer.join()


def _workers(threads: int) -> ThreadPoolExecutor:
    with _making:
        if threads not in _pools:
            pool = ThreadPoolExecutor(
                threads, "regard-kernels", initializer=_settle, initargs=(threads,)
            )
            # All settle before any works: one that came late would change the number for threads
            # that are born while it settles.
            settled = threading.Barrier(threads)
            list(pool.map(lambda _: settled.wait(), range(threads)))
            _pools[threads] = pool
        return _pools[threads]


def _work_in(inference: bool, work: Callable[[int], None], piece: int) -> None:
    """Work in the caller's modes, which belong to a thread and are not inherited."""
    with torch.inference_mode(inference), torch.no_grad(), torch.autocast("cpu", enabled=False):
        work(piece)


def spread(work: Callable[[int], None], pieces: int, terms: int) -> None:
    """Call ``work(0)`` ... ``work(pieces - 1)``, side by side when all the ``terms`` are many."""
    threads, inference = torch.get_num_threads(), torch.is_inference_mode_enabled()
    if min(threads, pieces) < 2 or terms < WORTHWHILE or getattr(_inside, "worker", False):
        for piece in range(pieces):
            _work_in(inference, work, piece)
        return
    pool = _workers(threads)
    futures = [pool.submit(_work_in, inference, work, piece) for piece in range(pieces)]
    for future in futures:
        future.result()
