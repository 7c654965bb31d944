"""A whole run of restarts: what is left is learned, the best of each lesson is kept."""

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from torch import nn
from tqdm import tqdm  # type: ignore[import-untyped]

from regard.cores import cores
from regard.parameters import load_weights
from regard.recipes.stories.lessons import EVERY
from regard.recipes.stories.material import Entry, keep_entries
from regard.recipes.stories.systems import StorySystem
from regard.recipes.stories.teaching import (
    missing,
    place_of,
    read_grade,
    teach,
    trials,
)
from regard.training import Journal, MetricsFile, Outcome, RunFolder
from regard.training.holding import held

if TYPE_CHECKING:
    from regard.recipes.stories.course import Grade
    from regard.recipes.stories.recipe import StoryAnswering


def learn_all(
    recipe: "StoryAnswering",
    folder: RunFolder,
    device: str,
    journals: Sequence[Journal],
    resume_with: str,
) -> Outcome:
    """Every restart that has not ended yet, and then the choice among all."""
    course, run = recipe.course, folder.path
    for remark in recipe.data.remarks():
        tqdm.write(f"regard: {remark}", file=sys.stderr)
    lessons = recipe.data.lessons()
    for lesson in lessons:
        if note := course.note(lesson.name):
            tqdm.write(f"regard: {lesson.name} is {note}", file=sys.stderr)
    entries = keep_entries(run, lessons, recipe.system.memory)
    for option, tasks in course.tasks_named.items():
        if tasks and not {f"task {number}" for number in EVERY} & entries.keys():
            raise ValueError(
                f"--{option} {tasks} names tasks of bAbI, but the lessons of this run are "
                f"{', '.join(entries)}"
            )
    left = missing(run, lessons, entries, course)
    count = sum(len(each.seeds) for each in left)
    processes = min(course.side_by_side or cores(), max(count, 1)) if device == "cpu" else 1
    with ExitStack() as stack:
        stack.enter_context(held(run))
        if left:
            folder.go_on()
        book = _Book(folder, [MetricsFile(), *journals], stack)
        waiting = trials(run, left, (recipe.system, course, device), resume_with)
        bar = stack.enter_context(tqdm(total=count, unit="restart", disable=None, file=sys.stderr))
        for done, (name, seed, grade) in enumerate(teach(waiting, processes, resume_with), 1):
            book.add(name, seed, grade)
            bar.write(
                f"{done} of {count}: {name}, seed {seed}: error {grade.training_error:.1f}% in "
                f"training, {grade.validation_error:.1f}% in validation",
                file=sys.stderr,
            )
            bar.update()
        kept = choose(recipe, run, list(entries))
        best = book.close({name: grade for name, (_, grade) in kept.items()}, course.selected_by)
        models = nn.ModuleDict()
        for name, (seed, _) in kept.items():
            models[name] = restart(recipe.system, entries[name], place_of(run, name, seed))
        folder.save_model(models)
    judged_by = course.selected_by.replace("_", " ")
    end = "the end of all restarts"
    return Outcome(book.step, book.epochs, book.seconds, best, book.step, end, judged_by)


def choose(
    recipe: "StoryAnswering", run: Path, names: Sequence[str]
) -> dict[str, tuple[int, "Grade"]]:
    """The seed of the restart that is kept of each lesson, and how it went."""
    course = recipe.course
    kept = {}
    for name in names:
        grades = {
            seed: grade
            for seed in course.seeds(name)
            if (grade := read_grade(place_of(run, name, seed))) is not None
        }
        seed = min(grades, key=lambda seed: course.worth(grades[seed]))
        kept[name] = seed, grades[seed]
    return kept


def restart(system: StorySystem, entry: Entry, place: Path) -> nn.Module:
    """The network of one restart."""
    model = system.build(entry.sizes)
    load_weights(model, place / "model.safetensors")
    return model.eval()


def read_networks(system: StorySystem, entries: Mapping[str, Entry], folder: Path) -> nn.ModuleDict:
    """The networks that a run has kept, by lesson."""
    path = folder / "model.safetensors"
    if not path.is_file():
        raise ValueError(
            f"there is no file {str(path)!r} yet: it is written when all restarts have ended; go "
            f"on with regard train --resume {folder}"
        )
    models = nn.ModuleDict({name: system.build(entry.sizes) for name, entry in entries.items()})
    load_weights(models, path)
    return models.eval()


class _Book:
    """What is noted of a run of restarts: a line for each, and one for those that are kept."""

    def __init__(self, folder: RunFolder, journals: Sequence[Journal], stack: ExitStack) -> None:
        self.journals = journals
        self.step, self.epochs, self.before = 0, 0.0, 0.0
        for line in folder.metrics.read_text(encoding="utf-8").splitlines():
            noted = json.loads(line)
            self.step, self.epochs = noted["step"], noted["epoch"]
            self.before = noted["seconds"]
        for journal in journals:
            journal.begin(folder.path, self.step)
            stack.callback(journal.close)
        self.clock = perf_counter()

    @property
    def seconds(self) -> float:
        """Since the run began, pauses left out."""
        return self.before + perf_counter() - self.clock

    def add(self, name: str, seed: int, grade: "Grade") -> None:
        """Note how one restart went."""
        self.step += grade.updates
        self.epochs += grade.epochs
        self._note({"lesson": name, "seed": seed, **grade._asdict()})

    def close(self, kept: Mapping[str, "Grade"], selected_by: str) -> float:
        """Note how those that are kept went, on average."""
        means = {
            name.replace("_", " "): sum(getattr(each, name) for each in kept.values()) / len(kept)
            for name in dict.fromkeys((selected_by, "training_error", "validation_error"))
        }
        self._note({"validation": means})
        return next(iter(means.values()))

    def _note(self, numbers: Mapping[str, object]) -> None:
        total = {"step": self.step, "epoch": round(self.epochs, 4)}
        line = {**total, **numbers, "seconds": round(self.seconds, 3)}
        for journal in self.journals:
            journal.add(line)
            journal.settle()
