"""What a run keeps of its data: the entries of its languages, and a digest of its pairs."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from regard.files import write_whole
from regard.recipes.spelling import Spelling
from regard.tasks import Encoding, Pair, encoding_from_json


def keep_digest(folder: Path, name: str, pairs: Sequence[Pair]) -> None:
    """Note which pairs a run goes by, and stop where they are others than before."""
    found = digest(pairs)
    path = folder / f"{name}_pairs.sha256"
    if not path.is_file():
        write_whole(path, (found + "\n").encode())
    elif path.read_text(encoding="utf-8").strip() != found:
        raise ValueError(
            f"the {name} pairs are not those that the run in {folder} began with; bring them "
            "back, or begin a new run"
        )


def digest(pairs: Sequence[Pair]) -> str:
    """The sha256 of all pairs in their order."""
    total = hashlib.sha256()
    for pair in pairs:
        total.update(f"{' '.join(pair.source)}\t{' '.join(pair.target)}\n".encode())
    return total.hexdigest()


def keep_entries(path: Path, spelling: Spelling, sentences: Iterable[Sequence[str]]) -> Encoding:
    """The entries that are there already; else those of the sentences, which are written there."""
    if path.is_file():
        return read_entries(path)
    found = spelling.learn(sentences)
    write_whole(path, json.dumps(found.to_json(), ensure_ascii=False).encode())
    return found


def read_entries(path: Path) -> Encoding:
    """The entries of a run."""
    if not path.is_file():
        raise ValueError(f"there is no file {path}; a run that was begun has its entries there")
    try:
        return encoding_from_json(json.loads(path.read_text(encoding="utf-8")))
    except Exception as problem:  # tokenizers raises plain exceptions
        raise ValueError(f"{path} is not what training wrote: {problem}") from problem
