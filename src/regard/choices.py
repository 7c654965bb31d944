"""What is chosen by a word: encodings, scores, parts of a corpus. One place that refuses others."""

from collections.abc import Collection


def check_choice(name: str, value: object, choices: Collection[str]) -> None:
    """Raise where a word is none of those there are.

    >>> check_choice("tying", "none", ("adjacent", "layer-wise"))
    Traceback (most recent call last):
    ValueError: tying must be one of adjacent, layer-wise, but it is 'none'
    """
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, but it is {value!r}")
