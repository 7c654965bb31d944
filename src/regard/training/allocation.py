"""Memory that is kept for the next step instead of being given back and asked for again."""

import ctypes
import platform

M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_MAX = -1, -2, -4  # of malloc.h
NEVER = 2**31 - 1
SLACK = 256 * 2**20


def keep_memory() -> bool:
    """Ask the C library to keep freed memory; whether it is one that can be asked (glibc).

    By default every large tensor is mapped afresh and cleared page by page by the kernel: for a
    small Transformer on one core that was a quarter of each training step.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    library = ctypes.CDLL(None)
    wishes = ((M_MMAP_MAX, 0), (M_TRIM_THRESHOLD, NEVER), (M_TOP_PAD, SLACK))
    return all(library.mallopt(name, value) == 1 for name, value in wishes)
