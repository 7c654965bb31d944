"""Plain Python functions that Numba turns into machine code at their first call.

Numba takes half a second to import, and a machine may lack it: so no module of ``regard.kernels``
imports it before a kernel is called, and ``available`` says whether that would succeed.
"""

import importlib
import importlib.util
import inspect
import logging
import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

# Sums may be regrouped and a division may become a reciprocal; "nnan" is missing on purpose: with
# it the compiler may assume that there is no NaN, and a NaN would no longer stay in its row.
FAST_MATH = frozenset({"reassoc", "contract", "arcp", "nsz", "afn", "ninf"})
# For kernels that must tell an infinity from a number.
WITH_INFINITY = FAST_MATH - {"ninf"}

_building = threading.Lock()
_said: set[str] = set()  # several functions make up a kernel; it is spoken of once


def _forget_lock() -> None:
    """Spare a child the wait for a thread of its parent that held the lock at the fork."""
    global _building  # noqa: PLW0603
    _building = threading.Lock()


if hasattr(os, "register_at_fork"):  # Windows never forks
    os.register_at_fork(after_in_child=_forget_lock)


@cache
def _installed() -> bool:
    return importlib.util.find_spec("numba") is not None


def available() -> bool:
    """Whether Numba kernels can run: it is installed, and ``REGARD_KERNELS`` is not ``off``."""
    wanted = os.environ.get("REGARD_KERNELS", "on")
    if wanted not in ("on", "off"):
        raise ValueError(f"REGARD_KERNELS must be on or off, but REGARD_KERNELS={wanted}")
    return wanted == "on" and _installed()


class Compiled:
    """A function over contiguous arrays of one dtype that is compiled when first called.

    The machine code is kept on disk for the next process, where Numba finds a folder to write to.
    """

    def __init__(self, function: Callable[..., Any], fast_math: frozenset[str] = FAST_MATH) -> None:
        # Shape checks may have wrapped the function at import; Numba wants its bare source.
        self.function = inspect.unwrap(function)
        self.name = self.function.__module__.removeprefix("regard.kernels.").split(".")[0]
        self.fast_math = fast_math
        self._dispatcher: Any = None
        self._known: set[Any] = set()

    def __call__(self, *arguments: Any) -> Any:
        """Run on ``arguments``, of which the first is an array: its dtype is everyone's."""
        if arguments[0].dtype in self._known:
            return self._dispatcher(*arguments)
        return self._call_first(*arguments)

    def _call_first(self, *arguments: Any) -> Any:
        with _building:
            if self._dispatcher is None:
                self._dispatcher = self._build()
            with _told_of_compiling(self._dispatcher, self._excuse):
                made = self._dispatcher(*arguments)
            self._known.add(arguments[0].dtype)
            return made

    def _excuse(self) -> None:
        if self.name in _said:
            return
        _said.add(self.name)
        logging.getLogger("regard").warning(
            "compiling the %s kernel, once; kept for next time", self.name
        )

    def _build(self) -> Any:
        compile_with = importlib.import_module("numba").njit
        options = {"nogil": True, "error_model": "numpy", "fastmath": set(self.fast_math)}
        try:
            return compile_with(cache=True, **options)(self.function)
        except RuntimeError as error:
            if "cannot cache" not in str(error):
                raise
            return compile_with(cache=False, **options)(self.function)


def _told_of_compiling(dispatcher: Any, tell: Callable[[], None]) -> AbstractContextManager[Any]:
    """Call ``tell`` when Numba begins to compile a function.

    Numba alone knows whether it has to: reading machine code from the disk of a busy machine can
    take as long as making it.
    """
    events = importlib.import_module("numba.core.event")

    def begin(_: Any, event: Any) -> None:
        if event.data["dispatcher"] is dispatcher:
            tell()

    methods = {"on_start": begin, "on_end": lambda *_: None}
    listener = type("Listener", (events.Listener,), methods)()
    listening: AbstractContextManager[Any] = events.install_listener("numba:compile", listener)
    return listening
