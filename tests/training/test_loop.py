"""What the loop does to a model: the right updates, the right end, and a stop before harm."""

import io
import json
import sys
from functools import partial
from types import ModuleType

import pytest
import torch
from torch import nn
from torch.testing import assert_close
from trainee import Repeating, curve, run, schedule, weights

from regard.training import (
    Constant,
    Epochs,
    Experiment,
    Plateau,
    RunFolder,
    Schedule,
    Steps,
    TensorBoard,
)

SGD = partial(torch.optim.SGD, lr=0.1, momentum=0.9)


@pytest.mark.parametrize(("clip", "clip_each"), [(None, None), (0.2, None), (None, 1e-3)])
def test_an_update_is_that_of_the_mean_loss_in_a_bare_loop(tmp_path, clip, clip_each):
    knobs = {"optimiser": SGD, "clip": clip, "clip_each": clip_each, "rate": Constant()}
    run(tmp_path, Repeating(0.0), schedule(10, **knobs))
    bare = Repeating(0.0)
    optimiser = SGD(bare.model.parameters())
    for batch in [*bare.epoch(1), *bare.epoch(2)][:10]:
        optimiser.zero_grad()
        total, count, _ = bare.loss(batch)
        (total / count).backward()
        if clip:
            nn.utils.clip_grad_norm_(bare.model.parameters(), clip)
        if clip_each:
            nn.utils.clip_grad_value_(bare.model.parameters(), clip_each)
        optimiser.step()
    trained = weights(tmp_path)
    assert_close(trained["model.embedding.weight"], bare.model.embedding.weight.detach())
    assert_close(trained["model.cell.weight_hh_l0"], bare.model.cell.weight_hh_l0.detach())


class Joined(Repeating):
    """The same data, two batches at a time as one."""

    def epoch(self, number):
        if number == 1000:  # that of validation
            return super().epoch(number)
        batches = [words for (words,) in super().epoch(number)]
        pairs = zip(batches[::2], batches[1::2], strict=True)
        return [(torch.cat(pair),) for pair in pairs]


def test_accumulated_batches_are_one_bigger_batch(tmp_path):
    run(tmp_path / "many", Repeating(0.0), schedule(accumulate=2))
    run(tmp_path / "big", Joined(0.0), schedule())
    assert_close(weights(tmp_path / "many"), weights(tmp_path / "big"))
    assert_close(curve(tmp_path / "many"), curve(tmp_path / "big"), rtol=1e-4, atol=1e-6)


def test_another_seed_draws_other_noise(tmp_path):
    run(tmp_path / "five")
    run(tmp_path / "six", plan=schedule(seed=6))
    five, six = weights(tmp_path / "five"), weights(tmp_path / "six")
    assert not torch.equal(five["model.embedding.weight"], six["model.embedding.weight"])


def test_training_stops_early_and_the_best_model_is_kept(tmp_path):
    run(tmp_path / "best", plan=schedule(8))
    outcome = run(
        tmp_path / "run",
        Repeating(validation=[float("nan"), 1.0, 2.0, float("-inf"), 1.5, 0.1]),
        schedule(100, patience=3),
    )
    assert outcome[:2] == (20, 2.5)
    assert (outcome.best, outcome.best_step) == (1.0, 8)
    assert outcome.reason == "nothing better in 3 validations"
    model = Repeating().model
    RunFolder.open(tmp_path / "run").load_model(model)
    best = weights(tmp_path / "best")["model.embedding.weight"]
    assert torch.equal(model.embedding.weight.detach(), best)
    last = weights(tmp_path / "run")["model.embedding.weight"]
    assert not torch.equal(model.embedding.weight.detach(), last)


@pytest.mark.parametrize(("sign", "higher_is_better"), [(1, False), (-1, True)])
def test_training_ends_with_the_first_validation_that_is_enough(tmp_path, sign, higher_is_better):
    experiment = Repeating(validation=[sign * value for value in (1.0, 0.6, 0.5, 0.1)])
    experiment.higher_is_better = higher_is_better
    outcome = run(tmp_path / "run", experiment, schedule(100, patience=3, enough=sign * 0.5))
    assert (outcome.step, outcome.best) == (12, sign * 0.5)
    assert outcome.reason == f"{sign * 0.5} is enough"


def test_where_higher_is_better_the_highest_is_kept(tmp_path):
    experiment = Repeating(validation=[1.0, 3.0, 2.0, 2.5, 2.9])
    experiment.higher_is_better = True
    assert run(tmp_path, experiment)[3:6] == (3.0, 8, "the end of the schedule")


def test_epochs_end_a_run_and_are_validated_at_their_end(tmp_path):
    plan = Schedule(Epochs(2), schedule().descent)
    outcome = run(tmp_path, plan=plan)
    assert outcome[:2] == (16, 2.0)
    judged = [(line["step"], line["epoch"]) for line in curve(tmp_path) if "validation" in line]
    assert judged == [(8, 1.0), (16, 2.0)]


def test_the_end_is_validated_wherever_it_falls(tmp_path):
    run(tmp_path, plan=schedule(6))
    assert [line["step"] for line in curve(tmp_path) if "validation" in line] == [4, 6]


def test_the_rate_falls_at_every_validation_that_brought_nothing_better(tmp_path):
    plan = schedule(16, rate=Plateau(0.5), measure=Steps(2))
    run(tmp_path, Repeating(validation=[2.0, 3.0, 1.0, 1.0]), plan)
    rates = {line["step"]: line["learning_rate"] for line in curve(tmp_path) if "loss" in line}
    assert rates == {2: 0.02, 4: 0.02, 6: 0.02, 8: 0.02, 10: 0.01, 12: 0.01, 14: 0.01, 16: 0.01}


def test_a_number_to_select_by_that_validation_lacks_is_named(tmp_path):
    experiment = Repeating()
    experiment.selected_by = "bleu"
    with pytest.raises(
        ValueError, match=r"selected by 'bleu', but validate\(\) gives \['loss', 'right'\]"
    ):
        run(tmp_path, experiment)


class Empty(Repeating):
    def epoch(self, number):
        return []


class Shrinking(Repeating):
    def epoch(self, number):
        return super().epoch(number)[: 3 if self.validation else 8]


def test_an_epoch_without_batches_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="epoch 1 has no batches; is the data empty"):
        run(tmp_path, Empty())


def test_an_epoch_that_shrank_since_the_run_stopped_is_an_error(tmp_path):
    def trouble(call):
        if call == 7:
            raise RuntimeError("the power went")

    with pytest.raises(RuntimeError, match="the power went"):
        run(tmp_path, Shrinking(trouble=trouble))
    with pytest.raises(
        ValueError, match="epoch 1 has 3 batches, but the run stopped after 5 of them"
    ):
        run(tmp_path, Shrinking(validation=[1.0]))


def test_batches_without_items_are_an_error(tmp_path):
    class Silent(Repeating):
        def loss(self, batch):
            return super().loss(batch)._replace(count=0)

    with pytest.raises(ValueError, match="must hold items, but their count is 0"):
        run(tmp_path, Silent())


def test_a_model_that_cannot_learn_is_an_error(tmp_path):
    experiment = Repeating()
    experiment.model.requires_grad_(False)
    with pytest.raises(ValueError, match="no parameter that wants a gradient"):
        run(tmp_path, experiment)


def test_an_experiment_must_say_what_it_is():
    with pytest.raises(TypeError, match=r"abstract methods? '?epoch'?, '?loss'?, '?validate'?"):
        Experiment()


def test_an_experiment_that_lacks_something_is_told_before_the_first_step(tmp_path):
    experiment = Repeating()
    del experiment.model
    with pytest.raises(
        TypeError, match="the experiment Repeating has no 'model'; it needs a model"
    ):
        run(tmp_path, experiment)


def test_lines_are_said_now_and_then_where_there_is_no_terminal(tmp_path, capfd, monkeypatch):
    from regard.training import display

    monkeypatch.setattr(display, "SOONEST", 0.0)
    monkeypatch.setattr(display, "LATEST", 0.0)
    run(tmp_path)
    lines = capfd.readouterr().err.splitlines()
    assert any(line.startswith("step 7 of 20, epoch 0.88, loss ") for line in lines)
    assert any(line.endswith("00:00 left") and " steps/s, " in line for line in lines)
    assert "step 4, epoch 0.50: loss 2.466, right 0.1429 (best)" in lines


def test_a_terminal_gets_a_bar_with_loss_speed_and_time_left(tmp_path, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    run(tmp_path)
    last = terminal.getvalue().split("\r")[-1]
    assert "20/20 [" in last
    assert "step/s, epoch 2.50, loss " in last


def test_tensorboard_that_is_not_installed_is_asked_for_before_any_step(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    experiment = Repeating()
    with pytest.raises(ImportError, match="pip install tensorboard, or leave them out"):
        run(tmp_path, experiment, journals=[TensorBoard()])
    assert experiment.calls == 0


def test_tensorboard_gets_the_numbers_of_the_curve(tmp_path, monkeypatch):
    scalars, made = [], []

    class SummaryWriter:
        def __init__(self, folder, purge_step):
            made.append((folder, purge_step))

        def add_scalar(self, name, value, step):
            scalars.append((step, name, value))

        def flush(self):
            scalars.append("flushed")

        def close(self):
            scalars.append("closed")

    module = ModuleType("torch.utils.tensorboard")
    module.SummaryWriter = SummaryWriter
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", module)
    run(tmp_path, plan=schedule(4, measure=Steps(2)), journals=[TensorBoard()])
    assert made == [(str(tmp_path / "tensorboard"), 1)]
    assert scalars.count("flushed") == 2  # with the first checkpoint and with the last
    assert scalars[-1] == "closed"
    lines = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert (2, "loss", lines[0]["loss"]) in scalars
    assert (4, "validation/right", lines[-1]["validation"]["right"]) in scalars
