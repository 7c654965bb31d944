"""What a run ran on: versions, platform, threads, command line; no user names, no paths."""

import importlib.metadata
import os
import platform
import re
import sys
from typing import Any

import torch

from regard.commits import commit_of_code

PACKAGES = ("regard", "torch", "numpy", "numba", "safetensors", "jaxtyping")
VARIABLES = ("OMP_NUM_THREADS", "OMP_WAIT_POLICY", "ONEDNN_MAX_CPU_ISA", "WORLD_SIZE")


def describe_environment() -> dict[str, Any]:
    """All that may move the last bit of a result, and nothing that tells who ran it."""
    return {
        "versions": {"python": platform.python_version(), **_versions()},
        "platform": {
            "system": platform.system(),
            "release": platform.release(),
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        },
        "threads": torch.get_num_threads(),
        "variables": {name: os.environ[name] for name in VARIABLES if name in os.environ},
        "command": [without_folders(word) for word in sys.argv],
        "commits": [commit_of_code()],
    }


def changes(before: dict[str, Any]) -> list[str]:
    """What is not as it was, of all that may move the last bit of a result."""
    now = describe_environment()
    pairs = [
        (name, before["versions"].get(name), now["versions"][name]) for name in now["versions"]
    ]
    pairs.append(("threads", before["threads"], now["threads"]))
    pairs += [
        (name, before["platform"].get(name), now["platform"][name])
        for name in ("machine", "cpu_capability")
    ]
    return [f"begun with {name} {old}, now {new}" for name, old, new in pairs if old != new]


def without_folders(word: str) -> str:
    """A word of a command line, any path in it cut to its last name."""
    return re.sub(r"[^=]*[/\\]", "", word)


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:  # numba is not made for every machine
            continue
    return found
