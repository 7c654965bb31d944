"""What stands beside the curves of several runs."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path


def apart(runs: Sequence[str], names: Sequence[str]) -> list[str]:
    """A name for each run that no other has: its own, with the folder where another has the same.

    Folders of one name are told by their whole paths, and a run that is given twice by its number.
    """
    told = list(names)
    for places in ([Path(run).name for run in runs], runs):
        often = Counter(told)
        told = [
            f"{name}, {place}" if often[one] > 1 else one
            for one, name, place in zip(told, names, places, strict=True)
        ]
    often, seen = Counter(told), Counter[str]()
    for place, one in enumerate(told):
        seen[one] += 1
        if often[one] > 1:
            told[place] = f"{one} ({seen[one]})"
    return told
