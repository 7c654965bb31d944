"""Ctrl-C and SIGTERM, put off until the step is done and saved."""

import os
import signal
import threading
from types import FrameType
from typing import Any

NAMES = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
HEARD = b"\nfinishing this step, then saving; Ctrl-C once more stops at once, unsaved\n"


class Interrupted(KeyboardInterrupt):
    """A run that was asked to stop, and stopped with everything saved.

    ``signal`` is the number of what stopped it; a command ends with 128 + that.
    """

    def __init__(self, message: str, signal: int) -> None:
        super().__init__(message)
        self.signal = signal


class Interruption:
    """While the block runs, the first Ctrl-C or SIGTERM only sets ``heard``."""

    def __init__(self) -> None:
        self.heard: int | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Interruption":
        if threading.current_thread() is threading.main_thread():  # only there may it be asked for
            self._before = {number: signal.signal(number, self._hear) for number in NAMES}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @property
    def name(self) -> str:
        """What was heard, in words."""
        return NAMES.get(self.heard, "another process")  # type: ignore[call-overload]

    def _hear(self, number: int, _: FrameType | None) -> None:
        if self.heard is not None and number == signal.SIGINT:
            raise KeyboardInterrupt
        if self.heard is None:
            os.write(2, HEARD)  # printing is not safe inside a handler
        self.heard = number
