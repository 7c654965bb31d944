"""The examples in docstrings give what they print."""

import doctest
import importlib
import pkgutil

import pytest

import regard

MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(regard.__path__, "regard.")
    if ">>>" in (importlib.import_module(name).__spec__.loader.get_source(name) or "")
]


def test_there_are_doctests():
    assert "regard.masks" in MODULES
    assert "regard.scores.distances" in MODULES


@pytest.mark.parametrize("name", MODULES)
def test_the_doctests_of_a_module_hold(name):
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner()
    source = vars(module)
    for example in finder.find(module, globs=dict(source)):
        runner.run(example)
    assert runner.summarize(verbose=False).attempted > 0
    assert runner.failures == 0
