"""Rows of exponentials and the like as the compiled functions work them out, and composed code."""

import numpy
import pytest

from regard.kernels import curves
from regard.kernels.composing import Composed


@pytest.mark.parametrize(
    ("name", "exact", "low", "high"),
    [
        ("exponentials", numpy.exp, -80, 80),
        ("logarithms", numpy.log, 1e-30, 1.0),
        ("sigmoids", lambda x: 1 / (1 + numpy.exp(-x)), -20, 20),
        ("tangents", numpy.tanh, -1e-3, 1e-3),
        ("tangents", numpy.tanh, -12, 12),
    ],
)
def test_curves_err_by_a_few_last_places(name, exact, low, high):
    for dtype in (numpy.float32, numpy.float64):
        row = numpy.linspace(low, high, 4099).astype(dtype)
        wanted = exact(row.astype(numpy.float64))
        found, spare = row.copy(), numpy.empty_like(row)
        if name in ("exponentials", "sigmoids"):
            CURVES[name](found, spare)
        else:
            CURVES[name](row, found, spare)
        assert numpy.all(abs(found - wanted) <= 4 * numpy.finfo(dtype).eps * abs(wanted))


def _exponentials(row, spare):
    exponentials(row, spare)


def _sigmoids(row, spare):
    sigmoids(row, spare)


def _logarithms(row, result, spare):
    logarithms(row, result, spare)


def _tangents(row, result, spare):
    tangents(row, result, spare)


CURVES = {
    each.__name__[1:]: Composed(each, *curves.PARTS)
    for each in (_exponentials, _sigmoids, _logarithms, _tangents)
}


def double(row):
    for i in range(row.size):
        row[i] *= 2


def treble(row):
    for i in range(row.size):
        row[i] *= 3


def test_machine_code_that_was_kept_for_other_parts_is_not_taken():
    def whole(row):
        change(row)

    for part, expected in ((double, 2.0), (treble, 3.0)):
        part.__name__ = "change"
        row = numpy.ones(3)
        Composed(whole, part)(row)
        assert row.tolist() == [expected] * 3
