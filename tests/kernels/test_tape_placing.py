"""The fused Turing machine gives the same bits wherever its arrays happen to lie in memory.

A vectorised loop first asks whether what it writes lies close to what it reads, and if so goes one
number at a time: a sum that was made in such a loop would be grouped by where memory was free.
"""

import numpy
import pytest

pytest.importorskip("numba")

from regard.kernels.tape.back import drive_back, turn_back
from regard.kernels.tape.forth import drive, turn

BATCH, WORDS, SIZE, REACH = 2, 5, 3, 1
ALIGNED = 16  # numbers of single precision, as torch begins its arrays
TRIES = 200


def shapes_of_turning(slots, heads):
    """Those of one step forth, in the order of its arguments."""
    told = heads * (2 * (WORDS + 3 + 2 * REACH + 1) + 2 * WORDS)
    return {
        "said": (1, BATCH, told),
        "tape": (2, BATCH, WORDS, slots),
        "norms": (2, BATCH, slots),
        "places": (2, BATCH, 2, heads, slots),
        "traces": (1, BATCH, 2, heads, 4, slots),
        "features": (2, BATCH, SIZE + heads * WORDS),
    }


def shapes_of_turning_back(slots, heads):
    forth = shapes_of_turning(slots, heads)
    slopes = forth.pop("features")
    written = {
        "to_said": forth["said"],
        "to_places": forth["places"][1:],
        "to_tape": forth["tape"][1:],
        "spare": (max(3, heads), slots),
    }
    return {"slopes": slopes} | forth | written


def shapes_of_driving(size):
    row = (1, BATCH, size)
    return {
        "sums": (1, BATCH, 4 * size),
        "cells": (2, BATCH, size),
        "curved": row,
        "features": (2, BATCH, size + WORDS),
    }


def shapes_of_driving_back(size):
    forth = shapes_of_driving(size)
    gates, features = forth.pop("sums"), forth.pop("features")
    slopes = {"slopes": features, "gates": gates}
    return slopes | forth | {"features": features, "to_cell": (BATCH, size), "to_sums": gates}


def drawn(shapes):
    """Numbers that every step can take: none is zero, and places sum to one."""
    random = numpy.random.default_rng(0)
    made = {name: random.random(shape, numpy.float32) + 0.1 for name, shape in shapes.items()}
    if "places" in made:
        made["places"] /= made["places"].sum(-1, keepdims=True)
    return {name: values.astype(numpy.float32) for name, values in made.items()}


def placed(values, random):
    """The same arrays in one piece of memory, in any order, with gaps of any size."""
    gaps = random.integers(0, 2 * ALIGNED, len(values))
    memory = numpy.zeros(
        sum(each.size for each in values.values()) + gaps.sum() + ALIGNED, numpy.float32
    )
    start, found = -memory.ctypes.data // memory.itemsize % ALIGNED, {}
    for name, gap in zip(random.permutation(list(values)), gaps, strict=True):
        given = values[name]
        found[name] = memory[start : start + given.size].reshape(given.shape)
        found[name][...] = given
        start += given.size + gap
    return [found[name] for name in values]


def outcomes(work, shapes, *numbers):
    """All that ``work`` makes of the same numbers in arrays that lie here or there."""
    random, values = numpy.random.default_rng(1), drawn(shapes)
    seen = set()
    for _ in range(TRIES):
        arrays = placed(values, random)
        work(*arrays, *numbers)
        names = zip(values, arrays, strict=True)
        seen.add(b"".join(each.tobytes() for name, each in names if name != "spare"))
    return len(seen)


@pytest.mark.parametrize("heads", [1, 2, 5])
@pytest.mark.parametrize("slots", [7, 8, 16, 37, 64])
def test_the_way_back_does_not_depend_on_where_arrays_lie(slots, heads):
    assert outcomes(turn_back, shapes_of_turning_back(slots, heads), 0) == 1


@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize("slots", [7, 8, 16, 37, 64])
def test_the_way_forth_does_not_depend_on_where_arrays_lie(slots, heads):
    assert outcomes(turn, shapes_of_turning(slots, heads), 0, 0, 1, 0) == 1


@pytest.mark.parametrize("size", [3, 8, 16, 37])
def test_the_controller_does_not_depend_on_where_arrays_lie(size):
    assert outcomes(drive, shapes_of_driving(size), 0, 0, 1, 0) == 1
    assert outcomes(drive_back, shapes_of_driving_back(size), 0) == 1
