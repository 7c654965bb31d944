"""The official files of bAbI, read out of their archive."""

import tarfile
from functools import lru_cache
from pathlib import Path, PurePosixPath

from regard.choices import check_choice
from regard.tasks.folders import data_file
from regard.tasks.stories.naming import TASKS, story_task
from regard.tasks.stories.questions import Question
from regard.tasks.stories.reading import parse_stories

ARCHIVE = "tasks_1-20_v1-2_en.tar.xz"
ROOT = "tasks_1-20_v1-2"  # the folder in the archive
FOLDERS = {"1k": "en", "10k": "en-10k"}  # by the number of questions to train on
PARTS = ("train", "test")
MISSING = "en-10k/qa3_three-supporting-facts_train.txt"  # in the copy that regard knows
LARGEST = 16_000_000  # bytes that a file in the archive may hold
HOMEPAGE = "https://research.facebook.com/downloads/babi/"


def babi(
    task: int, part: str = "train", size: str = "1k", folder: str | Path | None = None
) -> list[Question]:
    """The questions of one of the twenty tasks, 1,000 or 10,000 to train on and 1,000 to test.

    Towards AI-Complete Question Answering, Weston et al. 2015, version 1.2 in English.
    https://arxiv.org/abs/1502.05698 CC BY 3.0. ``naming.TASKS`` has the tasks. Both sizes have the
    same test. The archive has no file of 10,000 questions for task 3; asking for it says what else
    can be done, and nothing is put in its place.
    """
    path = data_file("babi", ARCHIVE, folder)
    name, files = _find(task, part, size, path)
    where = f"{FOLDERS[size]}/{name}"
    if name not in files:
        raise ValueError(
            f"{path} has no {where}: in the copy that regard knows this one file is missing. Take "
            f"it from {ROOT}.tar.gz ({HOMEPAGE}) and give it as a file of your own, train on "
            "generated stories instead, or take size 1k"
        )
    return parse_stories(files[name].decode("utf-8").splitlines(), f"{path}, {where}")


def in_archive(
    task: int, part: str = "train", size: str = "1k", folder: str | Path | None = None
) -> bool:
    """Whether the archive at hand has this file."""
    name, files = _find(task, part, size, data_file("babi", ARCHIVE, folder))
    return name in files


def _find(task: int, part: str, size: str, path: Path) -> tuple[str, dict[str, bytes]]:
    """The name of a file, and all files of its folder in the archive."""
    check_choice("part", part, PARTS)
    check_choice("size", size, FOLDERS)
    name = f"{story_task(task).file}_{part}.txt"
    return name, _files(path, path.stat().st_mtime_ns, FOLDERS[size])


def members() -> tuple[str, ...]:
    """The paths of all files in the archive, in their order there."""
    names = sorted(f"{task.file}_{part}.txt" for task in TASKS.values() for part in PARTS)
    paths = [f"{folder}/{name}" for folder in FOLDERS.values() for name in names]
    paths.remove(MISSING)
    return tuple(f"{ROOT}/{path}" for path in ("LICENSE.txt", "README.txt", *paths))


@lru_cache(maxsize=2)
def _files(
    path: Path,
    changed: int,  # noqa: ARG001 - part of the cache's key
    folder: str,
) -> dict[str, bytes]:
    """The files of one folder of the archive by their names; nothing is written to the disk.

    They are read at one go and kept: a packed archive can only be read from its beginning.
    ``changed`` is when the archive was written, so that another one is read anew.
    """
    files = {}
    with tarfile.open(path) as archive:
        for member in archive:
            inside = PurePosixPath(member.name)
            if not member.isreg() or inside.parent.name != folder or member.size > LARGEST:
                continue
            content = archive.extractfile(member)
            if content is not None:
                files[inside.name] = content.read()
    return files
