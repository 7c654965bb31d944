"""Losses, gradients and weights that are no numbers any more stop a run; huge ones do not."""

from functools import partial

import pytest
import torch
from torch.testing import assert_close
from trainee import Repeating, run, schedule, state, weights

from regard.training import Constant, Loss, NotFiniteError

SGD = partial(torch.optim.SGD, lr=0.1, momentum=0.9)


@pytest.mark.parametrize("factor", [float("nan"), float("inf")])
def test_a_loss_that_is_not_finite_stops_with_step_batch_and_last_good_state(tmp_path, factor):
    experiment = Repeating(trouble=lambda call: factor if call == 12 else 1.0)
    message = (
        rf"the loss is {factor} at step 12, batch 3 \(from 0\) of the 8 of epoch 2; the weights "
        r"were not changed by it, and the last good state is that of step 10, in .*state/000002\. "
    )
    with pytest.raises(NotFiniteError, match=message):
        run(tmp_path / "bad", experiment)
    run(tmp_path / "good", plan=schedule(11))
    good = weights(tmp_path / "good")["model.embedding.weight"]
    assert torch.equal(experiment.model.embedding.weight.detach(), good)


class Steep(Repeating):
    """A finite loss whose gradient is not: the root of zero."""

    def loss(self, batch):
        total, count, metrics = super().loss(batch)
        rooted = (total * 0).sqrt() if self.calls == 6 else total * 0
        return Loss(total + rooted, count, metrics)


def test_a_gradient_that_is_not_finite_stops_and_names_all_its_batches(tmp_path):
    with pytest.raises(
        NotFiniteError, match=r"norm of the gradient is nan at step 3, batches 4 to 5 "
    ):
        run(tmp_path, Steep(), schedule(accumulate=2))


class Cliff(Repeating):
    """A gradient whose numbers are finite, but whose squares are not."""

    def loss(self, batch):
        total, count, metrics = super().loss(batch)
        return Loss(total * 1e25 if self.calls == 6 else total, count, metrics)


def test_a_gradient_whose_squares_are_infinite_is_clipped_like_any_other(tmp_path):
    run(tmp_path / "steep", Cliff(0.0), schedule(8, optimiser=SGD, clip=1e-3, rate=Constant()))
    run(tmp_path / "level", Repeating(0.0), schedule(8, optimiser=SGD, clip=1e-3, rate=Constant()))
    steep, level = weights(tmp_path / "steep"), weights(tmp_path / "level")
    for name, wanted in level.items():  # where all are clipped, only the direction counts
        assert_close(steep[name], wanted)


def test_weights_that_are_not_finite_are_never_saved(tmp_path):
    class Spoiling(torch.optim.SGD):
        def step(self, closure=None):
            super().step(closure)
            if experiment.calls == 10:
                self.param_groups[0]["params"][0].data[0, 0] = float("inf")

    experiment = Repeating()
    plan = schedule(optimiser=partial(Spoiling, lr=0.1))
    message = "a weight is not finite after step 10, so it is not saved; .* that of step 5"
    with pytest.raises(NotFiniteError, match=message):
        run(tmp_path, experiment, plan)
    assert state(tmp_path).rest["progress"]["step"] == 5
