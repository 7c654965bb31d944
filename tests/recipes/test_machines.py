"""Recipes of machines from end to end, at sizes that train in seconds."""

import pytest
import torch
from torch import Generator
from torch.testing import assert_close

import regard
from regard import running
from regard.command import main
from regard.models import Deep, FeedForward
from regard.models.ntm import BLANK
from regard.recipes import RECIPES, turn, values_of
from regard.recipes.algorithms.course import AsInThePaper
from regard.recipes.algorithms.experiment import Exercise
from regard.recipes.algorithms.sorting import Sorting
from regard.recipes.algorithms.systems import FeedForwardMachineSystem, Tape
from regard.recipes.algorithms.tasks import (
    Copying,
    Foretelling,
    Recalling,
    RepeatCopying,
)
from regard.recipes.endless import Quick
from regard.recipes.measured import beside
from regard.tasks.algorithms import Copy
from regard.training import RunFolder

SIZES = {
    "ntm": {"slots": 9, "slot_size": 5, "controller_size": 7},
    "lstm": {"size": 8, "layers": 2},
}


def trained(name, folder, **knobs):
    sizes = SIZES[name.split("-")[0]]
    recipe = turn(RECIPES[name], {"steps": 3, "batch": 4, "longest": 3, **sizes, **knobs})
    run = RunFolder.create(folder, {"recipe": name, **values_of(recipe)})
    recipe.train(run, "cpu", (), "the same again")
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    base = tmp_path_factory.mktemp("machines")
    return {name: trained(f"{name}-copy", base / name) for name in SIZES}


@pytest.mark.parametrize("name", SIZES)
def test_a_machine_answers_with_bits_and_says_how_many_are_wrong(runs, name, capsys):
    assert main(["run", str(runs[name]), "2", "4"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("of 16 bits)")
    assert second.endswith("of 32 bits)")
    assert len(first.split(" (")[0].split()) == 2


def test_a_sheet_shows_where_the_heads_wrote_and_read(runs):
    sheet = regard.load(runs["ntm"]).sheet("3")
    assert sheet.weights.shape == (2, 7, 9)  # write and read head, 3 + mark + 3 steps, slots
    assert_close(sheet.weights.sum(dim=-1), torch.ones(2, 7))
    assert sheet.rows[3:5] == ["input 3", "answer 4"]


def test_a_sheet_shows_what_the_machine_really_did(runs):
    player = regard.load(runs["ntm"])
    sheet = player.sheet("3")
    with torch.no_grad(), regard.record(player.model) as maps:
        logits = player.model(sheet.inputs.unsqueeze(0))
    assert_close(sheet.outputs, logits[0].sigmoid())
    recorded = [maps[name].weights[0] for name in ("writers.going.watch", "readers.watch")]
    assert_close(sheet.weights, torch.cat(recorded))
    assert sheet.added.shape == sheet.read.shape == (7, 5)
    blank = torch.full((9, 5), BLANK)
    first = blank + torch.outer(sheet.weights[0, 0], sheet.added[0])  # what the first step leaves,
    assert_close(sheet.read[0], sheet.weights[1, 0] @ first, atol=1e-5, rtol=0)  # erasing nothing


def test_a_tape_that_is_too_small_is_named(runs, capsys):
    with pytest.warns(UserWarning, match="10 vectors have to be remembered.*--slots 10 or more"):
        turn(RECIPES["ntm-copy"], {"longest": 10, "slots": 9}).build()
    assert main(["run", str(runs["ntm"]), "9"]) == 0
    assert not capsys.readouterr().err
    assert main(["run", str(runs["ntm"]), "10"]) == 0
    assert "10 vectors have to be remembered, but the tape has 9 slots" in capsys.readouterr().err
    player = regard.load(runs["ntm"])
    assert not player.sheet("9").remarks
    assert "10 vectors have to be remembered" in player.sheet("10").remarks[0]


@pytest.mark.parametrize(
    ("name", "stored"),
    [("copy", 20), ("repeat-copy", 10), ("recall", 18), ("ngrams", 32), ("sort", 20)],
)
def test_a_task_knows_how_much_there_is_to_remember(name, stored):
    assert RECIPES[f"ntm-{name}"].data.task().stored == stored


def test_a_machine_without_a_tape_has_nothing_to_show(runs):
    with pytest.raises(ValueError, match="has no tape"):
        regard.load(runs["lstm"]).sheet("3")


def test_what_is_no_number_is_refused(runs):
    with pytest.raises(ValueError, match="'many': give the number of vectors"):
        regard.load(runs["ntm"])("many")


@pytest.mark.filterwarnings("ignore:length .* vectors have to be remembered")
def test_it_is_measured_on_every_length(runs, monkeypatch):
    monkeypatch.setattr("regard.recipes.algorithms.recipe.TESTED", 4)
    monkeypatch.setattr("regard.recipes.algorithms.recipe.TOGETHER", 2)
    found = running.opened(runs["ntm"]).evaluate(runs["ntm"])
    assert [each.split for each in found][::2] == [
        f"length {length}" for length in (120, 50, 30, 20, 10)
    ]
    untrained = {each.split: each.value for each in found if each.metric == "bits per sequence"}
    assert 0.5 < untrained["length 10"] / 80 < 2  # about a bit for each bit


def test_an_epoch_is_the_same_however_often_it_is_asked_for():
    exercise = Exercise(torch.nn.Linear(1, 1), Copy((1, 3)), Quick(batch=2))
    first, again, other = exercise.epoch(1)[7], exercise.epoch(1)[7], exercise.epoch(2)[7]
    assert torch.equal(first.inputs, again.inputs)
    assert first.inputs.shape != other.inputs.shape or not torch.equal(first.inputs, other.inputs)


def test_a_batch_is_shared_out_by_its_sequences():
    exercise = Exercise(torch.nn.Linear(1, 1), Copy((3, 3)), Quick(batch=3))
    batch = exercise.epoch(1)[0]
    parts = [exercise.shard(batch, rank, 2) for rank in range(2)]
    assert torch.equal(torch.cat([part.inputs for part in parts]), batch.inputs)
    assert all(torch.equal(part.counts, batch.counts) for part in parts)
    assert exercise.shard(batch, 3, 4) is None


@pytest.mark.parametrize(
    ("practice", "text"),
    [
        (Copying(), "4"),
        (RepeatCopying(), "2x3"),
        (Recalling(), "3"),
        (Foretelling(length=7), "9"),
        (Sorting(given=5, wanted=4), "10"),
    ],
    ids=lambda part: getattr(part, "name", ""),
)
def test_every_task_draws_what_is_asked_for_and_its_tests(practice, text):
    generator = torch.Generator().manual_seed(0)
    task = practice.task()
    for asked in (text, *practice.tests().values()):
        drawn = practice.example(asked)(2, generator)
        assert drawn.inputs.shape[::2] == (2, task.input_size)
        assert drawn.counts.any()


@pytest.mark.parametrize(
    ("name", "heads", "size"),
    [
        ("copy", 1, 100),
        ("repeat-copy", 1, 100),
        ("recall", 4, 256),
        ("ngrams", 1, 100),
        ("sort", 8, 512),
    ],
)
def test_the_papers_machines_without_recurrence_are_there(name, heads, size):
    model = RECIPES[f"ntm-{name}-forward"].build()
    assert isinstance(model.controller, FeedForward)
    assert (model.readers.heads, model.controller.size) == (heads, size)


# Tables 1, 2 and 3 of the paper: heads, width and rate; layers, width and rate.
FORWARD = {
    "copy": (1, 100, 1e-4), "repeat-copy": (1, 100, 1e-4), "recall": (4, 256, 1e-4),
    "ngrams": (1, 100, 3e-5), "sort": (8, 512, 3e-5),
}  # fmt: skip
RECURRENT = {**FORWARD, "recall": (1, 100, 1e-4), "sort": (5, 100, 3e-5)}
PLAIN = {
    "copy": (3, 256, 3e-5), "repeat-copy": (3, 512, 3e-5), "recall": (3, 256, 1e-4),
    "ngrams": (3, 128, 1e-4), "sort": (3, 128, 3e-5),
}  # fmt: skip


@pytest.mark.parametrize("task", FORWARD)
def test_the_papers_machines_and_rates_are_there(task):
    def of(name):
        recipe = RECIPES[f"{name}-paper"]
        assert isinstance(recipe.course, AsInThePaper)
        assert recipe.course.batch == 1
        assert recipe.published == RECIPES[name].published
        return recipe.build(), recipe.course.rate

    for name, known in ((f"ntm-{task}", RECURRENT), (f"ntm-{task}-forward", FORWARD)):
        machine, rate = of(name)
        assert (machine.readers.heads, machine.controller.size, rate) == known[task]
        assert machine.first_tape.requires_grad
        assert machine.first_tape.shape == (128, 20)
    plain, rate = of(f"lstm-{task}")
    assert (plain.cells.num_layers, plain.cells.hidden_size, rate) == PLAIN[task]
    deep = RECIPES["ntm-sort-paper"].build().controller
    assert isinstance(deep, Deep)
    assert len(deep.cells) == 2


def test_a_first_tape_is_blank_or_learned():
    with pytest.raises(ValueError, match="first_tape must be one of blank, learned, but it is 'x'"):
        turn(RECIPES["ntm-copy"], {"first_tape": "x"}).build()


def test_the_papers_course_is_there():
    longest = RECIPES["ntm-repeat-copy"].data.task().draw_sizes(10, 10, 1, Generator()).inputs
    assert RECIPES["ntm-repeat-copy"].system.tape.slots < longest.shape[1]
    model = FeedForwardMachineSystem(Tape(slots=20)).build(Copy())
    optimiser = AsInThePaper().descent().optimiser(list(model.parameters()))
    assert optimiser.defaults["momentum"] == 0.9
    assert optimiser.defaults["centered"]


def test_bits_of_ones_own_are_foretold_and_a_zero_in_front_begins_no_number():
    practice = Foretelling(length=9)
    own = practice.example("0110")(2, Generator())
    assert own.targets[..., 0].tolist() == [[0, 1, 1, 0]] * 2
    assert own.inputs[..., 0].tolist() == [[0, 0, 1, 1]] * 2
    assert practice.example("110")(1, Generator()).targets.shape == (1, 110, 1)
    assert practice.example("11011")(1, Generator()).targets[0, :, 0].tolist() == [1, 1, 0, 1, 1]
    with pytest.raises(ValueError, match=r"'01x0': give the number of bits .*; or the bits"):
        practice.example("01x0")
    with pytest.raises(ValueError, match="'0101': give the number of vectors to copy"):
        Copying().example("0101")


def test_what_is_shown_is_the_hardest_that_was_practised(runs):
    assert running.opened(runs["ntm"]).examples() == ["3"]
    usual = [RECIPES[f"ntm-{name}"].examples() for name in ("repeat-copy", "recall", "ngrams")]
    assert usual == [["10x10"], ["6"], ["200"]]


def test_a_size_may_be_a_number(runs):
    player = regard.load(runs["ntm"])
    assert str(player(2)) == str(player("2"))
    assert torch.equal(player.sheet(2).weights, player.sheet("2").weights)


@pytest.mark.filterwarnings("ignore:.* vectors have to be remembered")
def test_bits_above_the_best_guess_come_first_and_alone_have_the_papers_number(monkeypatch):
    monkeypatch.setattr("regard.recipes.algorithms.recipe.TESTED", 4)
    monkeypatch.setattr("regard.recipes.algorithms.recipe.TOGETHER", 2)
    recipe = turn(RECIPES["ntm-ngrams"], {"length": 200, **SIZES["ntm"]})
    found = beside(recipe.measure(recipe.player(recipe.build().eval())), recipe.published)
    assert [(each.metric, each.paper) for each in found] == [
        ("bits above the best guess", 0.5), ("bits of the best guess", None),
        ("bits per sequence", None), ("wrong bits", None),
    ]  # fmt: skip
