"""The command ``regard``: train, use, measure and look at attention models."""

import os
import sys
import warnings
from collections.abc import Sequence
from signal import SIGINT

from regard.command.parsing import parse

FAILED = 1  # exit status of a command that could not do what was asked


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    0 means done, 1 that it could not be done (one message says why), 2 that the command was not
    understood, 130 and 143 that it was stopped by Ctrl-C or by SIGTERM.
    """
    # Threads that spin while they wait starve every other process. Torch reads this when imported.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    given = parse(sys.argv[1:] if arguments is None else arguments)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _remark
            return int(given.action(given) or 0)
    except BrokenPipeError:  # whoever read our lines has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt as stop:  # training's own says what is saved, and how to go on
        print(str(stop) or "stopped", file=sys.stderr)
        return 128 + getattr(stop, "signal", SIGINT)
    except (ValueError, OSError, ImportError, ArithmeticError, LookupError) as problem:
        return _explain(problem, str(problem))
    except Exception as problem:  # nobody foresaw it, so say what kind it is and how to see more
        kind = type(problem).__name__
        return _explain(problem, f"{kind}: {problem} (REGARD_TRACEBACK=1 shows where)")


def _remark(message: Warning | str, *_: object, **__: object) -> None:
    """A warning as a line for a reader, without the place in the code."""
    print(f"regard: {message}", file=sys.stderr)


def _explain(problem: Exception, text: str) -> int:
    """One message on one problem, without a traceback unless REGARD_TRACEBACK asks for it."""
    if os.environ.get("REGARD_TRACEBACK"):
        raise problem
    if isinstance(problem, OSError) and problem.strerror and problem.filename:
        text = f"{problem.filename}: {problem.strerror}"
    print(f"regard: {text}", file=sys.stderr)
    return FAILED
