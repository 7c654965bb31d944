import pytest

from regard.command.legends import apart


@pytest.mark.parametrize(
    ("runs", "names", "wanted"),
    [
        (["runs/a", "runs/b"], ["copy", "sort"], ["copy", "sort"]),
        (["runs/a", "runs/b", "c"], ["copy", "copy", "sort"], ["copy, a", "copy, b", "sort"]),
        (["one/a", "two/a"], ["copy", "copy"], ["copy, one/a", "copy, two/a"]),
        (["a", "a"], ["copy", "copy"], ["copy, a (1)", "copy, a (2)"]),
    ],
)
def test_runs_of_one_name_are_told_apart_by_their_folders(runs, names, wanted):
    assert apart(runs, names) == wanted
