"""Recipes of networks that answer questions over stories, at sizes that train in seconds."""

import json
import os
from dataclasses import replace

import pytest
from torch.testing import assert_close

import regard
from regard import ledger, running
from regard.command import main
from regard.parameters import read_weights
from regard.recipes import RECIPES, turn
from regard.recipes.stories.book import choose
from regard.recipes.stories.course import Grade
from regard.recipes.stories.lessons import Apart, TaskStories, TaskTest, Together, task_numbers
from regard.recipes.stories.material import Entry, material
from regard.recipes.stories.measuring import ask
from regard.recipes.stories.teaching import place_of, read_grade
from regard.tasks.stories import Question, tell_stories, typed_text, write_stories
from regard.training import Interrupted

real = pytest.mark.skipif(
    not os.environ.get("REGARD_DATA"), reason="REGARD_DATA is not set: bAbI is not read"
)
MARY = "Mary went to the garden. John went to the office. Where is Mary?"


def test_tasks_are_named_by_numbers_and_ranges():
    assert task_numbers("7") == [7]
    assert task_numbers("1, 4-6,5") == [1, 4, 5, 6]
    with pytest.raises(ValueError, match=r"tasks of bAbI are 1 to 20, but '21' is none"):
        task_numbers("1,21")
    with pytest.raises(ValueError, match="'6-4' goes backwards; give 4-6"):
        task_numbers("6-4")


def test_each_task_is_a_lesson_or_all_are_one():
    tasks = [TaskStories(f"task {task}", tell_stories(task, 20, 0)) for task in (1, 6)]
    apart = Apart().lessons(tasks)
    assert [(each.name, len(each.train), len(each.valid)) for each in apart] == [
        ("task 1", 18, 2), ("task 6", 18, 2)
    ]  # fmt: skip
    assert apart[0].valid == tasks[0].train[-2:]
    (together,) = Together().lessons(tasks)
    assert (len(together.train), len(together.valid)) == (36, 4)
    assert sorted([*together.train, *together.valid]) == sorted([*tasks[0].train, *tasks[1].train])
    tests = [TaskTest(task.name, ()) for task in tasks]
    assert Apart().share(tests) == {"task 1": tests[:1], "task 6": tests[1:]}
    assert Together().share(tests) == {"all tasks": tests}


def test_material_keeps_the_last_sentences_and_silences_unknown_words():
    story = (("a", "b"), ("b", "c"), ("c", "a"))
    lesson = Apart().lessons([TaskStories("own", [Question(story, ("b",), "c", (2, 0))] * 2)])
    entry = Entry.of(lesson[0], 2)
    assert (entry.sizes.longest, entry.sizes.slots) == (2, 2)
    asked = Question((("b", "zoo"), ("zoo", "a"), ("c",)), ("b",), "c", (2, 0))
    found = material([asked], entry)
    a, c = entry.vocabulary.encode(["a", "c"])
    assert found.stories.sentences[found.stories.story[0]].tolist() == [[0, a], [c, 0]]
    assert found.order.tolist() == [[0, 1]]  # the first sentence, a fact, is forgotten


def test_of_all_restarts_that_with_the_lowest_training_error_is_kept(joint):
    recipe, name = running.opened(joint), "all tasks"
    grades = {seed: read_grade(place_of(joint, name, seed)) for seed in (3, 4)}
    best = min(grades, key=lambda seed: (grades[seed].training_error, grades[seed].training_loss))
    assert choose(recipe, joint, [name])[name][0] == best
    kept = read_weights(joint / "model.safetensors").tensors
    own = read_weights(place_of(joint, name, best) / "model.safetensors").tensors
    assert_close(kept[f"{name}.tables"], own["tables"])


def test_ties_are_broken_by_the_training_loss():
    course = RECIPES["memn2n-babi"].course
    better = Grade(0.0, 0.1, 9.0, 9.0, 1, 1.0, 1.0)
    assert course.worth(better) < course.worth(better._replace(training_loss=0.2))
    assert course.worth(better) < course.worth(
        better._replace(training_error=1.0, training_loss=0.0)
    )


def test_a_run_that_was_stopped_goes_on_with_what_is_missing(
    joint, tmp_path, monkeypatch, trained, tiny
):
    from regard.recipes.stories import teaching

    attempt, done = teaching.attempt, []

    def stopped(trial):
        if done:
            raise Interrupted("stop", 2)
        done.append(trial.seed)
        return attempt(trial)

    monkeypatch.setattr(teaching, "attempt", stopped)
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path / "run", "memn2n-stories", tiny)
    assert not (tmp_path / "run" / "model.safetensors").exists()
    with pytest.raises(ValueError, match=r"all restarts have ended; go on with .* --resume .*run$"):
        regard.load(tmp_path / "run")
    with pytest.raises(ValueError, match="go on with regard train --resume"):
        running.opened(tmp_path / "run").evaluate(tmp_path / "run")
    monkeypatch.setattr(teaching, "attempt", attempt)
    before = (place_of(tmp_path / "run", "all tasks", 3) / "grade.json").stat().st_mtime_ns
    assert main(["train", "--resume", str(tmp_path / "run")]) == 0
    after = (place_of(tmp_path / "run", "all tasks", 3) / "grade.json").stat().st_mtime_ns
    assert before == after
    whole, again = (path / "model.safetensors" for path in (joint, tmp_path / "run"))
    assert whole.read_bytes() == again.read_bytes()


def test_processes_side_by_side_give_the_same_weights(joint, tmp_path, trained, tiny):
    other = trained(tmp_path / "run", "memn2n-stories", {**tiny, "side_by_side": 2})
    files = (path / "model.safetensors" for path in (joint, other))
    assert next(files).read_bytes() == next(files).read_bytes()
    lines = [json.loads(line) for line in (other / "metrics.jsonl").read_text().splitlines()]
    assert sorted(line["seed"] for line in lines[:-1]) == [3, 4]
    assert list(lines[-1]["validation"]) == ["training error", "validation error"]


def test_a_network_that_knows_the_words_answers(tmp_path, trained, tiny):
    run = trained(tmp_path / "run", "memn2n-stories", {**tiny, "restarts": 1, "epochs": 10},
                data=replace(RECIPES["memn2n-stories"].data, grouping=Apart()))  # fmt: skip
    answerer = turn(RECIPES["memn2n-stories"], tiny).load(run)
    assert set(answerer.networks) == {"task 1", "task 15"}
    assert answerer(MARY).lesson == "task 1"
    assert answerer(
        "Mice are afraid of cats. Emily is a mouse. What is Emily afraid of?"
    ).lesson == ("task 15")


def test_errors_are_measured_by_task_with_all_restarts(joint):
    found = running.opened(joint).evaluate(joint)
    errors = {each.scope: each for each in found if each.metric == "error"}
    assert set(errors) == {"all", "task 1", "task 15"}
    assert errors["all"].value == pytest.approx(
        (errors["task 1"].value + errors["task 15"].value) / 2
    )
    assert errors["task 1"].value <= 20
    assert len(errors["all"].restarts) == 2
    assert errors["task 1"].value in errors["task 1"].restarts
    assert errors["all"].selected_by == ("the lowest training error of 2 restarts of each lesson")
    looks = {each.scope: each for each in found if each.metric == "hops on supporting facts"}
    assert set(looks) == {"all", "task 1", "task 15"}
    assert looks["all"].value > 45  # of six sentences, one or two are facts: chance is about 25
    counted = {each.scope: each.value for each in found if "empty slots" in each.metric}
    assert set(counted) == set(looks)
    assert all(counted[scope] <= looks[scope].value for scope in looks)
    found_facts = {each.scope: each.value for each in found if "facts found" in each.metric}
    assert found_facts["task 1"] > looks["task 1"].value  # one hop of three is enough
    (failed,) = [each for each in found if each.metric == "failed tasks"]
    assert failed.value == sum(errors[name].value > 5 for name in ("task 1", "task 15"))


def test_an_error_is_the_share_of_wrong_answers(joint):
    network = regard.load(joint).networks["all tasks"]
    questions = tell_stories(1, 30, seed=9)
    wrong = [replaced._replace(answer="bedroom") for replaced in questions]
    error, _, weights = ask(network.model, material(wrong, network.entry))
    expected = sum(regard.load(joint)(typed_text(each)).answer != "bedroom" for each in questions)
    assert error == pytest.approx(100 * expected / 30)
    assert weights.shape == (30, 3, max(len(each.story) for each in questions))


def test_restarts_stand_in_the_ledger(joint, tmp_path, monkeypatch):
    monkeypatch.setattr(ledger, "IN_REPOSITORY", tmp_path / "results")
    monkeypatch.setattr(ledger, "PACKAGED", tmp_path / "nowhere")
    assert main(["evaluate", str(joint)]) == 0
    ledger.enter([joint])
    first = ledger.rows()[0]
    assert first.ours["seeds"] == [3, 4]
    assert len(first.ours["values"]) == 2
    assert first.selected_by.endswith("of 2 restarts of each lesson")


def test_own_stories_are_learned_and_tested(tmp_path, capsys, trained, tiny):
    for name, seed in (("train", 0), ("test", 1)):
        write_stories(tmp_path / f"{name}.txt", tell_stories(15, 320, seed))
    knobs = {key: value for key, value in tiny.items() if key not in ("tasks", "told", "wording")}
    run = trained(tmp_path / "run", "memn2n-own", {**knobs, "train": str(tmp_path / "train.txt")})
    with pytest.raises(
        ValueError, match="no stories to test on; give some to regard evaluate by --test FILE"
    ):
        running.opened(run).evaluate(run)
    assert main(["evaluate", str(run), "--test", str(tmp_path / "test.txt")]) == 0
    assert capsys.readouterr().out.startswith("test: error ")
    (tmp_path / "new.txt").write_text(
        "1 Gertrude is a cat.\n2 What is Gertrude afraid of?\tmoons\t1\n"
        "3 Gertrude is a cat that Zed has seen for many years now.\n4 What is Zed?\twolf\n"
    )
    assert main(["evaluate", str(run), "--test", str(tmp_path / "new.txt")]) == 0
    told = capsys.readouterr().out
    assert "  error: new.txt\n" in told
    assert "  error: 1 of 2 answers are none that the network has ever heard" in told
    assert ": that, zed, has, seen, for, ...\n" in told
    assert "which reads the first 5 of each: 'gertrude is a cat that zed has seen" in told


def test_training_says_what_stories_it_learns_from_instead(tmp_path, capsys, trained, tiny):
    class Instead(type(RECIPES["memn2n-stories"].data)):
        def remarks(self):
            return ["task 1 is trained on others"]

    data = Instead(Apart())
    trained(tmp_path / "run", "memn2n-stories", {**tiny, "tasks": "1", "epochs": 1}, data=data)
    assert capsys.readouterr().err.startswith("regard: task 1 is trained on others\n")


def test_fewer_questions_than_a_batch_are_told_with_the_knob(tmp_path, trained, tiny):
    write_stories(tmp_path / "train.txt", tell_stories(15, 20, 0))
    knobs = {key: value for key, value in tiny.items() if key not in ("tasks", "told", "wording")}
    with pytest.raises(ValueError, match=r"are 18 questions .* take --batch 18 or less, or give m"):
        trained(tmp_path / "run", "memn2n-own", {**knobs, "train": str(tmp_path / "train.txt")})


def test_own_stories_must_be_given():
    with pytest.raises(ValueError, match="give your stories: --train FILE"):
        RECIPES["memn2n-own"].data.lessons()


def test_a_wrong_word_for_a_part_is_told():
    with pytest.raises(ValueError, match="tying must be one of adjacent, layer-wise, but it is"):
        turn(RECIPES["memn2n-babi"], {"tying": "loose"})


@real
def test_the_missing_file_of_task_3_is_said(monkeypatch):
    monkeypatch.setattr("regard.tasks.stories.tell_stories", lambda *told, **seed: list(told))
    data = turn(RECIPES["memn2n-babi-10k"], {"tasks": "3"}).data
    assert data.learned()[0].train == [3, 10_000]
    assert data.remarks()[0].startswith("task 3 is trained on 10,000 generated stories, tested on")
    assert not turn(RECIPES["memn2n-babi-10k"], {"tasks": "1,2"}).data.remarks()
    (test,) = data.tested(2)
    assert len(test.questions) == 2
    assert "trained on 10,000 generated stories, tested on the official ones" in test.note


def test_papers_have_a_column_for_every_babi_recipe():
    for name in ("memn2n-babi", "memn2n-babi-joint", "memn2n-babi-10k", "memn2n-babi-best"):
        paper = RECIPES[name].published
        mean = sum(paper.by_task.values()) / 20
        assert mean == pytest.approx(paper.mean, abs=0.06), name
        assert sum(error > 5 for error in paper.by_task.values()) == paper.failed
