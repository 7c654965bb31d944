"""What was measured of a run, by ``regard evaluate`` or for the ledger."""

import json
from typing import NamedTuple

from regard.ledger import EVALUATION, rows
from regard.recipes import Measured
from regard.running import SHIPPED, find, knobs_in


class Number(NamedTuple):
    """One number of a run."""

    split: str
    scope: str
    metric: str
    value: float


def numbers_of(run: str) -> list[Number]:
    """All numbers that are known of a run, or of weights that come with the package."""
    folder = find(run)
    path = folder / EVALUATION
    if path.is_file():
        kept = json.loads(path.read_text(encoding="utf-8"))
        measured = [Measured(**each) for each in kept["measured"]]
        return [Number(each.split, each.scope, each.metric, each.value) for each in measured]
    if folder.parent == SHIPPED:
        recipe, _ = knobs_in(folder)
        known = [row for row in rows() if row.recipe == recipe]
        return [Number(row.split, row.scope, row.metric, row.ours["value"]) for row in known]
    raise ValueError(f"{run} is not evaluated yet; do it by: regard evaluate {run}")
