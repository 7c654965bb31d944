"""Rates worked by hand, spans, seeds of noise, threads."""

import random
from functools import partial
from itertools import pairwise

import pytest
import torch
from torch.testing import assert_close

from regard.training import (
    Constant,
    Descent,
    Epochs,
    Halving,
    InverseRoot,
    Linear,
    Moment,
    Plateau,
    Schedule,
    Seconds,
    Steps,
    choose_threads,
    randomness,
)

CPU = torch.device("cpu")


def at(step=1, epochs=0.0, setbacks=0):
    return Moment(step, epochs, 0.0, setbacks)


def test_the_inverse_root_is_the_transformer_s_equation():
    size, warm_up = 512, 4000
    rate, own = InverseRoot(warm_up), (size * warm_up) ** -0.5
    for step in (1, 100, 3999, 4000, 4001, 100_000):
        paper = size**-0.5 * min(step**-0.5, step * warm_up**-1.5)  # eq. 3
        assert_close(own * rate(at(step)), paper)
    assert rate(at(4000)) == 1


def test_halving_begins_after_its_epoch_and_goes_on():
    every = [Halving(after=5)(at(epochs=epochs)) for epochs in (0.0, 4.99, 5.0, 5.99, 6.0, 8.5)]
    assert every == [1, 1, 1 / 2, 1 / 2, 1 / 4, 1 / 16]
    half = [Halving(5, 0.5)(at(epochs=epochs)) for epochs in (4.5, 5.0, 5.5, 7.25)]
    assert half == [1, 1 / 2, 1 / 4, 1 / 32]
    # MemN2N: half every 25 epochs until 100
    slow = [Halving(25, 25, 100)(at(epochs=epochs)) for epochs in (24.0, 25.0, 99.0, 100.0, 200.0)]
    assert slow == [1, 1 / 2, 1 / 8, 1 / 16, 1 / 16]


def test_linear_falls_evenly_and_stays_at_its_end():
    falling = [Linear(Steps(10), end=0.2)(at(step)) for step in (0, 5, 10, 30)]
    assert_close(falling, [1.0, 0.6, 0.2, 0.2])
    assert Linear(Epochs(4))(at(epochs=1.0)) == 0.75


def test_a_plateau_falls_with_every_setback_and_rates_multiply():
    assert Plateau(0.5)(at(setbacks=3)) == 1 / 8
    assert (Plateau() * Halving(2) * Constant())(at(epochs=2.0, setbacks=1)) == 1 / 4


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Steps(0), "Steps must be above 0, but it is 0"),
        (lambda: Epochs(-1), "Epochs must be above 0, but it is -1"),
        (lambda: InverseRoot(0), "warm_up must be at least 1 step"),
        (lambda: Halving(-1), "after must not be negative"),
        (lambda: Halving(1, 0), "every must be above 0"),
        (lambda: Plateau(0), r"factor must lie in \(0, 1\], but it is 0"),
        (lambda: descent(clip=0), "clip must be above 0, but it is 0; None leaves"),
        (lambda: descent(clip_each=-1.0), "clip_each must be above 0, but it is -1.0; None leaves"),
        (lambda: descent(accumulate=0), "accumulate must be at least 1 batch"),
        (
            lambda: Schedule(Steps(1), descent(), patience=0),
            "patience must be at least 1 validation",
        ),
        (lambda: choose_threads(0), "work must be at least 1 multiply-add"),
    ],
)
def test_knobs_that_make_no_sense_say_what_would(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def descent(**knobs):
    return Descent(partial(torch.optim.SGD, lr=0.1), **knobs)


def test_spans_end_at_whole_multiples_wherever_a_run_began():
    moments = [Moment(step, step / 8, step * 0.7) for step in range(25)]

    def ends(span):
        return [now.step for before, now in pairwise(moments) if span.crossed(before, now)]

    assert ends(Steps(10)) == [10, 20]
    assert ends(Epochs(1)) == [8, 16, 24]
    assert ends(Epochs(0.5)) == [4, 8, 12, 16, 20, 24]
    assert ends(Seconds(5)) == [8, 15, 22]  # 5.6, 10.5, 15.4
    assert Steps(20).reached(moments[20])
    assert not Epochs(3).reached(moments[23])


def draw():
    return torch.rand(3).tolist(), random.random(), random.gauss(0.0, 1.0), random.gauss(0.0, 1.0)


def test_noise_goes_on_from_where_it_was_captured():
    randomness.seed(3)
    random.gauss(0.0, 1.0)  # leaves the second of a pair for the next call
    state = randomness.capture(CPU)
    drawn = draw()
    assert draw() != drawn
    randomness.restore(state, CPU)
    assert draw() == drawn


def test_noise_drawn_inside_a_block_is_given_back():
    randomness.seed(3)
    drawn = draw()
    randomness.seed(3)
    with randomness.set_aside(CPU):
        draw()
    assert draw() == drawn


def test_processes_draw_differently_and_seeds_repeat():
    randomness.seed(3, rank=0)
    first = draw()
    randomness.seed(3, rank=1)
    assert draw() != first
    randomness.seed(3, rank=0)
    assert draw() == first


def test_small_steps_get_one_thread_and_large_ones_all_cores(monkeypatch):
    monkeypatch.delenv("LOCAL_WORLD_SIZE", raising=False)
    small, large = 32 * 64 * 3 * 64, 64 * 30 * 512 * 4 * 512
    assert choose_threads(small, cores=4) == (
        1, "one thread: 0.393 million multiply-adds between two waits are too few to share out",
    )  # fmt: skip
    number, reason = choose_threads(large, cores=4)
    assert number == 4
    assert reason.startswith(
        "4 threads: 2.01e+03 million multiply-adds between two waits are worth"
    )
    assert choose_threads(large, cores=1).number == 1
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "2")
    assert choose_threads(large, cores=4).number == 2
    before = torch.get_num_threads()
    choose_threads(small, cores=4).use()
    assert torch.get_num_threads() == 1
    torch.set_num_threads(before)
