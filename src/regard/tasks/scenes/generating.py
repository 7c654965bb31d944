"""Scenes without end, and sets of them that share no caption."""

import hashlib
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import NamedTuple

from regard.tasks.scenes.drawing import CELLS, Colour, Image, check_size, draw, nudge
from regard.tasks.scenes.telling import (
    COLOURS,
    KINDS,
    SCALES,
    Box,
    Thing,
    in_order,
    is_plain,
    tell,
)

COUNTS = (1, 2, 2, 3, 3)  # how many things, each entry as often as the others
COLOUR_NAMES = tuple(COLOURS)
GROUND = range(224, 248)  # light, with a slight tint
PARTS = 10  # one part of all captions is kept for the test, one for validation


class Scene(NamedTuple):
    """A picture, its caption, and for each word the box of the thing that it names, if any."""

    image: Image
    words: tuple[str, ...]
    boxes: tuple[Box | None, ...]


class Scenes(NamedTuple):
    """Scenes to train on, to choose by and to report, no caption in two of the three."""

    train: list[Scene]
    valid: list[Scene]
    test: list[Scene]


class _Plan(NamedTuple):
    """A scene before it is drawn: its things in the order of telling."""

    things: tuple[Thing, ...]
    ground: Colour
    words: tuple[str, ...]
    owners: tuple[int | None, ...]


def make_scenes(count: int, seed: int, size: int = 64) -> list[Scene]:
    """``count`` scenes of ``size`` by ``size`` pixels, of all captions.

    The same seed gives the same scenes on every machine. To train and to test use
    ``split_scenes``: these hold the captions of all its three sets.
    """
    _check_count("count", count)
    check_size(size)
    return [_draw(plan, size) for plan in islice(_plans(seed, size), count)]


def split_scenes(train: int, valid: int, test: int, seed: int, size: int = 64) -> Scenes:
    """Three lists of scenes, no caption in two of them and no picture twice in any.

    A tenth of all captions is kept for the test and a tenth for validation: which, the caption
    itself decides, by its hash. They are the same for every seed and every size, so that a
    model trained on one split was taught no caption that another split tests. More of one set
    leaves the others as they were.
    """
    for name, count in (("train", train), ("valid", valid), ("test", test)):
        _check_count(name, count)
    check_size(size)

    def fill(count: int, belongs: Callable[[int], bool]) -> list[Scene]:
        plans = (plan for plan in _plans(seed, size) if belongs(_part(plan.words)))
        return list(islice(_distinct(_draw(plan, size) for plan in plans), count))

    return Scenes(
        fill(train, lambda part: part > 1),
        fill(valid, lambda part: part == 1),
        fill(test, lambda part: part == 0),
    )


def _check_count(name: str, count: int) -> None:
    if count < 0:
        raise ValueError(f"{name} is a number of scenes, 0 or more, but {name}={count}")


def _plans(seed: int, size: int) -> Iterator[_Plan]:
    """Plans one after the other, without end."""
    random = Random(seed)
    while True:
        told = _things(random, nudge(size))
        ground = (random.choice(GROUND), random.choice(GROUND), random.choice(GROUND))
        yield _Plan(told, ground, *tell(told))


def _things(random: Random, most: int) -> tuple[Thing, ...]:
    """Things of different kinds in the order of telling, drawn anew until that order is plain."""
    count = random.choice(COUNTS)
    while True:
        kinds = random.sample(KINDS, count)
        cells = random.sample(range(CELLS * CELLS), count)
        told = in_order(
            [
                Thing(
                    random.choice(SCALES),
                    random.choice(COLOUR_NAMES),
                    kind,
                    *divmod(cell, CELLS),
                    random.randint(-most, most),
                    random.randint(-most, most),
                )
                for kind, cell in zip(kinds, cells, strict=True)
            ]
        )
        if is_plain(told):
            return told


def _draw(plan: _Plan, size: int) -> Scene:
    """The plan as a scene."""
    image, boxes = draw(plan.things, plan.ground, size)
    named = tuple(None if owner is None else boxes[owner] for owner in plan.owners)
    return Scene(image, plan.words, named)


def _part(words: tuple[str, ...]) -> int:
    """In which of the parts of all captions this one lies, the same on every machine."""
    return int.from_bytes(hashlib.sha256(" ".join(words).encode()).digest()[:8], "big") % PARTS


def _distinct(scenes: Iterator[Scene]) -> Iterator[Scene]:
    """Each picture once."""
    seen: set[bytes] = set()
    for scene in scenes:
        digest = hashlib.sha256(scene.image.numpy().tobytes()).digest()
        if digest not in seen:
            seen.add(digest)
            yield scene
