"""Says that training begins when it does: after the data was read and the model was made."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from regard.training import Journal


class Announcement(Journal):
    """A journal that says where a run is kept, and keeps nothing."""

    def begin(self, folder: Path, step: int) -> None:
        print(f"training in {folder}; Ctrl-C saves, --resume goes on", file=sys.stderr)

    def add(self, line: Mapping[str, Any]) -> None:
        """Nothing is kept."""

    def settle(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing is open."""
