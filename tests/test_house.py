"""The house: imports go only downwards, files stay small, public names are there."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import regard

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "regard"
FILES = sorted(SOURCE.rglob("*.py"))
FLOORS = [
    {"shapes", "counts", "choices", "commits", "cores", "kernels", "files"},
    {"masks", "parameters", "linear"},
    {"scores", "normalisers", "blends", "windows"},
    {"attention"},
    {"recording", "losses", "recurrence", "vision", "memory", "halting"},
    {"models", "tasks", "metrics", "viewing"},
    {"training"},
    {"recipes"},
    {"running"},
    {"ledger"},
    {"command", "testing"},
    {"__main__"},
]
FLOOR = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}


def room_of(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_rooms(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "regard":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("regard."):
            yield node.module.split(".")[1]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_room_imports_only_from_floors_below(path):
    room = room_of(path)
    if room in ("__init__", "surface"):
        return  # they show what the rooms have
    assert room in FLOOR, f"give {room} a floor in the house"
    above = [
        other for other in imported_rooms(path) if other != room and FLOOR[other] >= FLOOR[room]
    ]
    assert not above, f"{path.name} imports {above} from its own floor or above"


PYTHON = sorted(path for folder in ("src", "tests", "benchmarks", "docs", "examples")
                for path in (ROOT / folder).rglob("*.py"))  # fmt: skip


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_has_at_most_300_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_only_hide_and_blank_apply_masks(path):
    text = path.read_text(encoding="utf-8")
    forbidden = ["~mask", "-1e9", "masked_fill(", 'float("-inf")', "from __future__ import annot"]
    if room_of(path) in ("kernels", "testing"):
        forbidden = forbidden[-1:]
    assert not [phrase for phrase in forbidden if phrase in text]


NAMES = {
    "regard": "Attention MultiHead Attended record Pooling Hops Watch load",
    "regard.scores": "Dot ScaledDot General Additive Concat Cosine Euclidean InverseDistance "
    "FromQuery FromKey",
    "regard.normalisers": "Softmax Sparsemax Entmax15 Sigmoid Proportional Unchanged Hard",
    "regard.windows": "Predictive",
    "regard.masks": "causal padding window",
}


@pytest.mark.parametrize("module", NAMES)
def test_public_names_are_there(module):
    room = importlib.import_module(module)
    assert [name for name in NAMES[module].split() if not hasattr(room, name)] == []


def test_importing_regard_does_not_import_torch():
    code = "import sys, regard; print('torch' in sys.modules, regard.__version__)"
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert printed.stdout.split() == ["False", regard.__version__]


def test_a_name_that_is_not_there_is_told():
    with pytest.raises(AttributeError, match="module 'regard' has no attribute 'Attenton'"):
        regard.Attenton  # noqa: B018
