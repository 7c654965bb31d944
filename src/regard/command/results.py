"""``regard results``."""

import json
from argparse import Namespace
from itertools import groupby
from pathlib import Path

from regard.ledger import Row, enter, rows
from regard.recipes import RECIPES


def show(given: Namespace) -> int:
    """Print the ledger, or enter runs into it."""
    if given.add:
        print(enter([Path(run) for run in given.add], given.note))
        return 0
    if given.recipe is not None and given.recipe not in RECIPES:
        raise ValueError(f"there is no recipe {given.recipe!r}; see: regard list")
    found = [row for row in rows() if given.recipe in (None, row.recipe)]
    if given.json:
        print(json.dumps([row.to_json() for row in found], ensure_ascii=False, indent=1))
        return 0
    for name, group in groupby(found, key=lambda row: row.recipe):
        alike = list(group)
        print(_head(name, alike[0]))
        for row in alike:
            print(f"  {_line(row)}")
    if not found:
        print("nothing is entered yet")
    return 0


def _head(name: str, row: Row) -> str:
    """What all numbers of a recipe have in common: runs, selection, and how to repeat them."""
    count = len(row.ours["seeds"])
    seeds = "1 seed" if count == 1 else f"{count} seeds"
    return (
        f"{name}: {seeds}, {row.minutes:g} minutes, selected by {row.selected_by}\n"
        f"  again: {row.command}"
    )


def _line(row: Row) -> str:
    ours, paper = row.ours, "" if row.paper is None else f", paper {row.paper:g}"
    spread = "" if ours["std"] is None else f" (mean {ours['mean']:.4g} ± {ours['std']:.2g})"
    scope = "" if row.scope == "all" else f", {row.scope}"
    return f"{row.data}, {row.split}{scope}: {row.measured}{spread}{paper}"
