"""Looks that know where the last one was: their equation, and what they are able to tell."""

import pytest
import torch
from torch.testing import assert_close

from regard import Attention
from regard.models.trailing import LookAlongThenStep, Trail, TrailingState
from regard.recurrence import GatedUnit
from regard.scores import Additive

BATCH, SOURCE, SIZE, HIDDEN, WIDTH = 2, 7, 3, 5, 3


@pytest.fixture
def stepper():
    torch.manual_seed(0)
    look = Attention(Additive(query_size=SIZE, key_size=4, hidden_size=HIDDEN))
    cell = GatedUnit(input_size=2, state_size=SIZE, context_size=4)
    return LookAlongThenStep(look, Trail(hidden_size=HIDDEN, features=2, width=WIDTH), cell)


def test_scores_add_the_trail_of_the_last_weights_to_the_keys(stepper):
    annotations = torch.randn(BATCH, SOURCE, 4)
    state = TrailingState(torch.randn(BATCH, 1, SIZE), torch.rand(BATCH, 1, SOURCE))
    given = stepper.prepare(torch.randn(BATCH, 1, 2))
    advanced = stepper.over(1, BATCH)(state, given, stepper.look.remember(annotations))
    score, filters = stepper.look.score, stepper.trail.convolve.weight
    for example in range(BATCH):
        scores = []
        for j in range(SOURCE):
            features = torch.zeros(2)
            for offset in range(WIDTH):  # f_j = sum_o F_o w_{j + o - 1}, nothing beyond the ends
                place = j + offset - WIDTH // 2
                if 0 <= place < SOURCE:
                    features += filters[:, 0, offset] * state.weights[example, 0, place]
            hidden = (
                score.from_query.weight @ state.hidden[example, 0]
                + score.from_key.weight @ annotations[example, j]
                + stepper.trail.to_hidden.weight @ features
            )
            scores.append(score.vector @ hidden.tanh())
        weights = torch.stack(scores).softmax(dim=0)
        assert_close(advanced.state.weights[example, 0], weights)
        assert_close(stepper.alignment(advanced.seen)[example, 0], weights)


def test_rows_of_one_example_follow_their_own_trails(stepper):
    annotations = torch.zeros(1, SOURCE, 4)  # keys that only a trail can tell apart
    last = torch.eye(SOURCE)[[1, 5]].unsqueeze(0)
    state = TrailingState(torch.ones(1, 2, SIZE), last)
    given = stepper.prepare(torch.zeros(1, 2, 2))
    weights = stepper.over(1, 2)(state, given, stepper.look.remember(annotations)).state.weights
    assert_close(weights[0, 0, :3], weights[0, 1, 4:])  # the same, four keys on
    assert not torch.allclose(weights[0, 0], weights[0, 1])


def test_filling_is_never_seen_and_sways_nothing(stepper):
    annotations = torch.randn(1, SOURCE, 4)
    mask = torch.tensor([[[True] * 5 + [False] * 2]])
    state = TrailingState(torch.randn(1, 1, SIZE), torch.rand(1, 1, SOURCE) * mask)
    short = TrailingState(state.hidden, state.weights[..., :5])
    given, advance = stepper.prepare(torch.randn(1, 1, 2)), stepper.over(1, 1)
    filled = advance(state, given, stepper.look.remember(annotations, None, mask))
    alone = advance(short, given, stepper.look.remember(annotations[:, :5]))
    assert not filled.state.weights[..., 5:].any()
    assert_close(filled.state.weights[..., :5], alone.state.weights)
    assert_close(filled.features, alone.features)


def test_a_width_without_a_middle_is_refused():
    with pytest.raises(ValueError, match=r"width=4; 3 and 5 are"):
        Trail(hidden_size=HIDDEN, width=4)
