"""Compiled functions that call others: a step of a machine is too long for a single one."""

import importlib
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from inspect import unwrap
from types import FunctionType
from typing import Any

from regard.kernels.compiling import WITH_INFINITY, Compiled


class Composed(Compiled):
    """A function that calls ``parts``: plain functions, which in turn may call parts before them.

    Numba resolves a name when it compiles. So the function is given a copy of its module's names
    in which the parts stand compiled, and neither needs Numba before the first call. Machine code
    that was kept is asked for by a name that changes with the parts: Numba itself would only see
    that the function's own file has changed.
    """

    def __init__(self, function: Callable[..., Any], *parts: Callable[..., Any]) -> None:
        super().__init__(function, WITH_INFINITY)
        self.parts = parts

    def _build(self) -> Any:
        self.function = _knowing(self.function, self.parts)
        self.function.__qualname__ += "_" + _digest(self.parts)
        return super()._build()


def _knowing(function: Callable[..., Any], parts: tuple[Callable[..., Any], ...]) -> Any:
    """The same function, for which the names of the parts mean what Numba made of them."""
    bare = unwrap(function)
    made = {
        unwrap(part).__name__: _compiled(parts[: index + 1]) for index, part in enumerate(parts)
    }
    return FunctionType(bare.__code__, bare.__globals__ | made, bare.__name__)


def _digest(parts: tuple[Callable[..., Any], ...]) -> str:
    codes = [unwrap(part).__code__ for part in parts]
    text = repr([(code.co_code, code.co_consts, code.co_names) for code in codes])
    return sha256(text.encode()).hexdigest()[:12]


@cache
def _compiled(parts: tuple[Callable[..., Any], ...]) -> Any:
    """The last of the parts, which may call those before it."""
    compile_with = importlib.import_module("numba").njit
    *known, last = parts
    return compile_with(
        nogil=True,
        error_model="numpy",
        fastmath=set(WITH_INFINITY),
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
    )(_knowing(last, tuple(known)))
