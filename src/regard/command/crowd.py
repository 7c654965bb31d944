"""``regard train --seeds``: the same recipe with several seeds, some at once."""

import os
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import mean, stdev

from regard.command.options import turned
from regard.cores import cores
from regard.recipes import Recipe, Restarting, values_of


def train_seeds(given: Namespace, recipe: Recipe, folder: Path) -> int:
    """Train ``given.seeds`` runs in processes of their own, ``given.jobs`` at once.

    A run that takes several seeds leaves those to itself: no two runs share one.
    """
    first = values_of(recipe)["seed"]
    apart = recipe.seeds_taken if isinstance(recipe, Restarting) else 1
    seeds = range(first, first + given.seeds * apart, apart)
    with ThreadPoolExecutor(given.jobs) as pool:
        ended = list(pool.map(lambda seed: _train(given, seed, run_of(folder, seed)), seeds))
    worst = next((status for status in ended if status), 0)
    if worst == 0:
        best = max if recipe.higher_is_better else min
        names, bests = zip(*(_best(run_of(folder, seed), best) for seed in seeds), strict=True)
        spread = f" ± {stdev(bests):.3g}" if len(bests) > 1 else ""
        print(f"best {names[0]} over {len(bests)} seeds: {mean(bests):.4g}{spread}")
        runs = " ".join(str(run_of(folder, seed)) for seed in seeds)
        print(f"next: regard evaluate RUN for each of {runs}", file=sys.stderr)
    return abs(worst)  # a signal is a negative number here


def run_of(folder: Path, seed: int) -> Path:
    """The run folder of one seed."""
    return folder.with_name(f"{folder.name}-seed-{seed}")


def _train(given: Namespace, seed: int, folder: Path) -> int:
    """One run; each line that it writes is marked with its seed."""
    knobs = {**turned(given), "seed": seed}
    command = [sys.executable, "-m", "regard", "train", given.recipe, "--to", str(folder)]
    for name, value in knobs.items():
        values = value if isinstance(value, tuple) else (value,)
        command += [f"--{name.replace('_', '-')}", *map(str, values)]
    if hasattr(given, "device"):
        command += ["--device", given.device]
    if given.tensorboard:
        command.append("--tensorboard")
    share = max(1, cores() // given.jobs)  # processes side by side split the cores
    environment = {"OMP_NUM_THREADS": str(share), **os.environ}
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env=environment,
    ) as process:
        for line in process.stdout or ():
            print(f"seed {seed}: {line.rstrip()}", flush=True)
    return process.returncode


def _best(folder: Path, best: Callable[[Iterable[float]], float]) -> tuple[str, float]:
    """The name and the value of the number that the run's model was picked by."""
    import json

    lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line)["validation"] for line in lines if '"validation"' in line]
    name = next(iter(found[-1]))
    return name, float(best(numbers[name] for numbers in found))
