"""What is counted: heads, hops, steps, sizes. One place that says what a count may be."""

from numbers import Integral


def check_counts(kind: str, *, least: int = 1, **counts: object) -> None:
    """Raise where something that is counted is no whole number, or too small a one.

    >>> check_counts("a tape", slots=0)
    Traceback (most recent call last):
    ValueError: a tape: slots must be 1 or more, but slots=0
    """
    for name, number in counts.items():
        if not isinstance(number, Integral) or isinstance(number, bool):
            raise TypeError(f"{kind} needs a whole number for {name}, but {name}={number!r}")
        if int(number) < least:
            raise ValueError(f"{kind}: {name} must be {least} or more, but {name}={number}")
