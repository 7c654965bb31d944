"""Recipes of networks that ponder from end to end, at sizes that train in seconds."""

import json

import pytest
import torch
from torch.testing import assert_close

import regard
from regard import running
from regard.command import main
from regard.halting import FixedSteps, HaltingUnit
from regard.recipes import RECIPES, turn, values_of
from regard.recipes.pondering.course import AsInThePaper
from regard.recipes.pondering.systems import (
    Adaptive,
    GatedCell,
    Steady,
    TapeCell,
)
from regard.recipes.pondering.tasks import (
    AdditionPractice,
    LogicPractice,
    ParityPractice,
    SortPractice,
)
from regard.training import RunFolder

TINY = {
    "act-parity": {"numbers": 8},
    "rnn-parity": {"numbers": 8},
    "act-logic": {"vectors": 2, "gates": 3},
    "lstm-logic": {"vectors": 2, "gates": 3},
    "act-addition": {"terms": 3, "digits": 2},
    "lstm-addition": {"terms": 3, "digits": 2},
    "act-sort": {"longest": 4},
    "lstm-sort-numbers": {"longest": 4},
}
QUESTIONS = {"parity": "+-0+", "logic": "2", "addition": "12+34", "sort": "0.5 -1 2"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    base = tmp_path_factory.mktemp("thinkers")
    for name, knobs in TINY.items():
        recipe = turn(RECIPES[name], {"steps": 2, "batch": 3, "size": 5, **knobs})
        run = RunFolder.create(base / name, {"recipe": name, **values_of(recipe)})
        recipe.train(run, "cpu", (), "the same again")
    return {name: base / name for name in TINY}


def task_of(name):
    return next(task for task in QUESTIONS if task in name)


@pytest.mark.parametrize("name", TINY)
def test_a_network_answers_and_says_how_long_it_thought(runs, name, capsys):
    text = QUESTIONS[task_of(name)]
    assert main(["run", str(runs[name]), text]) == 0
    line = capsys.readouterr().out.strip()
    assert "; steps: " in line
    assert main(["run", str(runs[name]), text, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["input"] == text
    assert ("right;" in line) == (told["output"] == told["right"])
    if not name.startswith("act-"):
        assert set(told["steps"]) == {1}


def test_what_is_right_is_told_as_a_person_would(runs):
    right = {task: regard.load(runs[f"act-{task}"])(text).right for task, text in QUESTIONS.items()}
    del right["logic"]
    assert right == {"parity": "even", "addition": "46", "sort": "2 1 3"}


@pytest.mark.parametrize("name", TINY)
def test_a_sheet_shows_what_each_step_weighs(runs, name):
    sheet = regard.load(runs[name]).sheet(QUESTIONS[task_of(name)])
    inputs = {"parity": 1, "logic": 5, "addition": 2, "sort": 6}[task_of(name)]
    assert sheet.weights.shape[0] == len(sheet.rows) == inputs
    assert_close(sheet.weights.sum(dim=-1), torch.ones(inputs))
    assert sheet.columns[0] == "step 1"


def test_a_sheet_says_how_long_and_how_hard(runs):
    hard = {"parity": [3], "logic": [2] * 5, "addition": [2, 2], "sort": None}
    for task, expected in hard.items():
        thinker = regard.load(runs[f"act-{task}"])
        sheet = thinker.sheet(QUESTIONS[task])
        made = thinker.model(thinker.practice.example(QUESTIONS[task]).inputs)
        assert_close(sheet.ponder, made.ponder[0].detach())
        assert (sheet.hard if expected is None else sheet.hard.tolist()) == expected
        assert sheet.unit == thinker.practice.unit
        assert len(sheet.words) == len(sheet.ponder)


def test_rows_of_a_sheet_name_the_inputs(runs):
    rows = {
        task: regard.load(runs[f"act-{task}"]).sheet(QUESTIONS[task]).rows for task in QUESTIONS
    }
    assert rows["parity"][0].startswith("3 bits (")
    assert [row.split()[0] for row in rows["addition"]] == ["12", "34"]
    assert [row.split()[0] for row in rows["sort"]] == ["0.50", "-1.00", "2.00", *["answer"] * 3]
    assert len(rows["logic"][0].split()) == 4  # two bits, two gates, the ponder


def test_it_is_drawn_as_a_picture(runs, tmp_path):
    path = tmp_path / "halting.svg"
    assert main(["show", str(runs["act-addition"]), "12+34", "--to", str(path)]) == 0
    assert path.stat().st_size > 1_000


@pytest.mark.parametrize("name", TINY)
def test_it_is_measured_whole_and_by_difficulty(runs, name, monkeypatch):
    monkeypatch.setattr("regard.recipes.pondering.recipe.TESTED", 20)
    monkeypatch.setattr("regard.recipes.pondering.recipe.TOGETHER", 4)
    found = running.opened(runs[name]).evaluate(runs[name])
    whole = {each.metric: each.value for each in found if each.scope == "all"}
    assert set(whole) == {"wrong sequences", "wrong answers", "ponder", "rise of ponder"}
    assert 0 <= whole["wrong answers"] <= 100
    assert 0 <= whole["wrong sequences"] <= 100
    scopes = {
        "parity": ["1 bits", "2 bits", "8 bits"],
        "logic": ["1 gates", "3 gates"],
        "addition": ["1 digits", "2 digits"],
        "sort": ["2 numbers", "4 numbers"],
    }[task_of(name)]
    assert set(scopes) <= {each.scope for each in found}
    if not name.startswith("act-"):
        assert whole["ponder"] == 1
        assert whole["rise of ponder"] == 0


@pytest.mark.parametrize(
    ("practice", "text", "message"),
    [
        (ParityPractice(numbers=3), "+-+-", "'\\+-\\+-' are 4 bits, but the network has 3"),
        (ParityPractice(), "many", "give the number of bits"),
        (ParityPractice(), "65", "'65': give the number of bits as a whole number from 1 to 64"),
        (LogicPractice(), "no", "a whole number from 1 to 10, such as 10$"),
        (AdditionPractice(), "1+2+3+4+5+6", "2 to 5 whole numbers of up to 5 digits"),
        (AdditionPractice(), "1+x", "2 to 5 whole numbers"),
        (AdditionPractice(), "123456+1", "2 to 5 whole numbers"),
        (SortPractice(), "1 two", "2 to 15 numbers"),
        (SortPractice(), "1 nan", "the numbers go from about -3e38"),
        (SortPractice(), "1", "'1': give the number of numbers as a whole number from 2 to 15"),
        (SortPractice(), "3,1,2", "such as 15; or the numbers themselves with spaces between them"),
    ],
)
def test_what_cannot_be_asked_is_refused(practice, text, message):
    with pytest.raises(ValueError, match=message):
        practice.example(text)


def test_the_same_text_asks_the_same():
    first, again = (ParityPractice().example("20") for _ in range(2))
    assert torch.equal(first.inputs, again.inputs)
    assert first.inputs.count_nonzero() == 20


def test_vectors_grow_over_the_course_and_the_test_has_them_whole():
    practice = ParityPractice(first_numbers=4, enough=0.9)
    assert practice.last_lesson == 60
    lessons = [practice.lesson(number) for number in (0, 1, 60)]
    assert [lesson.places for lesson in lessons] == [4, 5, 64]
    assert [lesson.bits for lesson in lessons] == [(1, 4), (1, 5), (1, 64)]
    assert [practice.goes_on(right) for right in (0.89, 0.9)] == [False, True]
    for at_once in (ParityPractice(), ParityPractice(first_numbers=64, enough=0.9)):
        assert at_once.last_lesson == 0
        whole = at_once.lesson(0)
        assert (whole.places, whole.bits) == (64, (1, 64))
    assert practice.task().places == 64


def test_a_number_alone_is_tested_but_not_practised():
    practice = AdditionPractice()
    assert practice.lesson(0).numbers == (2, 5)
    assert practice.task().numbers == (1, 5)


def test_the_first_number_may_be_asked_for_in_practice_alone():
    practice = AdditionPractice(asked_from=1)
    generator = torch.Generator().manual_seed(0)
    assert practice.lesson(0).draw(3, generator).counts.all()
    assert not practice.task().draw_hard(5, 3, generator).counts[0]


def test_the_papers_networks_are_there():
    sizes = {"act-parity": 128, "act-logic": 128, "act-addition": 512, "act-sort": 512}
    assert {name: RECIPES[f"{name}-paper"].system.cell.size for name in sizes} == sizes
    ours = sizes | {"act-addition": 256, "act-sort": 256}
    assert {name: RECIPES[name].system.cell.size for name in ours} == ours
    model = RECIPES["act-parity"].system.build(ParityPractice().task())
    assert model.halting.to_probability.bias.tolist() == [-1.0]
    paper = RECIPES["act-parity-paper"].system.build(ParityPractice().task())
    assert paper.halting.to_probability.bias.tolist() == [1.0]


def test_the_papers_training_is_there():
    batches = {"parity": 128, "logic": 16, "addition": 32, "sort": 16}
    most = {"parity": 100, "logic": 100, "addition": 20, "sort": 100}
    for task, batch in batches.items():
        paper, quick = RECIPES[f"act-{task}-paper"], RECIPES[f"act-{task}"]
        knobs = values_of(paper)
        assert (knobs["batch"], knobs["most"]) == (batch, most[task])
        assert (knobs["steps"], knobs["rate"]) == (1_000_000, 0.0001)
        assert type(paper.system.cell) is type(quick.system.cell)
        assert knobs["enough"] == 0.0
    optimiser = AsInThePaper().descent().optimiser([torch.nn.Parameter(torch.zeros(1))])
    assert optimiser.defaults["lr"] == 0.0001
    assert AsInThePaper().schedule().until.count == 1_000_000


@pytest.mark.parametrize("cell", [GatedCell(5), TapeCell(5)], ids=["gru", "tape"])
def test_other_cells_are_a_part_away(cell):
    task = LogicPractice().task()
    made = Adaptive(cell).build(task)(task.draw(2, torch.Generator().manual_seed(0)).inputs)
    assert made.outputs.shape[::2] == (2, 1)


def test_the_baseline_is_the_same_network_with_one_step():
    with_halting, without = (RECIPES[name].system for name in ("act-parity", "rnn-parity"))
    assert without == Steady(with_halting.cell)
    task = ParityPractice().task()
    assert isinstance(with_halting.build(task).halting, HaltingUnit)
    assert isinstance(without.build(task).halting, FixedSteps)


def test_what_is_shown_fits_the_size_of_the_task():
    assert turn(RECIPES["act-parity"], {"numbers": 40}).examples() == ["32", "8"]
    assert turn(RECIPES["act-sort"], {"longest": 4}).examples() == ["4"]
    assert RECIPES["act-addition"].examples()[1] == "99999+1"


def test_numbers_that_single_precision_does_not_hold_are_told_from_words():
    for text in ("1e40 2", "nan 1"):
        with pytest.raises(ValueError, match="the numbers go from about -3e38 to 3e38"):
            SortPractice().example(text)
