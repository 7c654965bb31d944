"""``regard train``."""

import os
import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from regard.command.crowd import train_seeds
from regard.command.options import turned
from regard.recipes import RECIPES, Recipe, turn, values_of
from regard.running import knobs_in, opened

if TYPE_CHECKING:
    from regard.training import Journal, RunFolder

RUNS = Path("runs")
WEIGHTS = "model.safetensors"


def begin(given: Namespace) -> int:
    """Train a recipe in a new run folder, or several with seeds counted up."""
    if given.resume is not None:
        return _go_on_alike(given)
    recipe = turn(RECIPES[given.recipe], turned(given))
    if given.seeds is not None:
        return train_seeds(given, recipe, new_folder(given))
    if given.jobs > 1:
        raise ValueError("--jobs trains several runs at once and wants --seeds N")
    from regard.training import RunFolder

    path = new_folder(given)
    with crew(), nothing_left_of(path):
        folder = RunFolder.create(path, {"recipe": given.recipe, **values_of(recipe)})
        return _train(recipe, folder, given)


@contextmanager
def nothing_left_of(path: Path) -> Iterator[None]:
    """Take a new run folder away again where training could not even begin."""
    new = not path.exists()
    try:
        yield
    except Exception:
        if new and path.is_dir() and not (path / "state").exists():
            shutil.rmtree(path)
        raise


def go_on(given: Namespace) -> int:
    """Go on with a run that was stopped, with the knobs that it has."""
    if given.resume is None:
        given.parser.error("which recipe? See: regard list")
    path = Path(given.resume)
    if not (path / "knobs.json").is_file():
        raise ValueError(
            f"{given.resume!r} is not a run folder: there is no {path / 'knobs.json'}; what regard "
            "train wrote has one"
        )
    knobs_in(path)  # says what is wrong with them before anything else
    from regard.parameters import read_weights
    from regard.training import RunFolder

    given.tensorboard = (path / "tensorboard").is_dir()
    with crew():
        done = _train(opened(path), RunFolder.open(path), given)
    if (path / WEIGHTS).is_file():
        read_weights(path / WEIGHTS)  # says so where a run that has ended can no longer be used
    return done


def _go_on_alike(given: Namespace) -> int:
    """Go on with a run, and see that nothing else is asked for than what it has."""
    if (Path(given.resume) / "knobs.json").is_file():
        recipe, _ = knobs_in(Path(given.resume))
        if recipe != given.recipe:
            raise ValueError(f"{given.resume} is a run of {recipe}, not of {given.recipe}")
    other = [*turned(given)] + [
        name for name in ("to", "seeds") if getattr(given, name) is not None
    ]
    if other:
        raise ValueError(
            f"--resume {given.resume} goes on with the knobs that the run has; leave out "
            + ", ".join(f"--{name.replace('_', '-')}" for name in other)
        )
    return go_on(given)


def new_folder(given: Namespace) -> Path:
    """The folder that was asked for, or the first free one of the recipe's name."""
    if given.to is not None:
        return Path(given.to)
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise ValueError("several processes need to be told one run folder: give --to FOLDER")
    number, folder = 1, RUNS / given.recipe
    while folder.exists() or any(RUNS.glob(f"{folder.name}-seed-*")):
        number += 1
        folder = RUNS / f"{given.recipe}-{number}"
    return folder


def _train(recipe: Recipe, folder: "RunFolder", given: Namespace) -> int:
    from regard.command.announcing import Announcement
    from regard.training import TensorBoard

    path, device = folder.path, checked_device(getattr(given, "device", "cpu"))
    journals: list[Journal] = [TensorBoard()] if given.tensorboard else []
    leads = int(os.environ.get("RANK", "0")) == 0  # of several processes, one speaks
    if leads:
        journals.append(Announcement())
    outcome = recipe.train(folder, device, journals, f"regard train --resume {path}")
    if not leads:
        return 0
    best = "" if outcome.best is None else f", best {outcome.judged_by} {outcome.best:.4g}"
    print(
        f"{path}: {outcome.step} steps, {outcome.epochs:.3g} epochs, "
        f"{outcome.seconds / 60:.1f} minutes{best} (at step {outcome.best_step}); "
        f"ended by {outcome.reason}"
    )
    known = values_of(recipe)
    by = " --test FILE" if known.get("train") and not known.get("test") else ""
    print(
        f"next: regard evaluate {path}{by} | regard run {path} | regard show {path}",
        file=sys.stderr,
    )
    return 0


def checked_device(name: str) -> str:
    """The device, if torch has it."""
    import torch

    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError) as problem:
        reason = str(problem).splitlines()[0]
        raise ValueError(f"torch cannot use --device {name!r} here: {reason}") from problem
    return name


@contextmanager
def crew() -> Iterator[None]:
    """Join the other processes, where torchrun or the like has started several."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield
        return
    import torch.distributed

    torch.distributed.init_process_group("gloo")
    try:
        yield
    finally:
        torch.distributed.destroy_process_group()
