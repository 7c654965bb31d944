"""Examples and times are drawn by chance, without favour, and in a batch as one by one."""

from math import ceil

import numpy
import pytest
import torch

from regard.kernels.hops import drawing
from regard.models.stories import Stories
from regard.models.story_learning import draw, seeded


def test_times_without_noise_count_down():
    times = [0] * 5
    drawing.draw_times(seeded(0).tolist(), 5, 0.0, 50, times, [])
    assert times == [5, 4, 3, 2, 1]


@pytest.mark.parametrize(("count", "noise"), [(1, 0.1), (7, 0.1), (23, 0.3)])
def test_noise_leaves_gaps_and_no_choice_is_favoured(count, noise):
    state, most, draws = seeded(0).tolist(), ceil(count * noise), 4000
    hits, gaps = numpy.zeros(count + most + 1), [0] * most
    for _ in range(draws):
        times = [0] * count
        drawing.draw_times(state, count, noise, 50, times, gaps)
        assert times == sorted(set(times), reverse=True)
        assert 1 <= times[-1] <= times[0] <= count + most
        hits[times] += 1
    # every number of gaps is as likely, and then every choice: time t <= count + g in n / (n + g)
    shares = [
        numpy.mean([count / (count + g) if t <= count + g else 0 for g in range(most + 1)])
        for t in range(1, count + most + 1)
    ]
    assert hits[1:] / draws == pytest.approx(shares, abs=0.04)


def test_times_go_no_further_than_the_memory():
    times = [0] * 20
    drawing.draw_times(seeded(3).tolist(), 20, 0.5, 20, times, [0] * 10)
    assert max(times) == 20
    assert times[0] == times[1]


def test_draws_are_even_and_seeds_differ():
    state = seeded(0).tolist()
    counts = numpy.bincount([drawing.draw(state, 7) for _ in range(7000)], minlength=7)
    assert len(counts) == 7
    assert abs(counts - 1000).max() < 120
    assert len({tuple(seeded(seed)) for seed in range(100)}) == 100


def test_times_of_a_batch_are_those_of_its_stories_one_by_one():
    counts = torch.tensor([0, 1, 2, 3, 5, 7, 8])
    story = (torch.arange(8) < counts.unsqueeze(1)).long()
    given = Stories(torch.tensor([[0], [1]]), story, torch.ones(7).long(), torch.ones(7).long())
    draws, state, latest = seeded(8), seeded(8).tolist(), []
    for _ in range(11):
        drawn, times = draw(given, draws, batch=5, noise=0.6, slots=9)
        chosen = [0] * 5
        drawing.draw_examples(state, 7, chosen)
        for example, row in zip(chosen, times.tolist(), strict=True):
            alone = [0] * len(row)
            drawing.draw_times(state, int(counts[example]), 0.6, 9, alone, [0] * 6)
            assert row == alone
            latest.append(row.count(9))
        assert drawn.story.shape == times.shape
        assert draws.tolist() == state
    assert max(latest) > 1  # some would have been later than the memory goes
