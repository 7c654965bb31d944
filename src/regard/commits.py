"""Which code runs: the commit of a checkout, so that a number can be traced to it."""

import subprocess
from functools import cache
from pathlib import Path


@cache
def commit_of_code() -> str:
    """The commit of this package, marked where files have changed since; as the process began."""
    code = Path(__file__).parent
    try:
        _git("ls-files", "--error-unmatch", "__init__.py", folder=code)  # else another's checkout
        commit = _git("rev-parse", "--short", "HEAD", folder=code)
        changed = _git("status", "--porcelain", "--", str(code), folder=code)
    except (OSError, subprocess.CalledProcessError):  # installed
        return "unknown"
    return f"{commit}, changed since" if changed else commit


def _git(*words: str, folder: Path) -> str:
    command = ["git", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()
