"""What was measured: a line of JSON for each measurement, and TensorBoard where it is wanted."""

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from regard.files import write_whole

Line = Mapping[str, Any]


class Journal(ABC):
    """A place for measurements. ``begin`` once, ``add`` in the order of the steps, ``close``."""

    @abstractmethod
    def begin(self, folder: Path, step: int) -> None:
        """Go on after ``step`` in a run folder; what was measured later is forgotten."""

    @abstractmethod
    def add(self, line: Line) -> None:
        """Keep one measurement."""

    @abstractmethod
    def settle(self) -> None:
        """Wait until the disk has all of it."""

    @abstractmethod
    def close(self) -> None:
        """No more lines will come."""


class MetricsFile(Journal):
    """``metrics.jsonl``: one JSON object per line; numbers that are not finite are null."""

    def begin(self, folder: Path, step: int) -> None:
        path = folder / "metrics.jsonl"
        if path.exists():
            cut(path, step)
        self.file = path.open("a", encoding="utf-8")

    def add(self, line: Line) -> None:
        self.file.write(json.dumps(_finite(line), allow_nan=False) + "\n")
        self.file.flush()

    def settle(self) -> None:
        os.fsync(self.file.fileno())

    def close(self) -> None:
        self.file.close()


class TensorBoard(Journal):
    """Every number as a scalar in ``tensorboard/`` of the run folder.

    Needs ``pip install tensorboard``. Look with ``tensorboard --logdir RUN``.
    """

    def begin(self, folder: Path, step: int) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError as error:
            raise ImportError(
                "TensorBoard scalars were asked for, but the package tensorboard is not installed; "
                "pip install tensorboard, or leave them out: metrics.jsonl has the same numbers"
            ) from error
        self.writer = SummaryWriter(str(folder / "tensorboard"), purge_step=step + 1)

    def add(self, line: Line) -> None:
        for name, value in _flat(line).items():
            if name != "step":
                self.writer.add_scalar(name, value, line["step"])

    def settle(self) -> None:
        self.writer.flush()

    def close(self) -> None:
        self.writer.close()


def cut(path: Path, step: int) -> None:
    """Remove the lines after ``step``, with whatever a kill left of the last line."""
    lines = path.read_bytes().splitlines(keepends=True)
    steps = [_step_of(line) for line in lines]
    kept = [index for index, found in enumerate(steps) if found is not None and found <= step]
    last = kept[-1] if kept else -1
    broken = [index for index, found in enumerate(steps[:last]) if found is None]
    if broken:
        raise ValueError(
            f"line {broken[0] + 1} of {str(path)!r} is not what training wrote: "
            f"{lines[broken[0]][:80]!r}; mend or remove that line, then go on"
        )
    if len(kept) < len(lines):
        write_whole(path, b"".join(lines[index] for index in kept))


def _step_of(line: bytes) -> int | None:
    try:
        return int(json.loads(line)["step"]) if line.endswith(b"\n") else None
    except (ValueError, KeyError, TypeError):
        return None


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _finite(part) for name, part in value.items()}
    return None if isinstance(value, float) and not isfinite(value) else value


def _flat(line: Line, before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in line.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{before}{name}/")
        else:
            flat[before + name] = value
    return flat
