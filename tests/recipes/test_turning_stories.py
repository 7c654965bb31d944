"""Stories learned by Muon: which matrices are turned, how long, at which rates."""

import pytest
import torch
from test_dynamic_memory import network
from torch import nn

from regard.models import DMNPlus, LearnedPositionEncoding
from regard.recipes.stories import data
from regard.recipes.stories.course import Grade, Taught
from regard.recipes.stories.data import Babi
from regard.recipes.stories.lessons import Apart, TaskStories
from regard.recipes.stories.material import Entry, material
from regard.recipes.stories.study import Study, matrices
from regard.recipes.stories.studying import TurningStudy
from regard.tasks.stories import tell_stories
from regard.training import Epochs, Moment, Muon, Steps


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
