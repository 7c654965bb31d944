"""What makes a tape machine learn steadily: copy, by several ways of training and several seeds.

``python docs/kit.py`` prints the table of docs/machines.md; ``python docs/kit.py adam`` one way
alone. Each run takes a minute or two on one core.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from regard.recipes import values_of
from regard.recipes.algorithms import ALGORITHMS
from regard.recipes.algorithms.course import InBatches, Practising, Quick
from regard.recipes.algorithms.recipe import Algorithm
from regard.training import RunFolder

SEEDS, STEPS, SOLVED = range(5), 3_000, 0.1
WAYS: dict[str, Practising] = {
    "rmsprop": InBatches(steps=STEPS),
    "rmsprop, clipped at 1": InBatches(steps=STEPS, clip=1.0),
    "rmsprop, not clipped": InBatches(steps=STEPS, clip=1e9),
    "adam": Quick(steps=STEPS),
    "adam, clipped at 1": Quick(steps=STEPS, clip=1.0),
}


def main(wanted: list[str]) -> None:
    print("| way | bits of each seed at the end | median | solved | lowest on the way |")
    print("|" + "---|" * 5)
    for name in wanted or WAYS:
        curves = [bits_of(replace(WAYS[name], seed=seed)) for seed in SEEDS]
        last, lowest = [curve[-1] for curve in curves], [min(curve) for curve in curves]
        solved = sum(each < SOLVED for each in last)
        row = [name, _row(last), f"{median(last):.3f}", str(solved), _row(lowest)]
        print(f"| {' | '.join(row)} |", flush=True)


def bits_of(course: Practising) -> list[float]:
    """Bits per sequence at every judgement of a run, on fresh sequences of 1 to 20 vectors."""
    recipe: Algorithm = replace(ALGORITHMS["ntm-copy"], course=course)
    with TemporaryDirectory() as folder:
        run = RunFolder.create(Path(folder) / "run", {"recipe": "ntm-copy", **values_of(recipe)})
        recipe.train(run, "cpu", (), "")
        lines = (run.path / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
        found = [json.loads(line).get("validation") for line in lines]
    return [each["bits"] for each in found if each]


def _row(values: list[float]) -> str:
    return ", ".join(f"{value:.3f}" for value in values)


if __name__ == "__main__":
    main(sys.argv[1:])
