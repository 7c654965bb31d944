"""``regard results``."""

import json
from argparse import Namespace
from pathlib import Path

from regard.ledger import enter, rows
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
    for row in found:
        ours, paper = row.ours, "-" if row.paper is None else f"{row.paper:g}"
        spread = "" if ours["std"] is None else f" (mean {ours['mean']:.4g} ± {ours['std']:.2g})"
        scope = "" if row.scope == "all" else f", {row.scope}"
        print(
            f"{row.recipe}: {row.data}, {row.split}{scope}: {row.metric} "
            f"{ours['value']:.4g} {row.unit}{spread}, paper {paper}, "
            f"{len(ours['seeds'])} seed(s), {row.minutes:g} minutes"
        )
    if not found:
        print("nothing is entered yet")
    return 0
