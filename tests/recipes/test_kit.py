"""The table of what makes machines learn steadily: its rows, and their places on the page."""

import importlib
from pathlib import Path

import pytest
import torch
from torch.testing import assert_close

from regard.memory import prepare
from regard.recipes import RECIPES, turn, values_of

DOCS = Path(__file__).parents[2] / "docs"
TINY = {
    "steps": 2, "batch": 2, "longest": 2, "slots": 5, "slot_size": 3, "controller_size": 7
}  # fmt: skip


@pytest.fixture
def kit(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    return importlib.import_module("kit")


def tiny(recipe):
    return turn(recipe, TINY)


def test_a_row_has_the_number_of_every_seed_and_how_many_are_solved(kit):
    for solved, count in ((1e-9, "0 of 2"), (1e9, "2 of 2")):
        table = kit.Table("ntm-copy", "bits", solved, 2, {"tiny": tiny})
        way, last, median, found, lowest = kit.row(table, "tiny").strip("| ").split(" | ")
        first, second = map(float, last.split(", "))
        assert (way, found, lowest) == ("tiny", count, last)  # judged once, at the end
        assert first != second
        assert float(median) == pytest.approx((first + second) / 2, abs=2e-3)


@pytest.mark.parametrize("change", ["random_tape", "heads_everywhere"])
def test_a_machine_that_starts_elsewhere_does_so_in_the_whole_sequence(kit, change):
    task = tiny(RECIPES["ntm-copy"]).data.task()
    torch.manual_seed(0)
    model = kit.started(getattr(kit, change))(tiny(RECIPES["ntm-copy"])).system.build(task)
    torch.manual_seed(0)
    usual = tiny(RECIPES["ntm-copy"]).system.build(task)
    state, before = model.begin(2), usual.begin(2)
    if change == "random_tape":
        assert float(state.tape.abs().max()) <= 8**-0.5
        assert len(state.tape[0].unique()) == 15
        assert_close(state.tape[0], state.tape[1])
        assert_close(state.prepared, prepare(state.tape))
    else:
        assert_close(state.reading, torch.full((2, 1, 5), 0.2))
        assert_close(state.writing, state.reading)
        assert_close(state.tape, before.tape)
    inputs = task.draw(2, torch.Generator().manual_seed(0)).inputs
    found = []
    for given in inputs.unbind(1):
        state, output = model.step(state, given)
        found.append(output)
    assert_close(model(inputs), torch.stack(found, dim=1))
    assert not torch.allclose(model(inputs), usual(inputs), atol=1e-6)


def test_every_table_has_its_place_on_the_page_and_every_way_its_recipe(kit):
    page = kit.PAGE.read_text(encoding="utf-8")
    for name, table in kit.TABLES.items():
        assert page.count(f"<!-- kit: {name} -->\n") == 1
        for way in table.ways.values():
            changed = way(RECIPES[table.recipe])
            assert changed.course.seed == 0


def test_ways_turn_the_knobs_that_they_are_named_after(kit):
    parity, ways = RECIPES["act-parity"], kit.TABLES["short-parity"].ways
    for name, changed in {
        "short vectors first": {},
        "whole vectors at once": {"enough": 0.0},
        "bias 1": {"bias": 1.0},
    }.items():
        wanted = {**values_of(parity), "numbers": 16, "steps": 12_000, **changed}
        assert values_of(ways[name](parity)) == wanted
    rmsprop, adam = kit.both(7, given=8).values()
    made = [way(RECIPES["ntm-sort"]) for way in (rmsprop, adam)]
    assert [each.data.given for each in made] == [8, 8]
    assert [(type(each.course).__name__, each.course.steps) for each in made] == [
        ("InBatches", 7), ("Quick", 7),
    ]  # fmt: skip


def test_a_row_takes_the_place_of_the_one_of_its_way(kit):
    page = "before\n<!-- kit: copy -->\n<!-- end -->\nafter\n<!-- kit: sort -->\n<!-- end -->\n"
    one = kit.filled(page, "copy", "| a | 1 |")
    two = kit.filled(one, "copy", "| b | 2 |")
    assert two.splitlines()[1:6] == [
        "<!-- kit: copy -->", kit.HEAD.format(number="bits"), "|" + "---|" * 5, "| a | 1 |",
        "| b | 2 |",
    ]  # fmt: skip
    assert two.endswith("<!-- end -->\nafter\n<!-- kit: sort -->\n<!-- end -->\n")
    assert kit.filled(two, "copy", "| a | 3 |") == two.replace("| a | 1 |", "| a | 3 |")
    with pytest.raises(SystemExit, match="no place for the table 'recall'"):
        kit.filled(page, "recall", "| a | 1 |")


def test_ways_that_are_not_there_are_named(kit):
    with pytest.raises(SystemExit, match=r"copy is not trained by .'adamm'.; there are .*'adam'"):
        kit.main(["adamm"])
