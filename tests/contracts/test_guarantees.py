"""Every part keeps every guarantee that its equation allows."""

import pytest

from regard.testing.parts import CASES

PAIRS = [
    pytest.param(case, guarantee, id=f"{case.name}: {guarantee.__name__}")
    for case in CASES
    for guarantee in case.kept()
]


@pytest.mark.parametrize(("case", "guarantee"), PAIRS)
def test_the_part_keeps_the_guarantee(case, guarantee):
    guarantee(case)  # asserts inside: regard.testing
