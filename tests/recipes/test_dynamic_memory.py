"""Dynamic memory networks on stories from end to end, at sizes that train in seconds."""

from dataclasses import replace

import pytest
import torch
from torch import nn
from torch.nn.functional import cross_entropy
from torch.testing import assert_close

from regard.losses import gate_supervision
from regard.models import DMN
from regard.models.sentences import (
    BagOfWords,
    LearnedPositionEncoding,
    PositionEncoding,
    ReleasedPositionEncoding,
)
from regard.recipes import RECIPES, turn
from regard.recipes.stories.course import Taught
from regard.recipes.stories.data import ToldStories
from regard.recipes.stories.lessons import Apart, TaskStories
from regard.recipes.stories.material import Entry, material
from regard.recipes.stories.study import GateStudy, Study, support_of
from regard.recipes.stories.studying import EarlyStopping
from regard.recipes.stories.systems import Sizes
from regard.recipes.stories.teaching import place_of, read_grade
from regard.tasks.stories import tell_stories
from regard.training import RunFolder, loop
from regard.training.experiment import check

MADE = ToldStories(Apart(), tasks="15", told=60, wording="babi")
TINY = {"size": 7, "batch": 16, "restarts": 1, "side_by_side": 1, "gate_epochs": 0}
TWICE = {"dmn-babi": {"epochs": 2}, "dmnplus-babi": {"updates": 8}}  # through 54 questions


@pytest.fixture(scope="module")
def lesson():
    return Apart().lessons([TaskStories("task 15", tell_stories(15, 40, 0))])[0]


@pytest.fixture
def taught(lesson, tmp_path):
    entry = Entry.of(lesson, 50)
    given = (material(part, entry) for part in (lesson.train, lesson.valid))
    return entry, Taught(*given, tmp_path, "the same again")


def network(entry):
    torch.manual_seed(0)
    words = entry.sizes.words
    return DMN(vocabulary=words, answers=words, size=5, passes=3)


@pytest.mark.parametrize("name", TWICE)
def test_it_trains_answers_and_is_measured(name, tmp_path):
    recipe = turn(replace(RECIPES[name], data=MADE), {**TINY, **TWICE[name]})
    run = RunFolder.create(tmp_path / "run", {})
    recipe.train(run, "cpu", (), "the same again")
    text = "Mice are afraid of cats. Emily is a mouse. What is Emily afraid of?"
    answered = recipe.load(run.path)(text)
    assert answered.weights.shape == (recipe.system.passes, 2)
    assert answered.answer in recipe.load(run.path).networks["task 15"].entry.vocabulary
    (error,) = [each for each in recipe.evaluate(run.path) if each.metric == "error"]
    assert 0 < error.value <= 100
    assert error.paper is None  # whose networks are larger
    grade = read_grade(place_of(run.path, "task 15", 0))
    assert grade.epochs == 2
    assert grade.updates == 8


@pytest.mark.parametrize(
    ("encoding", "most"), [("released", 9), ("learned", 9), ("paper", None), ("bag", None)]
)
def test_sentences_are_encoded_as_told(encoding, most):
    recipe = turn(RECIPES["dmnplus-babi"], {"encoding": encoding})
    sizes = Sizes(words=20, longest=9, slots=30)
    assert recipe.system.reads(sizes) == most
    kinds = {
        "released": ReleasedPositionEncoding,
        "learned": LearnedPositionEncoding,
        "paper": PositionEncoding,
        "bag": BagOfWords,
    }
    assert type(recipe.system.build(sizes).reader.encoding) is kinds[encoding]


def test_an_encoding_that_is_none_is_named():
    with pytest.raises(ValueError, match="released, paper, bag, learned, but it is 'words'"):
        turn(RECIPES["dmnplus-babi"], {"encoding": "words"})


def test_each_pass_is_told_its_fact_while_there_are_facts_left():
    order = torch.tensor([[0, 2, 1, 0], [0, 0, 0, 1], [3, 1, 2, 4]])
    assert support_of(order, 3).tolist() == [[2, 1, -1], [3, -1, -1], [1, 2, 0]]


def test_the_loss_is_that_of_answers_gates_and_squares(taught):
    entry, given = taught
    model = network(entry)
    study = Study(model, given, EarlyStopping(guidance=0.5, decay="0.01", batch=8), seed=0)
    batch = study.epoch(1)[0]
    loss = study.loss(batch)
    logits, looks = model(batch.story, batch.question)
    squares = sum(part.square().sum() for part in model.parameters() if part.dim() > 1)
    expected = (
        cross_entropy(logits, batch.answer)
        + 0.5 * gate_supervision(looks, batch.support)
        + 0.005 * squares
    )
    assert loss.count == 8
    assert_close(loss.total / 8, expected)


def test_restarts_take_the_weights_of_squares_in_turn(taught):
    entry, given = taught
    course = EarlyStopping(seed=5, decay="0.25, 1", batch=8)
    assert [course.decay_of(seed) for seed in (5, 6, 7)] == [0.25, 1, 0.25]
    model = network(entry).eval()
    first, second = (Study(model, given, course, seed=seed) for seed in (5, 6))
    batch = first.epoch(1)[0]
    squares = sum(part.square().sum() for part in model.parameters() if part.dim() > 1)
    assert_close(second.loss(batch).total - first.loss(batch).total, 8 * 0.375 * squares)


@pytest.mark.parametrize("given", ["much", "0.1,", "-1", "nan", "inf"])
def test_a_weight_of_squares_that_is_none_is_named(given):
    with pytest.raises(ValueError, match=f"--decay takes weights of 0 or more.* but '{given}' has"):
        EarlyStopping(decay=given)


def test_gates_may_be_taught_and_judged_alone(taught):
    entry, given = taught
    model = network(entry)
    course = EarlyStopping(guidance=0.5, gate_epochs=1, decay="0", batch=8)
    study = GateStudy(model, given, course, seed=0)
    batch = study.epoch(1)[0]
    loss = study.loss(batch)
    _, looks = model(batch.story, batch.question)
    assert_close(loss.total / 8, 0.5 * gate_supervision(looks, batch.support))
    loss.total.backward()
    assert not model.answer.to_answer.weight.grad.any()
    with torch.no_grad():
        judged = study.validate()
        _, looks = model.eval()(*given.valid.stories.pick(slice(None)))
        support = support_of(given.valid.order, 3)
    found = torch.cat([each.weights.argmax(dim=-1) for each in looks], dim=-1)
    told = support >= 0
    assert told.any()
    assert not told.all()
    assert judged["error"] == pytest.approx(100 * float((found != support)[told].double().mean()))
    assert judged["loss"] == pytest.approx(float(gate_supervision(looks, support)), rel=1e-5)


def test_what_gates_learned_alone_the_answers_begin_with(taught, monkeypatch):
    entry, given = taught
    model = network(entry)
    kept = {}

    def first_weights(study):
        kept[type(study)] = study.model.reader.embedding.weight.detach().clone()
        return check(study)

    monkeypatch.setattr(loop, "check", first_weights)
    course = EarlyStopping(guidance=1.0, gate_epochs=2, epochs=1, decay="0", batch=16)
    grade = course.learn(model, given, 0)
    assert list(kept) == [GateStudy, Study]
    gates = network(entry)
    RunFolder.open(given.folder / "gates").load_model(gates)
    assert_close(kept[Study], gates.reader.embedding.weight, rtol=0, atol=0)
    assert (kept[Study] - kept[GateStudy]).abs().max() > 0
    updates = -(-len(given.train.order) // 16)
    assert (grade.epochs, grade.updates) == (3, 3 * updates)


def test_every_question_comes_once_in_an_epoch_in_another_order(taught):
    entry, given = taught
    study = Study(network(entry), given, EarlyStopping(batch=8), seed=0)
    first, again, second = (
        torch.cat([batch.answer for batch in study.epoch(number)]) for number in (1, 1, 2)
    )
    assert first.tolist() == again.tolist() != second.tolist()
    assert sorted(first.tolist()) == sorted(given.train.stories.answer.tolist())


def test_stories_of_one_length_are_learned_side_by_side(tmp_path):
    lesson = Apart().lessons([TaskStories("task 1", tell_stories(1, 60, 0))])[0]
    entry = Entry.of(lesson, 50)
    given = Taught(material(lesson.train, entry), material(lesson.valid, entry), tmp_path, "")
    batches = Study(network(entry), given, EarlyStopping(batch=4), seed=0).epoch(1)
    lengths = [set(batch.story.any(dim=2).sum(dim=1).tolist()) for batch in batches]
    assert len(set.union(*lengths)) > 2
    assert sum(len(alike) == 1 for alike in lengths) > 0.7 * len(lengths)


def test_validation_is_the_mean_loss_and_the_share_of_wrong_answers(taught):
    entry, given = taught
    study = Study(network(entry), given, EarlyStopping(), seed=0)
    model, stories = study.model.eval(), given.valid.stories
    with torch.no_grad():
        logits, _ = model(*stories.pick(slice(None)))
        found = study.validate()
    assert found["loss"] == pytest.approx(float(cross_entropy(logits, stories.answer)), rel=1e-5)
    wrong = logits.argmax(dim=1).ne(stories.answer).double().mean()
    assert found["error"] == pytest.approx(100 * float(wrong))


def test_a_restart_ends_with_a_loss_that_is_enough(taught):
    entry, given = taught
    course = EarlyStopping(epochs=30, patience=3, enough=50.0, batch=64)
    assert course.learn(network(entry), given, 0).epochs == 1
    gates_first = EarlyStopping(
        epochs=30, patience=3, enough=50.0, batch=64, guidance=1.0, gate_epochs=30
    )
    assert gates_first.learn(network(entry), given, 0).epochs == 1 + 1


def test_gates_cannot_be_taught_alone_without_a_weight(taught):
    entry, given = taught
    with pytest.raises(ValueError, match="--gate-epochs 2 teaches the gates alone, but --guidance"):
        EarlyStopping(gate_epochs=2).learn(network(entry), given, 0)


def test_a_linear_start_is_for_memory_networks(taught):
    with pytest.raises(TypeError, match="a linear start is for a MemN2N, but this is Linear"):
        RECIPES["memn2n-babi"].course.learn(nn.Linear(2, 3), taught[1], 0)
