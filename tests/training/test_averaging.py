"""The weights that are judged and kept may be a mean; training goes on from the last ones."""

from functools import partial

import pytest
import safetensors.torch
import torch
from torch import nn
from trainee import Repeating, curve, run, schedule, state

from regard.training import Averaged, Latest


def test_the_mean_is_even_at_first_and_then_older_weights_fade():
    weight = nn.Parameter(torch.tensor([8.0]))
    kept = Averaged([weight], updates=2)
    means = []
    for step, value in enumerate([4.0, 6.0, 1.0], 1):
        weight.data.fill_(value)
        kept.follow(step)
        with kept.shown():
            means.append(weight.item())
        assert weight.item() == value  # training goes on from the last
    assert means == [4.0, 5.0, 3.0]  # what it was before the first update is no part of it


def test_weights_come_back_when_a_judgement_fails():
    weight = nn.Parameter(torch.tensor([8.0]))
    kept = Averaged([weight], updates=5)
    weight.data.fill_(2.0)
    with pytest.raises(RuntimeError), kept.shown():
        raise RuntimeError
    assert weight.item() == 2.0


@pytest.mark.parametrize("updates", [0, -3])
def test_nothing_is_averaged_over_no_updates(updates):
    with pytest.raises(ValueError, match=f"1 update or more, but not over {updates}"):
        Averaged([], updates=updates)


class Followed(Repeating):
    """Remembers its output weights after each update, and those that it is judged with."""

    def __init__(self):
        super().__init__()
        self.passed, self.judged = [], []

    def loss(self, batch):
        self.passed.append(self.model.output.bias.detach().clone())
        return super().loss(batch)

    def validate(self):
        self.judged.append(self.model.output.bias.detach().clone())
        return super().validate()


def test_the_mean_is_what_is_judged_and_saved(tmp_path):
    experiment = Followed()
    run(tmp_path / "mean", experiment, schedule(8, kept=partial(Averaged, updates=100)))
    after = [*experiment.passed[1:], experiment.model.output.bias.detach()]
    torch.testing.assert_close(experiment.judged[-1], torch.stack(after).mean(0))
    saved = safetensors.torch.load_file(tmp_path / "mean" / "model.safetensors")
    best = min(
        (line["validation"]["loss"], place)
        for place, line in enumerate(
            line for line in curve(tmp_path / "mean") if "validation" in line
        )
    )[1]
    torch.testing.assert_close(saved["output.bias"], experiment.judged[best], rtol=0, atol=0)


def test_training_is_the_same_with_and_without_a_mean(tmp_path):
    with_mean, without = Followed(), Followed()
    run(tmp_path / "mean", with_mean, schedule(8, kept=partial(Averaged, updates=3)))
    run(tmp_path / "last", without, schedule(8, kept=Latest))
    torch.testing.assert_close(with_mean.passed, without.passed, rtol=0, atol=0)
    assert not torch.equal(with_mean.judged[-1], without.judged[-1])


def test_a_stopped_run_goes_on_with_its_mean(tmp_path):
    def plan(steps):
        return schedule(steps, kept=partial(Averaged, updates=4))

    def stop(call):
        if call == 14:
            raise KeyboardInterrupt

    run(tmp_path / "whole", plan=plan(20))
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "stopped", Repeating(trouble=stop), plan(20))
    run(tmp_path / "stopped", plan=plan(20))
    whole, stopped = (means(tmp_path / name) for name in ("whole", "stopped"))
    assert whole
    torch.testing.assert_close(stopped, whole, rtol=0, atol=0)
    models = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "stopped")]
    assert models[0] == models[1]


@pytest.mark.parametrize(
    ("first", "then", "message"),
    [
        (Latest, partial(Averaged, updates=4), "over 1 updates, but updates=4"),
        (partial(Averaged, updates=7), partial(Averaged, updates=4), "over 7 updates, but"),
        (partial(Averaged, updates=7), Latest, "has means of the weights, but the last weights"),
    ],
)
def test_a_run_goes_on_with_the_mean_that_it_began_with(first, then, message, tmp_path):
    run(tmp_path, plan=schedule(8, kept=first))
    with pytest.raises(ValueError, match=message):
        run(tmp_path, plan=schedule(20, kept=then))


def test_small_steps_of_weights_in_half_precision_are_not_lost():
    weight = nn.Parameter(torch.ones(1, dtype=torch.float16))
    kept = Averaged((part for part in [weight]), updates=10_000)
    kept.follow(1)
    weight.data.fill_(1.01)
    for step in range(2, 2_001):
        kept.follow(step)
    assert kept.means[0].item() == pytest.approx(1.01, abs=1e-3)
    with kept.shown():
        assert weight.item() == pytest.approx(1.01, abs=1e-3)


def means(path):
    tensors = state(path).tensors
    return {name: tensor for name, tensor in tensors.items() if name.startswith("kept.")}
