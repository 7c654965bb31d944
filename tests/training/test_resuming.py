"""Stopped, killed, interrupted: a run that goes on ends as one that was never stopped."""

import random
import signal
import time
from functools import partial
from pathlib import Path

import pytest
import torch
from trainee import Repeating, curve, run, schedule, state, train_in_child

from regard.training import Halving, Interrupted, Linear, Plateau, Steps


def assert_same_end(first, second, *, drawn_by_python=False):
    """Every bit of two runs' ends is the same: weights, momenta, noise, counts, curve.

    Where types are checked, Python's noise is left out: beartype draws from it at every call.
    """
    one, two = state(first), state(second)
    assert one.tensors.keys() == two.tensors.keys()
    for name, tensor in one.tensors.items():
        other = two.tensors[name]
        assert tensor.dtype == other.dtype
        if name != "random.0.python" or drawn_by_python:
            assert tensor.numpy().tobytes() == other.numpy().tobytes(), name
    for rest in (one.rest, two.rest):
        rest["progress"].pop("seconds")
    assert one.rest == two.rest
    assert curve(first) == curve(second)
    weights = [(Path(path) / "model.safetensors").read_bytes() for path in (first, second)]
    assert weights[0] == weights[1]


def send_at(number, *calls):
    """Trouble: a signal in the middle of the given steps."""

    def trouble(call):
        if call in calls:
            signal.raise_signal(number)

    return trouble


def never_stopped(path, **knobs):
    run(path / "whole", plan=schedule(**knobs))
    return path / "whole"


def stopped(path, calls=(7,), number=signal.SIGINT, **knobs):
    for call in calls:
        with pytest.raises(Interrupted):
            run(path / "stopped", Repeating(trouble=send_at(number, call)), schedule(**knobs))
    run(path / "stopped", plan=schedule(**knobs))
    return path / "stopped"


def test_killed_ten_times_at_random_moments_it_ends_as_if_never_killed(tmp_path, processes):
    steps, killed, whole = 240, tmp_path / "killed", tmp_path / "whole"
    metrics, chance = killed / "metrics.jsonl", random.Random()
    for _ in range(10):
        child = processes.Process(target=train_in_child, args=(killed, steps), daemon=True)
        reached = last_step(metrics) + chance.randrange(2, 16)
        child.start()
        while last_step(metrics) < reached:
            assert child.is_alive(), "the child was to be killed and ended by itself"
            time.sleep(0.001)
        time.sleep(chance.random() * 0.02)
        child.kill()
        child.join()
        assert child.exitcode == -signal.SIGKILL
    for path in (killed, whole):
        child = processes.Process(target=train_in_child, args=(path, steps))
        child.start()
        child.join()
        assert child.exitcode == 0
    assert state(killed).rest["progress"]["step"] == steps
    assert_same_end(killed, whole, drawn_by_python=True)


def last_step(metrics):
    """The step of the newest whole line."""
    try:
        lines = metrics.read_text().split("\n")
    except FileNotFoundError:
        return 0
    return max((int(line.split(",")[0].split()[-1]) for line in lines[:-1]), default=0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_in_the_middle_of_an_epoch_it_ends_as_if_never_stopped(tmp_path, number):
    assert_same_end(stopped(tmp_path, (7, 4, 3), number), never_stopped(tmp_path))


SGD = partial(torch.optim.SGD, lr=0.1, momentum=0.9)
OPTIMISERS = {
    "SGD": SGD,
    "plain SGD": partial(torch.optim.SGD, lr=0.1),
    "AdamW": partial(torch.optim.AdamW, lr=0.01, amsgrad=True),
    "RMSprop": partial(torch.optim.RMSprop, lr=0.01, momentum=0.5, centered=True),
    "Adadelta": torch.optim.Adadelta,
    "Adagrad": partial(torch.optim.Adagrad, lr=0.05, lr_decay=0.1),
}


@pytest.mark.parametrize("name", OPTIMISERS)
def test_every_optimiser_goes_on_with_its_own_state(tmp_path, name):
    knobs = {"optimiser": OPTIMISERS[name], "steps": 10}
    assert_same_end(stopped(tmp_path, **knobs), never_stopped(tmp_path, **knobs))


RATES = [Halving(after=1, every=0.5), Plateau(), Linear(Steps(20)) * Halving(after=2)]


@pytest.mark.parametrize("rate", RATES, ids=str)
def test_every_rate_goes_on_where_it_was(tmp_path, rate):
    knobs = {"rate": rate, "optimiser": SGD}
    assert_same_end(stopped(tmp_path, (13,), **knobs), never_stopped(tmp_path, **knobs))


def test_accumulated_batches_are_taken_up_where_they_were_left(tmp_path):
    knobs = {"accumulate": 3}  # epochs of 8 batches: 3, 3, 2
    assert_same_end(stopped(tmp_path, (4, 8), **knobs), never_stopped(tmp_path, **knobs))


def test_patience_that_was_used_up_stays_used_up(tmp_path):
    worse = [3.0, 4.0, 5.0, 6.0, 7.0]
    plan = schedule(40, patience=3)
    with pytest.raises(Interrupted):
        run(tmp_path, Repeating(trouble=send_at(signal.SIGINT, 10), validation=worse), plan)
    outcome = run(tmp_path, Repeating(validation=worse[2:]), plan)
    assert (outcome.step, outcome.best, outcome.best_step) == (16, 3.0, 4)
    assert outcome.reason == "nothing better in 3 validations"


def test_ctrl_c_says_how_to_go_on_and_gives_the_signals_back(tmp_path, capfd):
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with pytest.raises(
        Interrupted, match=r"^stopped by Ctrl-C after step 7, .* with regard go$"
    ) as stop:
        run(tmp_path, Repeating(trouble=send_at(signal.SIGINT, 7)), resume_with="regard go")
    assert stop.value.signal == signal.SIGINT
    assert "finishing this step, then saving" in capfd.readouterr().err
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
    assert state(tmp_path).rest["progress"]["step"] == 7


def test_ctrl_c_once_more_stops_at_once_and_loses_nothing_that_was_saved(tmp_path):
    def trouble(call):
        if call == 8:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as stop:
        run(tmp_path / "stopped", Repeating(trouble=trouble))
    assert not isinstance(stop.value, Interrupted)
    assert state(tmp_path / "stopped").rest["progress"]["step"] == 5
    run(tmp_path / "stopped")
    assert_same_end(tmp_path / "stopped", never_stopped(tmp_path))


def test_a_finished_run_is_left_as_it_is(tmp_path):
    first = run(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")}
    again = Repeating()
    assert run(tmp_path, again) == first
    assert again.calls == again.validations == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")} == {
        **before, tmp_path / ".held": (tmp_path / ".held").stat().st_mtime_ns,
    }  # fmt: skip


def test_tied_weights_are_kept_once_and_stay_tied(tmp_path):
    stopped(tmp_path)
    tensors, rest = state(tmp_path / "stopped")
    assert rest["tied"] == {"output.weight": "embedding.weight"}
    assert "model.output.weight" not in tensors
    experiment = Repeating()
    run(tmp_path / "stopped", experiment)
    model = experiment.model
    assert model.output.weight is model.embedding.weight
    assert torch.equal(model.output.weight, tensors["model.embedding.weight"])


def test_how_often_it_validates_does_not_change_the_weights(tmp_path):
    run(tmp_path / "often", plan=schedule(validate=Steps(1)))
    run(tmp_path / "once", plan=schedule(validate=Steps(20)))
    often, once = state(tmp_path / "often").tensors, state(tmp_path / "once").tensors
    assert all(torch.equal(often[name], once[name]) for name in once if "random" not in name)
    assert torch.equal(often["random.0.torch"], once["random.0.torch"])


def test_two_processes_cannot_train_in_one_folder(tmp_path):
    def trouble(call):
        if call == 3:
            with pytest.raises(ValueError, match="another process is training in"):
                run(tmp_path)

    assert run(tmp_path, Repeating(trouble=trouble)).step == 20
