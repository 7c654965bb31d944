"""The run folder: all that a run leaves, enough to repeat it, to go on with it and to use it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import nn

from regard.commits import commit_of_code
from regard.files import UNFINISHED, write_whole
from regard.parameters import load_weights, save_weights
from regard.training.checkpoints import States
from regard.training.crew import Crew
from regard.training.environment import describe_environment

FILES = ("knobs.json", "environment.json", "metrics.jsonl")  # there from the first moment


class RunFolder:
    """A folder with ``knobs.json``, ``environment.json``, ``metrics.jsonl`` and ``state/``.

    ``model.safetensors`` is the best model so far by validation; the last one lies in ``state/``.
    Other files may lie beside them: a vocabulary, recordings. Made with ``create`` or ``open``.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.metrics = self.path / "metrics.jsonl"
        self.model = self.path / "model.safetensors"
        self.states = States(self.path / "state")

    @classmethod
    def create(cls, path: str | Path, knobs: Mapping[str, Any]) -> "RunFolder":
        """Begin a run, or go on with it where the folder holds one of the same knobs.

        Any other folder that is not empty is refused, and nothing in it is touched.
        """
        folder = cls(path)
        Crew.present().lead(lambda: folder._prepare(as_json(knobs)))
        return folder

    @classmethod
    def open(cls, path: str | Path) -> "RunFolder":
        """A run that is there already."""
        folder = cls(path)
        if not folder.path.is_dir():
            raise ValueError(
                f"there is no folder {str(path)!r}; a run folder is what training makes"
            )
        missing = [name for name in FILES if not (folder.path / name).is_file()]
        if missing:
            raise ValueError(
                f"{str(path)!r} is not a run folder: there is no {' and no '.join(missing)} in it; "
                f"what training makes has {', '.join(FILES)}, model.safetensors and state/"
            )
        return folder

    @property
    def knobs(self) -> dict[str, Any]:
        """The knobs that the run was begun with."""
        return _read_json(self.path / "knobs.json")

    @property
    def environment(self) -> dict[str, Any]:
        """What the run was begun on."""
        return _read_json(self.path / "environment.json")

    def begin(self) -> None:
        """Write down what the run begins on: threads are chosen after its folder was made."""
        write_whole(self.path / "environment.json", _to_text(describe_environment()))

    def go_on(self) -> None:
        """Write down which code goes on with the run, where it is another than before."""
        kept = self.environment
        commits = kept.setdefault("commits", [])
        if commits[-1:] != [commit_of_code()]:
            commits.append(commit_of_code())
            write_whole(self.path / "environment.json", _to_text(kept))

    def save_model(self, model: nn.Module) -> None:
        """Keep these weights as the best so far."""
        save_weights(model, self.model)

    def load_model(self, model: nn.Module) -> None:
        """Copy the best weights of the run into a model that was built with the same knobs."""
        load_weights(model, self.model)

    def _prepare(self, knobs: dict[str, Any]) -> bytes:
        path = self.path
        if path.exists() and not path.is_dir():
            raise ValueError(
                f"{str(path)!r} is a file, and a run needs a folder; give another name"
            )
        path.mkdir(parents=True, exist_ok=True)
        if (path / "knobs.json").is_file():
            self._compare(knobs)
        elif any(not other.name.endswith(UNFINISHED) for other in path.iterdir()):
            raise ValueError(
                f"{str(path)!r} is not empty and not a run: there is no knobs.json in it; "
                "give the name of a new folder"
            )
        else:
            write_whole(path / "knobs.json", _to_text(knobs))
        if not (path / "environment.json").is_file():
            write_whole(path / "environment.json", _to_text(describe_environment()))
        if not self.metrics.exists():
            self.metrics.touch()
        return b""

    def _compare(self, knobs: dict[str, Any]) -> None:
        there = self.knobs
        if there == knobs:
            return
        names = [name for name in sorted(there | knobs) if there.get(name) != knobs.get(name)]
        changes = ", ".join(
            f"{name}={there.get(name)!r}, now {knobs.get(name)!r}" for name in names
        )
        raise ValueError(
            f"{str(self.path)!r} holds a run of other knobs ({changes}); give the name of a new "
            "folder, or the knobs that it was begun with"
        )


def as_json(knobs: Mapping[str, Any]) -> dict[str, Any]:
    """The knobs as they come back from JSON, tuples as lists."""
    return json.loads(json.dumps(dict(knobs)))


def _to_text(content: dict[str, Any]) -> bytes:
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()


def _read_json(path: Path) -> dict[str, Any]:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{str(path)!r} is not the JSON that training wrote: {error}") from error
