"""The ledger: every result beside the paper's, and how it came about."""

import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from regard.commits import commit_of_code
from regard.files import write_whole
from regard.recipes import RECIPES, Measured, turn, values_of
from regard.recipes.measured import in_unit
from regard.running import knobs_in

SELECTED_BY = "the epoch, and then the seed, with the best validation number"
EVALUATION = "evaluation.json"  # in a run folder: what `regard evaluate` measured
AGAIN = ", measured again at "
PACKAGED = Path(__file__).parent / "results"
IN_REPOSITORY = Path(__file__).parents[2] / "results"


@dataclass(frozen=True)
class Row:
    """One number of one recipe on one test set."""

    recipe: str
    system: str
    data: str
    split: str
    scope: str
    metric: str
    unit: str
    better: str
    paper: float | None
    ours: Mapping[str, Any]  # value, mean, std, best, seeds, values
    selected_by: str
    command: str
    minutes: float
    commit: str
    note: str

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @property
    def measured(self) -> str:
        """The metric and our number."""
        return in_unit(self.metric, f"{self.ours['value']:.4g}", self.unit)


def folder() -> Path:
    """Where the ledger is: with the package, or in the repository that it is worked on in."""
    return PACKAGED if PACKAGED.is_dir() else IN_REPOSITORY


def rows() -> list[Row]:
    """All rows, in the order of the recipes."""
    found = []
    for name in RECIPES:
        path = folder() / f"{name}.json"
        if path.is_file():
            found += [Row(**row) for row in json.loads(path.read_text(encoding="utf-8"))]
    return found


def keep_evaluation(run: Path, found: Sequence[Measured]) -> None:
    """Keep what was measured in the run folder, with the code and the weights it belongs to."""
    kept = {
        "commit": commit_of_code(),
        "model": _weights_of(run),
        "measured": [each.to_json() for each in found],
    }
    text = json.dumps(kept, indent=1, ensure_ascii=False) + "\n"
    write_whole(run / EVALUATION, text.encode())


def _weights_of(run: Path) -> str:
    return hashlib.sha256((run / "model.safetensors").read_bytes()).hexdigest()


def enter(runs: Sequence[Path], note: str = "") -> Path:
    """Add evaluated runs, one for each seed, to the rows of their recipe.

    Seeds that were entered before stay, so that a row can grow over many days, unless their
    settings were others: then the new runs replace them, as a run replaces one of its own seed.
    ``value`` is that of the run with the best validation number; the mean and the spread are over
    all runs, or over all restarts where runs have several.
    """
    name = _one_recipe(runs)
    entered = {each.seed: each for each in _entered_before(name)}
    found = {each.seed: each for each in map(_Taken.of, runs)}
    settings = _settings(next(iter(found.values())).knobs)
    kept = {seed: each for seed, each in entered.items() if _settings(each.knobs) == settings}
    return _enter(name, [each for _, each in sorted({**kept, **found}.items())], note)


def enter_again(name: str, seed: int, found: Sequence[Measured], note: str) -> Path:
    """Put numbers measured now, on weights that were kept, in the place of those of their run.

    The commit of the run stays, and that of the measuring stands behind it.
    """
    before = _entered_before(name)
    if seed not in {each.seed for each in before}:
        raise ValueError(f"no run of {name} with seed {seed} is in the ledger; enter it first")
    taken = [
        replace(
            each,
            measured=list(found),
            commit=f"{each.commit.partition(AGAIN)[0]}{AGAIN}{commit_of_code()}",
        )
        if each.seed == seed
        else each
        for each in before
    ]
    return _enter(name, taken, note)


def _enter(name: str, taken: "Sequence[_Taken]", note: str) -> Path:
    _check_alike(taken)
    chosen = max(taken, key=lambda each: each.worth)
    written = [_row(name, place, taken, chosen, note) for place in range(len(chosen.measured))]
    _write(_runs_of(name), [each.to_json() for each in taken])
    return _write(IN_REPOSITORY / f"{name}.json", [row.to_json() for row in written])


def _runs_of(name: str) -> Path:
    """The file with all that the entered runs of a recipe gave, from which its rows are made."""
    return IN_REPOSITORY / "runs" / f"{name}.json"


def _entered_before(name: str) -> "list[_Taken]":
    path = _runs_of(name)
    if not path.is_file():
        return []
    return [_Taken.from_json(kept) for kept in json.loads(path.read_text(encoding="utf-8"))]


def _write(path: Path, what: Sequence[Mapping[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (json.dumps(what, indent=1, ensure_ascii=False) + "\n").encode())
    return path


def _settings(knobs: Mapping[str, Any]) -> str:
    """What runs of one entry have in common: every knob but the seed."""
    common = {key: value for key, value in knobs.items() if key != "seed"}
    return json.dumps(common, sort_keys=True)


def _check_alike(taken: "Sequence[_Taken]") -> None:
    """Stop where runs that were entered before were measured by other numbers."""
    kinds = {tuple((row.split, row.scope, row.metric) for row in each.measured) for each in taken}
    if len(kinds) > 1:
        seeds = ", ".join(str(each.seed) for each in taken)
        raise ValueError(
            f"the runs of seeds {seeds} were not measured by the same numbers; evaluate all of "
            "them with this version, and enter them together"
        )


@dataclass(frozen=True)
class _Taken:
    """What one run gave."""

    seed: int
    worth: float  # the best validation number, turned round where lower is better
    measured: list[Measured]
    minutes: float
    knobs: Mapping[str, Any]
    data: str
    commit: str

    @classmethod
    def of(cls, run: Path) -> "_Taken":
        path = run / EVALUATION
        if not path.is_file():
            raise ValueError(f"{run} is not evaluated yet; do it by: regard evaluate {run}")
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["model"] != _weights_of(run):
            raise ValueError(
                f"{run} was trained on after it was evaluated; do it again: regard evaluate {run}"
            )
        measured = [Measured(**each) for each in kept["measured"]]
        metrics = (run / "metrics.jsonl").read_text(encoding="utf-8")
        lines = [json.loads(line) for line in metrics.splitlines()]
        judged = [next(iter(line["validation"].values())) for line in lines if "validation" in line]
        name, knobs = knobs_in(run)
        recipe = turn(RECIPES[name], knobs)
        worth = max(judged) if recipe.higher_is_better else -min(judged)
        data = recipe.data.name  # type: ignore[attr-defined]
        minutes = lines[-1]["seconds"] / 60
        commit = _trained_by(run, kept["commit"])
        return cls(knobs["seed"], worth, measured, minutes, knobs, data, commit)

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "_Taken":
        return cls(**{**kept, "measured": [Measured(**each) for each in kept["measured"]]})

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "measured": [each.to_json() for each in self.measured]}


def _trained_by(run: Path, measured: str) -> str:
    """The commits that a run was trained by, and the one by which it was measured if another."""
    path = run / "environment.json"
    kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    commits = kept.get("commits", [measured])
    trained = ", then ".join(commits)
    return trained if commits[-1] == measured else f"{trained}, measured at {measured}"


def _one_recipe(runs: Sequence[Path]) -> str:
    names = {knobs_in(run)[0] for run in runs}
    settings = {_settings(knobs_in(run)[1]) for run in runs}
    if len(names) != 1 or len(settings) != 1:
        raise ValueError(
            f"the runs of one entry must be of one recipe and differ in nothing but the seed, but "
            f"these are of {', '.join(sorted(names))} with {len(settings)} settings"
        )
    return names.pop()


def _row(name: str, place: int, taken: Sequence[_Taken], chosen: _Taken, note: str) -> Row:
    main = chosen.measured[place]
    found = {
        each.seed + turn: value
        for each in taken
        for turn, value in enumerate(each.measured[place].restarts or (each.measured[place].value,))
    }
    values = list(found.values())
    best = max(values) if main.better == "higher" else min(values)
    return Row(
        recipe=name,
        system=type(RECIPES[name].system).__name__.removesuffix("System"),
        data=chosen.data,
        split=main.split,
        scope=main.scope,
        metric=main.metric,
        unit=main.unit,
        better=main.better,
        paper=main.paper,
        ours={
            "value": round(main.value, 4),
            "mean": round(mean(values), 4),
            "std": round(stdev(values), 4) if len(values) > 1 else None,
            "best": round(best, 4),
            "seeds": list(found),
            "values": [round(value, 4) for value in values],
        },
        selected_by=main.selected_by or SELECTED_BY,
        command=command_of(name, chosen.knobs),
        minutes=round(mean(each.minutes for each in taken), 1),
        commit="; ".join(dict.fromkeys(each.commit for each in taken)),
        note="; ".join(part for part in (note, main.note) if part),
    )


def command_of(name: str, knobs: Mapping[str, Any]) -> str:
    """The command that repeats a run: the recipe, and the knobs that are not at their default."""
    usual = values_of(RECIPES[name])
    words = ["regard", "train", name]
    for key, value in knobs.items():
        if usual[key] != (tuple(value) if isinstance(value, list) else value) or key == "seed":
            values = value if isinstance(value, list | tuple) else [value]
            words += [f"--{key.replace('_', '-')}", *map(str, values)]
    return shlex.join(words)
