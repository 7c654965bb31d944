"""Checkpoints: written whole or not at all, two generations deep, and never a pickle.

``state/000007/`` holds ``tensors.safetensors`` and ``rest.json``, which has the checksums of both.
A generation is written under another name and moved to its own in one go, so a kill at any moment
leaves the one before; a file that was cut short later is noticed by its checksum.
"""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import safetensors.torch
from safetensors import SafetensorError
from torch import Tensor

from regard.files import UNFINISHED, settle, write_durably

TENSORS = "tensors.safetensors"
REST = "rest.json"
FORMAT = 1  # of rest.json; another number is another meaning


class CheckpointError(ValueError):
    """A checkpoint that is there and cannot be used."""


class Checkpoint(NamedTuple):
    """All that a run needs to go on: named tensors, and the rest as JSON has it."""

    tensors: dict[str, Tensor]
    rest: dict[str, Any]


class Packed(NamedTuple):
    """A checkpoint as the bytes of its two files."""

    tensors: bytes
    rest: bytes


def pack(checkpoint: Checkpoint) -> Packed:
    """The two files of a checkpoint, the second with the checksums of both."""
    tensors = safetensors.torch.save(checkpoint.tensors)
    content = {
        "format": FORMAT,
        "tensors": {"bytes": len(tensors), "sha256": hashlib.sha256(tensors).hexdigest()},
        "rest": checkpoint.rest,
    }
    whole = {"sha256": _checksum(content), **content}
    return Packed(tensors, (json.dumps(whole, indent=1) + "\n").encode())


def unpack(packed: Packed) -> Checkpoint:
    """The checkpoint of two files; ``CheckpointError`` says what is wrong with which."""
    try:
        content = json.loads(packed.rest)
        checksum = content.pop("sha256")
        written, rest = content["tensors"], content["rest"]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise CheckpointError(f"{REST} is cut short or not what was written") from None
    if checksum != _checksum(content):
        raise CheckpointError(f"{REST} is not what was written: its checksum differs")
    if content["format"] != FORMAT:
        raise CheckpointError(
            f"{REST} is of format {content['format']}, but this version of regard reads {FORMAT}"
        )
    if len(packed.tensors) != written["bytes"]:
        raise CheckpointError(
            f"{TENSORS} has {len(packed.tensors)} of the {written['bytes']} bytes that were written"
        )
    if hashlib.sha256(packed.tensors).hexdigest() != written["sha256"]:
        raise CheckpointError(f"{TENSORS} is not what was written: its checksum differs")
    try:
        return Checkpoint(safetensors.torch.load(packed.tensors), rest)
    except SafetensorError as error:
        raise CheckpointError(f"{TENSORS} cannot be read: {error}") from error


class States:
    """The checkpoints of a run, newest last."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.good: Path | None = None  # the generation read or written last

    def generations(self) -> list[Path]:
        """What looks like a checkpoint, whole or not, oldest first."""
        if not self.folder.is_dir():
            return []
        found = [path for path in self.folder.iterdir() if path.name.isdecimal()]
        return sorted(found, key=lambda path: int(path.name))

    def write(self, packed: Packed) -> Path:
        """Add a generation; this one and the last good one stay, older ones go."""
        older = self.generations()
        self.folder.mkdir(exist_ok=True)
        place = self.folder / f"{int(older[-1].name) + 1 if older else 0:06}"
        unfinished = self.folder / f"{place.name}{UNFINISHED}"
        self._sweep()
        try:
            unfinished.mkdir()
            write_durably(unfinished / TENSORS, packed.tensors)
            write_durably(unfinished / REST, packed.rest)
            settle(unfinished)
            unfinished.rename(place)
        except OSError:
            self._sweep()
            raise
        settle(self.folder)
        for path in older:
            if path != self.good:
                shutil.rmtree(path)
        self.good = place
        return place

    def read(self) -> tuple[Packed | None, list[str]]:
        """The newest generation that is whole, and what was wrong with newer ones.

        None where nothing was ever saved; an error where something was and nothing is whole.
        """
        problems: list[str] = []
        for path in reversed(self.generations()):
            try:
                packed = Packed((path / TENSORS).read_bytes(), (path / REST).read_bytes())
                unpack(packed)
            except FileNotFoundError as error:
                problems.append(f"{path}: there is no {Path(error.filename).name}")
            except CheckpointError as error:
                problems.append(f"{path}: {error}")
            else:
                self.good = path
                return packed, problems
        if problems:
            raise CheckpointError(
                f"no checkpoint in {str(self.folder)!r} is whole, so this run cannot go on: "
                f"{'; '.join(problems)}. Begin again in another folder"
            )
        return None, []

    def _sweep(self) -> None:
        """Remove what a kill left half-written."""
        for path in self.folder.glob(f"*{UNFINISHED}"):
            shutil.rmtree(path, ignore_errors=True)


def _checksum(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
