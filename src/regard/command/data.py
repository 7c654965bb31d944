"""``regard data``."""

import json
import sys
from argparse import Namespace
from dataclasses import dataclass, field
from time import monotonic


def listing(given: Namespace) -> int:
    """Every data set, and whether it is here."""
    from regard.tasks.fetching import listing as all_of_them

    found = all_of_them()
    if given.json:
        rows = [{**each._asdict(), "folder": _text(each.folder)} for each in found]
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return 0
    for each in found:
        here = f"{each.here} of {each.files} files in {each.folder}" if each.here else "not here"
        print(f"{each.name}: {each.title}")
        print(f"  {each.size / 1e6:.1f} MB, {each.licence}, {each.homepage}")
        print(f"  {here}" + ("" if each.here else f"; get it by: regard data get {each.name}"))
    return 0


def get(given: Namespace) -> int:
    """Fetch a data set into the cache, every file checked before it is used."""
    from regard.tasks.fetching import fetch

    print(fetch(given.name, progress=Meter()))
    return 0


def check(given: Namespace) -> int:
    """Compare files with their checksums; the exit status is 1 where one is not right."""
    from regard.tasks.fetching import check as states_of
    from regard.tasks.fetching import listing as all_of_them

    names = [given.name] if given.name else [each.name for each in all_of_them() if each.here]
    states = {name: states_of(name) for name in names}
    if given.json:
        rows = {
            name: [{**each._asdict(), "path": str(each.path)} for each in found]
            for name, found in states.items()
        }
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    else:
        for name, found in states.items():
            for each in found:
                print(f"{each.state:7}  {name}/{each.file}")
        if not states:
            print("no data set is here; see: regard data list")
    return int(any(each.state != "right" for found in states.values() for each in found))


def _text(value: object) -> str | None:
    return None if value is None else str(value)


@dataclass
class Meter:
    """Says how far a download has come, a line every few seconds."""

    last: float = field(default_factory=monotonic)

    def __call__(self, file: str, done: int, size: int | None) -> None:
        now = monotonic()
        if now - self.last >= 2 or done == size:
            self.last = now
            of = "" if size is None else f" of {size / 1e6:.1f}"
            print(f"{file}: {done / 1e6:.1f}{of} MB", file=sys.stderr)
