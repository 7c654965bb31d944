"""The commit of the code, and of nobody else's."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from regard import commits

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")


def git(folder, *words):
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def told(folder):
    """What a process says that has this copy of the module."""
    code = "import commits; print(commits.commit_of_code())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_the_commit_is_that_of_a_checkout_and_says_where_it_was_changed(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    shutil.copy(Path(commits.__file__), package)
    (package / "__init__.py").touch()
    assert told(package) == "unknown"
    git(tmp_path, "init")
    (tmp_path / "notes").touch()
    git(tmp_path, "add", "notes")
    git(tmp_path, "commit", "-m", "somebody's own work, with the package installed beside it")
    assert told(package) == "unknown"
    (tmp_path / ".gitignore").write_text("__pycache__/\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "the package itself")
    commit = told(package)
    assert len(commit) >= 7
    assert "," not in commit
    (package / "__init__.py").write_text("changed = True\n")
    assert told(package) == f"{commit}, changed since"
