"""Stories learned by Muon: which matrices are turned, how long, at which rates."""

import shutil
from dataclasses import replace

import pytest
import torch
from test_dynamic_memory import network
from torch import nn

from regard.models import DMNPlus, LearnedPositionEncoding
from regard.recipes import RECIPES, turn
from regard.recipes.stories import data
from regard.recipes.stories.course import Grade, Taught
from regard.recipes.stories.data import Babi, ToldStories
from regard.recipes.stories.lessons import Apart, TaskStories
from regard.recipes.stories.material import Entry, material
from regard.recipes.stories.study import Opening, Study, matrices
from regard.recipes.stories.studying import TurningStudy
from regard.recipes.stories.teaching import place_of, read_grade
from regard.tasks.stories import tell_stories
from regard.tasks.stories.growing import growing_stories
from regard.training import Epochs, Moment, Muon, RunFolder, Steps


def test_matrices_between_words_and_answers_are_turned():
    places = LearnedPositionEncoding(7, 7)  # is a square, the table of words two of them
    model = DMNPlus(vocabulary=14, answers=14, size=7, passes=2, encoding=places)
    names = {id(each): name for name, each in model.named_parameters()}
    assert [names[id(each)] for each in matrices(model)] == [
        *(
            f"reader.{unit}.{part}"
            for unit in ("onwards", "backwards", "asking")
            for part in ("from_state", "from_value.weight")
        ),
        "hops.look.score.from_both.weight",
        "hops.look.blend.from_state",
        "hops.look.blend.from_value.weight",
        "hops.update.0.from_all.weight",
        "hops.update.1.from_all.weight",
    ]


def test_other_networks_have_no_such_matrices():
    with pytest.raises(TypeError, match="parts of a StoryAnswerer, but this is Linear"):
        matrices(nn.Linear(2, 2))


def test_rates_fall_to_nothing_over_the_updates():
    lesson = Apart().lessons([TaskStories("task 15", tell_stories(15, 40, 0))])[0]
    model = network(Entry.of(lesson, 50))
    course = TurningStudy(updates=10, rate=0.002, matrix_rate=0.05, clip=3.0, patience=7)
    assert course.most() == Steps(10)
    schedule = course.schedule(model, Epochs(2), seed=5)
    assert (schedule.until, schedule.patience, schedule.seed) == (Epochs(2), 7, 5)
    optimiser = schedule.descent.optimiser(list(model.parameters()))
    assert isinstance(optimiser, Muon)
    assert [group["lr"] for group in optimiser.param_groups] == [0.05, 0.002]
    assert len(optimiser.param_groups[0]["params"]) == len(matrices(model))
    assert schedule.descent.clip == 3.0
    moments = [Moment(step=step, epochs=0.0, seconds=0.0) for step in (0, 5, 10)]
    assert [schedule.descent.rate(each) for each in moments] == [1.0, 0.5, 0.0]


def test_errors_choose_epochs_and_restarts_and_then_the_loss(tmp_path):
    lesson = Apart().lessons([TaskStories("task 15", tell_stories(15, 40, 0))])[0]
    entry = Entry.of(lesson, 50)
    given = (material(part, entry) for part in (lesson.train, lesson.valid))
    study = Study(network(entry), Taught(*given, tmp_path, ""), TurningStudy(), seed=0)
    assert study.selected_by == "error and loss"
    with torch.no_grad():
        judged = study.validate()
    assert judged["error and loss"] == pytest.approx(judged["error"] + judged["loss"])
    often, sure, unsure = (
        Grade(0.0, 0.0, error, loss, updates=1, epochs=1, seconds=1)
        for error, loss in ((4.0, 0.1), (3.0, 0.2), (3.0, 0.4))
    )
    assert sorted([unsure, often, sure], key=TurningStudy().worth) == [sure, unsure, often]


@pytest.mark.parametrize(("instead", "count"), [(0, 1_000), (70, 70)])
def test_a_task_without_a_file_has_as_many_made_up_questions_as_wanted(instead, count, monkeypatch):
    monkeypatch.setattr("regard.tasks.stories.in_archive", lambda *_: False)
    told = Babi(Apart(), tasks="3", instead=instead)
    (task,) = told.learned()
    assert len(task.train) == count
    assert told.remarks() == [f"task 3 is trained on {count:,} {data.INSTEAD}"]


GROWN = ToldStories(Apart(), tasks="15-16", told=40, wording="babi")
SMALL = {
    "size": 7, "batch": 16, "restarts": 1, "hard": "", "side_by_side": 1, "updates": 4, "grown": 40,
}  # fmt: skip


def test_a_task_may_begin_with_stories_that_grow(tmp_path, monkeypatch):
    learned = []
    loss = Study.loss
    monkeypatch.setattr(
        Study, "loss", lambda self, batch: learned.append(batch.story) or loss(self, batch)
    )
    recipe = turn(replace(RECIPES["dmnplus-babi"], data=GROWN), SMALL)
    run = RunFolder.create(tmp_path / "run", {})
    recipe.train(run, "cpu", (), "the same again")
    places = [place_of(run.path, f"task {number}", 0) for number in (15, 16)]
    assert [(place / "opening").is_dir() for place in places] == [False, True]
    # Five batches of half the size before the four updates of task 16, in their order.
    assert len(learned) == 4 + 5 + 4
    lengths = [story.ne(0).any(dim=2).sum(dim=1) for story in learned[4:9]]
    told = [len(question.story) for question in growing_stories(16, 40, seed=0)]
    assert torch.cat(lengths).tolist() == told
    assert read_grade(places[1]).updates == 5 + 4


def test_an_opening_drops_nothing_at_a_steady_rate(tmp_path):
    lesson = Apart().lessons([TaskStories("task 16", tell_stories(16, 40, 0))])[0]
    entry = Entry.of(lesson, 50)
    given = (material(part, entry) for part in (lesson.train, lesson.valid))
    before = material(growing_stories(16, 20, seed=0), entry)
    torch.manual_seed(0)
    model = DMNPlus(vocabulary=entry.sizes.words, answers=entry.sizes.words, size=7, dropout=0.9)
    course = TurningStudy(batch=8, decay="0")
    opening = Opening(model, Taught(*given, tmp_path, "", before), course, seed=0)
    batches = opening.epoch(0)
    assert len(batches) == 5
    told = {float(opening.loss(batches[0]).total.detach()) for _ in range(3)}
    assert len(told) == 1
    assert model.training
    schedule = course.opening(model, seed=3)
    assert schedule.until == Epochs(1)
    assert schedule.seed == 3
    moments = [Moment(step=step, epochs=0.0, seconds=0.0) for step in (0, 3_999)]
    assert [schedule.descent.rate(each) for each in moments] == [1.0, 1.0]


def test_how_a_task_began_is_said(tmp_path, capsys):
    recipe = turn(replace(RECIPES["dmnplus-babi"], data=GROWN), SMALL)
    run = RunFolder.create(tmp_path / "run", {})
    recipe.train(run, "cpu", (), "the same again")
    begun = "begun with 40 made-up questions over stories that grow harder"
    assert f"regard: task 16 is {begun}" in capsys.readouterr().err
    notes = {each.scope: each.note for each in recipe.evaluate(run.path) if each.metric == "error"}
    assert begun in notes["task 16"]
    assert begun not in notes["task 15"]
    shutil.rmtree(place_of(run.path, "task 16", 0) / "opening")  # as of a run that is older
    assert not any(begun in each.note for each in recipe.evaluate(run.path))
    with pytest.raises(ValueError, match="opening"):
        RunFolder.create(place_of(run.path, "task 16", 0), {"seed": 0})


@pytest.mark.parametrize("growing", ["3", "3,16"])
def test_a_task_without_stories_that_grow_is_refused(growing):
    with pytest.raises(ValueError, match="told of task 16 alone, not of 3"):
        turn(RECIPES["dmnplus-babi"], {"growing": growing})


def test_an_opening_wants_something_to_learn(tmp_path):
    lesson = Apart().lessons([TaskStories("task 15", tell_stories(15, 40, 0))])[0]
    entry = Entry.of(lesson, 50)
    given = (material(part, entry) for part in (lesson.train, lesson.valid))
    with pytest.raises(ValueError, match="nothing is to be learned before"):
        Opening(network(entry), Taught(*given, tmp_path, ""), TurningStudy(), seed=0)
