"""All restarts of all lessons, side by side in processes; each is kept as soon as it ends."""

import json
import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import torch

from regard.files import write_whole
from regard.parameters import save_weights
from regard.recipes.stories.course import Grade, StoryCourse, Taught
from regard.recipes.stories.lessons import Lesson
from regard.recipes.stories.material import Entry, material
from regard.recipes.stories.systems import Sizes, StorySystem
from regard.training import Interrupted
from regard.training.interruption import Interruption

RESTARTS = Path("state") / "restarts"  # the folder of all of them within a run
WAITING = 0.5  # seconds between two looks at whether somebody wants to stop


class Trial(NamedTuple):
    """One restart of one lesson."""

    system: StorySystem
    course: StoryCourse
    sizes: Sizes
    taught: Taught
    seed: int
    device: str


def place_of(run: Path, lesson: str, seed: int) -> Path:
    """The folder of one restart."""
    return run / RESTARTS / f"{lesson.replace(' ', '-')}-seed-{seed}"


def read_grade(place: Path) -> Grade | None:
    """How a restart went; None where it has not ended."""
    path = place / "grade.json"
    return Grade(**json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


def attempt(trial: Trial) -> Grade:
    """Teach one network from its beginning to its end, and keep it."""
    if multiprocessing.parent_process() is not None:
        torch.set_num_threads(1)  # its neighbours have the other cores
    torch.manual_seed(trial.seed)
    model = trial.system.build(trial.sizes).to(trial.device)
    grade = trial.course.learn(model, trial.taught, trial.seed)
    place = trial.taught.folder
    place.mkdir(parents=True, exist_ok=True)
    save_weights(model, place / "model.safetensors")
    write_whole(place / "grade.json", (json.dumps(grade._asdict()) + "\n").encode())
    return grade


class Missing(NamedTuple):
    """What is still to be done: the lessons with their seeds."""

    lesson: Lesson
    entry: Entry
    seeds: list[int]


def missing(
    run: Path, lessons: Sequence[Lesson], entries: Mapping[str, Entry], course: StoryCourse
) -> list[Missing]:
    """The restarts that have not ended."""
    found = [
        Missing(lesson, entries[lesson.name], [
            seed for seed in course.seeds(lesson.name)
            if read_grade(place_of(run, lesson.name, seed)) is None
        ])
        for lesson in lessons
    ]  # fmt: skip
    return [each for each in found if each.seeds]


def trials(
    run: Path,
    left: Sequence[Missing],
    parts: tuple[StorySystem, StoryCourse, str],
    resume_with: str,
) -> Iterator[tuple[str, Trial]]:
    """Each restart with the name of its lesson, in numbers when it is asked for."""
    system, course, device = parts
    for lesson, entry, seeds in left:
        train, valid = material(lesson.train, entry), material(lesson.valid, entry)
        told = course.before(lesson.name)
        before = material(told, entry) if told else None
        for seed in seeds:
            place = place_of(run, lesson.name, seed)
            taught = Taught(train, valid, place, resume_with, before)
            yield lesson.name, Trial(system, course, entry.sizes, taught, seed, device)


def teach(
    waiting: Iterator[tuple[str, Trial]], processes: int, resume_with: str
) -> Iterator[tuple[str, int, Grade]]:
    """Every restart as it ends: its lesson, its seed and how it went.

    Ctrl-C and SIGTERM stop it; what has ended by then is kept, and the rest is said to go on by
    ``resume_with``.
    """
    with Interruption() as interruption:
        if processes == 1:
            for name, trial in waiting:
                yield name, trial.seed, attempt(trial)
                _stop_if(interruption, resume_with)
            return
        with _workers(processes) as pool:
            under_way: dict[Future[Grade], tuple[str, int]] = {}
            for name, trial in waiting:
                # None waits in the pool: whoever is told to stop would begin with it.
                while len(under_way) >= processes:
                    yield from _ended(under_way, interruption, resume_with)
                under_way[pool.submit(attempt, trial)] = name, trial.seed
            while under_way:
                yield from _ended(under_way, interruption, resume_with)


def _ended(
    under_way: dict["Future[Grade]", tuple[str, int]], interruption: Interruption, resume_with: str
) -> Iterator[tuple[str, int, Grade]]:
    done, _ = wait(under_way, timeout=WAITING, return_when=FIRST_COMPLETED)
    _stop_if(interruption, resume_with)
    for future in done:
        name, seed = under_way.pop(future)
        yield name, seed, future.result()


def _stop_if(interruption: Interruption, resume_with: str) -> None:
    if interruption.heard is not None:
        raise Interrupted(
            f"stopped by {interruption.name}; restarts that have ended are saved; go on with "
            f"{resume_with}",
            interruption.heard,
        )


@contextmanager
def _workers(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that begin afresh; where the block is left early, they are asked to stop."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn"))
    try:
        yield pool
    except BaseException:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        pool.shutdown(wait=True, cancel_futures=True)
        raise
    pool.shutdown()
