"""What makes machines learn steadily: each part of the kit taken away, over several seeds.

``python docs/kit.py`` measures everything, ``python docs/kit.py recall`` one table, ``python
docs/kit.py copy adam`` one way of it; with ``--write`` the rows go into docs/machines.md as they
come, in the place of those of the same name. A run of copy takes a minute or two on one core.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from regard.recipes import RECIPES, turn, values_of
from regard.recipes.algorithms.course import InBatches
from regard.recipes.algorithms.recipe import Algorithm
from regard.recipes.algorithms.systems import MachineSystem
from regard.recipes.endless import Practising, Quick
from regard.training import RunFolder

if TYPE_CHECKING:
    from torch import nn

    from regard.models.ntm import MachineState
    from regard.tasks.algorithms import SequenceTask

PAGE = Path(__file__).parent / "machines.md"
Way = Callable[[Any], Any]  # a recipe, changed
HEAD = "| way | {number} of each seed at the end | median | solved | lowest on the way |"


@dataclass(frozen=True)
class Table:
    """One recipe, trained in several ways."""

    recipe: str
    number: str  # that it is judged by
    solved: float  # below that it counts as solved; above what is known to be least
    seeds: int
    ways: dict[str, Way]


@dataclass(frozen=True)
class Elsewhere(MachineSystem):
    """A machine that starts from another state than it was made to."""

    machine: MachineSystem
    change: "Callable[[MachineState], MachineState]"

    @property
    def work(self) -> int:
        return self.machine.work

    def build(self, task: "SequenceTask") -> "nn.Module":
        from regard.models import NTM

        made = self.machine.build(task)
        if not isinstance(made, NTM):
            raise TypeError(f"a {type(made).__name__} has no tape to start from")
        usual, change = made.begin, self.change
        made.begin = lambda batch: change(usual(batch))  # type: ignore[method-assign]
        return made


def random_tape(state: "MachineState") -> "MachineState":
    """Even numbers between -1 / sqrt(slots + words) and its opposite, the same at every start."""
    import torch

    from regard.memory import prepare

    widest = sum(state.tape.shape[1:]) ** -0.5
    drawn = torch.rand(state.tape.shape[1:], generator=torch.Generator().manual_seed(0))
    tape = (widest * (2 * drawn - 1)).expand_as(state.tape)
    return state._replace(tape=tape, prepared=prepare(tape))


def heads_everywhere(state: "MachineState") -> "MachineState":
    """Every head on all slots alike."""
    even = (0 * state.reading + 1) / state.reading.shape[-1]
    return state._replace(reading=even, writing=even)


def started(change: "Callable[[MachineState], MachineState]") -> Way:
    """Trained as "rmsprop" is, from another state."""
    course = InBatches(steps=3_000)
    return lambda recipe: replace(recipe, system=Elsewhere(recipe.system, change), course=course)


def turned(course: Practising | None = None, **knobs: object) -> Way:
    """With these knobs, as ``regard train`` takes them, and another course where one is given."""

    def way(recipe: Any) -> Any:
        made = turn(recipe, knobs)
        return made if course is None else replace(made, course=course)

    return way


def both(steps: int, **knobs: object) -> dict[str, Way]:
    """By the paper's optimiser and by Adam."""
    return {
        "rmsprop": turned(InBatches(steps=steps), **knobs),
        "adam, clipped at 1": turned(Quick(steps=steps, clip=1.0), **knobs),
    }


TABLES = {
    "copy": Table(
        "ntm-copy",
        "bits",
        0.1,
        5,
        {
            **both(3_000),
            "rmsprop, clipped at 1": turned(InBatches(steps=3_000, clip=1.0)),
            "rmsprop, not clipped": turned(InBatches(steps=3_000, clip=1e9)),
            "adam": turned(Quick(steps=3_000)),
            "rmsprop, a random tape": started(random_tape),
            "rmsprop, a learned tape": turned(InBatches(steps=3_000), first_tape="learned"),
            "rmsprop, heads everywhere": started(heads_everywhere),
        },
    ),
    "repeat-copy": Table("ntm-repeat-copy", "bits", 0.1, 3, both(5_000)),
    "recall": Table("ntm-recall", "bits", 0.1, 3, both(5_000)),
    "ngrams": Table("ntm-ngrams", "bits", 2.0, 3, both(2_000)),
    "sort": Table("ntm-sort", "bits", 10.0, 3, both(2_000)),
    "short-sort": Table("ntm-sort", "bits", 1.0, 3, both(3_000, given=8, wanted=6, slots=32)),
    "parity": Table("act-parity", "wrong sequences", 5.0, 3, {"short vectors first": turned()}),
    "short-parity": Table(
        "act-parity",
        "wrong sequences",
        5.0,
        3,
        {
            "short vectors first": turned(numbers=16, steps=12_000),
            "whole vectors at once": turned(numbers=16, steps=12_000, enough=0.0),
            "bias 1": turned(numbers=16, steps=12_000, bias=1.0),
        },
    ),
    "logic": Table(
        "act-logic",
        "wrong sequences",
        50.0,
        3,
        {
            "few gates first": turned(vectors=5, gates=5, steps=5_000),
            "all gates at once": turned(vectors=5, gates=5, steps=5_000, enough=0.0),
        },
    ),
    "addition": Table(
        "act-addition",
        "wrong sequences",
        50.0,
        3,
        {
            "few digits first": turned(digits=2, terms=3, steps=3_000),
            "all digits at once": turned(digits=2, terms=3, steps=3_000, enough=0.0),
        },
    ),
    "numbers": Table(
        "act-sort",
        "wrong sequences",
        50.0,
        3,
        {
            "few numbers first": turned(longest=6, steps=3_000),
            "all numbers at once": turned(longest=6, steps=3_000, enough=0.0),
        },
    ),
}


def main(words: list[str]) -> None:
    write, wanted = "--write" in words, [word for word in words if word != "--write"]
    names = [name for name in TABLES if name in wanted] or (["copy"] if wanted else list(TABLES))
    ways = [word for word in wanted if word not in TABLES]
    for name in names:
        table = TABLES[name]
        if strange := set(ways) - table.ways.keys():
            raise SystemExit(f"{name} is not trained by {strange}; there are {list(table.ways)}")
        print(f"{name}\n{HEAD.format(number=table.number)}\n|{'---|' * 5}")
        for way in ways or table.ways:
            line = row(table, way)
            print(line, flush=True)
            if write:
                PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), name, line), "utf-8")


def row(table: Table, way: str) -> str:
    """One way over all seeds."""
    recipe: Any = RECIPES[table.recipe]
    least = (isinstance(recipe, Algorithm) and recipe.least()) or 0.0
    curves = []
    for seed in range(table.seeds):
        changed = table.ways[way](recipe)
        course = replace(changed.course, seed=seed)
        curves.append(curve(table, replace(changed, course=course)))
    last, lowest = [each[-1] for each in curves], [min(each) for each in curves]
    solved = sum(each - least < table.solved for each in last)
    cells = [way, _several(last), f"{median(last):.3f}", f"{solved} of {len(last)}"]
    return f"| {' | '.join([*cells, _several(lowest)])} |"


def curve(table: Table, recipe: Any) -> list[float]:
    """The number of every judgement of a run, on fresh sequences."""
    with TemporaryDirectory() as folder:
        knobs = {"recipe": table.recipe, **values_of(recipe)}
        run = RunFolder.create(Path(folder) / "run", knobs)
        recipe.train(run, "cpu", (), "")
        lines = (run.path / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line).get("validation") for line in lines]
    return [each[table.number] for each in found if each]


def filled(page: str, name: str, line: str) -> str:
    """The page with a row of a table, in the place of the one of the same way."""
    start, end = f"<!-- kit: {name} -->\n", "<!-- end -->"
    before, found, rest = page.partition(start)
    if not found:
        raise SystemExit(f"{PAGE} has no place for the table {name!r}: {start.strip()}")
    table, _, after = rest.partition(end)
    way = line.partition(" | ")[0]
    rows = table.splitlines()
    if not rows:
        rows = [HEAD.format(number=TABLES[name].number), "|" + "---|" * 5]
    kept = [line if each.partition(" | ")[0] == way else each for each in rows]
    kept += [] if line in kept else [line]
    return before + start + "\n".join(kept) + f"\n{end}" + after


def _several(values: list[float]) -> str:
    return ", ".join(f"{value:.3f}" for value in values)


if __name__ == "__main__":
    main(sys.argv[1:])
