"""``regard list``."""

import json
from argparse import Namespace

from regard.ledger import Row, rows
from regard.recipes import RECIPES
from regard.running import shipped


def show(given: Namespace) -> int:
    """Every recipe with its main result."""
    known = {row.recipe: row for row in reversed(rows())}  # the first row of each is its main one
    here = shipped()
    if given.json:
        entries = [
            {
                "recipe": name,
                "summary": recipe.summary,
                "trained": name in here,
                "result": known[name].to_json() if name in known else None,
            }
            for name, recipe in RECIPES.items()
        ]
        print(json.dumps(entries, ensure_ascii=False, indent=1))
        return 0
    width = max(map(len, RECIPES))
    for name, recipe in RECIPES.items():
        mark = "*" if name in here else " "
        print(f"{mark} {name:{width}}  {recipe.summary}")
        print(f"  {'':{width}}  {_result(known.get(name))}")
    print("\n* comes trained: its name may stand wherever a RUN is asked for")
    return 0


def _result(row: Row | None) -> str:
    if row is None:
        return "not yet measured"
    paper = "no number of the paper's" if row.paper is None else f"paper {row.paper:g}"
    mean, spread, runs = (row.ours[name] for name in ("mean", "std", "values"))
    every = "" if spread is None else f"; all {len(runs)} runs: {mean:.3g} ± {spread:.2g}"
    return f"{row.data}, {row.split}: {row.measured} ({paper}{every}), {row.minutes:.0f} minutes"
