"""The estimator behind hard attention: right in the mean, quieter with a baseline."""

import math

import pytest
import torch
from torch import tensor
from torch.testing import assert_close

from regard import Attention, ScoreFunction
from regard.losses import StepwiseScoreFunction, doubly_stochastic
from regard.normalisers import Hard, Mixed, Softmax
from regard.scores import FromKey

LOG_LIKELIHOOD = tensor([math.log(0.9), math.log(0.1)])  # of the answer, given either place


class Scores(torch.nn.Module):
    """Two places whose scores are the parameters themselves, one pair for each example."""

    def __init__(self, examples=1):
        super().__init__()
        self.logits = torch.nn.Parameter(torch.zeros(examples, 2))

    def forward(self, key):
        return self.logits.view(-1, *(1,) * (key.dim() - 3), 2, 1).expand(*key.shape[:-1], 1)


def draw(examples):
    """A draw for each example, and its reward log p(y | s)."""
    scores = Scores(examples)
    seen = Attention(FromKey(scores), Hard())(torch.zeros(1, 1, 0), torch.zeros(examples, 2, 1))
    return scores, seen, (seen.weights[:, 0] * LOG_LIKELIHOOD).sum(dim=-1)


def estimates(loss, examples=20_000):
    """One gradient estimate of the lower bound for each draw."""
    scores, seen, reward = draw(examples)
    (gradient,) = torch.autograd.grad(-loss(reward, seen) * examples, scores.logits)
    return gradient


EXACT = tensor([0.5493, -0.5493])  # of sum_s p(s) log p(y | s), p = (1/2, 1/2)


def assert_mean_is_exact(found):
    error = found.std(dim=0) / math.sqrt(len(found))
    assert ((found.mean(dim=0) - EXACT).abs() < 4 * error + 1e-4).all()
    assert (error < 0.02).all()


def test_the_mean_over_draws_is_the_exact_gradient():
    torch.manual_seed(0)
    assert_mean_is_exact(estimates(ScoreFunction(1.0, 0.0)))  # the first baseline is 0


def test_the_baseline_does_not_move_the_mean_and_lowers_the_variance():
    torch.manual_seed(0)
    loss = ScoreFunction(1.0, 0.0, decay=0.9)
    without = estimates(loss)
    for _ in range(60):
        loss(*reversed(draw(50)[1:]))  # the baseline settles at the mean reward
    learned = estimates(loss)
    assert_mean_is_exact(learned)
    assert learned.var() < 0.5 * without.var()


def test_the_baseline_is_the_moving_average_of_earlier_rewards():
    loss = ScoreFunction(decay=0.9)
    seen = Attention(FromKey(Scores()), Hard())(torch.zeros(2, 1, 0), torch.zeros(2, 2, 1))
    loss(tensor([1.0, 3.0]), seen)
    assert loss.baseline.item() == pytest.approx(0.2)
    loss(tensor([5.0, 5.0]), seen)
    assert loss.baseline.item() == pytest.approx(0.9 * 0.2 + 0.1 * 5)
    loss.eval()(tensor([9.0, 9.0]), seen)
    assert loss.baseline.item() == pytest.approx(0.68)
    assert "baseline" in loss.state_dict()


def test_more_entropy_is_less_loss():
    even, sure = Scores(), Scores()
    sure.logits.data = tensor([[5.0, 0.0]])
    loss = ScoreFunction(0.0, 1.0)
    found = [
        loss(
            torch.zeros(1),
            Attention(FromKey(s), Hard())(torch.zeros(1, 1, 0), torch.zeros(1, 2, 1)),
        )
        for s in (even, sure)
    ]
    assert found[0].item() == pytest.approx(-math.log(2))
    assert found[0] < found[1]


def test_soft_rows_of_a_mixture_pass_no_reward():
    scores = Scores()
    look = Attention(FromKey(scores), Mixed(Hard(), Softmax(), 1.0))  # always the expectation
    seen = look(torch.zeros(1, 1, 0), torch.zeros(1, 2, 1))
    (gradient,) = torch.autograd.grad(ScoreFunction(1.0, 0.0)(tensor([7.0]), seen), scores.logits)
    assert_close(gradient, torch.zeros(1, 2))


def test_looks_of_several_steps_and_heads_add_up():
    torch.manual_seed(0)
    look = Attention(FromKey(Scores()), Hard())
    steps = [look(torch.zeros(3, 4, 5, 0), torch.zeros(3, 4, 2, 1)) for _ in range(2)]
    loss = ScoreFunction(1.0, 0.0, decay=1.0)(torch.ones(3), steps)
    # every draw has probability 1/2: two steps of four heads of five queries
    assert loss.item() == pytest.approx(2 * 4 * 5 * math.log(2))


def stepwise_estimates(loss, examples=20_000, steps=3):
    """The same gradient, of a sequence of draws each of which is paid for by its own reward."""
    scores = Scores(examples)
    look = Attention(FromKey(scores), Hard())
    looks = [look(torch.zeros(1, 1, 0), torch.zeros(examples, 2, 1)) for _ in range(steps)]
    rewards = [(seen.weights[:, 0] * LOG_LIKELIHOOD).sum(dim=-1) for seen in looks]
    reward = torch.stack(rewards, dim=-1)
    if isinstance(loss, ScoreFunction):
        reward = reward.sum(dim=-1)
    (gradient,) = torch.autograd.grad(-loss(reward, looks) * examples, scores.logits)
    return gradient / steps


def test_step_by_step_the_mean_over_draws_is_exact_and_quieter_than_of_the_whole():
    torch.manual_seed(0)
    found = {}
    for kind, settled in ((ScoreFunction, 3 * LOG_LIKELIHOOD.mean()),
                          (StepwiseScoreFunction, LOG_LIKELIHOOD.mean())):  # fmt: skip
        loss = kind(1.0, 0.0)
        assert_mean_is_exact(stepwise_estimates(loss))  # the first baseline is 0
        loss.baseline.fill_(settled.item())
        found[kind] = stepwise_estimates(loss)
        assert_mean_is_exact(found[kind])
    assert found[StepwiseScoreFunction].var() < 0.8 * found[ScoreFunction].var()


def test_step_by_step_a_draw_has_no_credit_for_what_came_before_it():
    torch.manual_seed(0)
    looks, scores = [], [Scores(), Scores()]
    for each in scores:
        look = Attention(FromKey(each), Hard())
        looks.append(look(torch.zeros(1, 1, 0), torch.zeros(1, 2, 1)))
    loss = StepwiseScoreFunction(1.0, 0.0)
    loss(tensor([[7.0, 0.0]]), looks).backward()
    assert scores[0].logits.grad.abs().max() == pytest.approx(3.5)  # 7 (1 - p)
    assert not scores[1].logits.grad.any()
    assert loss.baseline.item() == pytest.approx(0.1 * 3.5)


def test_step_by_step_entropy_counts_as_in_the_whole():
    looks = [
        Attention(FromKey(Scores(2)), Hard())(torch.zeros(1, 1, 0), torch.zeros(2, 2, 1))
        for _ in range(3)
    ]
    whole = ScoreFunction(0.0, 1.0)(torch.zeros(2), looks)
    assert_close(StepwiseScoreFunction(0.0, 1.0)(torch.zeros(2, 3), looks), whole)


def test_step_by_step_every_look_needs_its_reward():
    seen = Attention(FromKey(Scores()), Hard())(torch.zeros(2, 1, 0), torch.zeros(2, 2, 1))
    with pytest.raises(ValueError, match="it has 3 and there are 1 looks"):
        StepwiseScoreFunction()(torch.zeros(2, 3), [seen])


def test_a_reward_of_another_shape_is_refused():
    seen = Attention(FromKey(Scores()), Hard())(torch.zeros(2, 1, 0), torch.zeros(2, 2, 1))
    with pytest.raises(ValueError, match=r"one number per example, shape \(2,\)"):
        ScoreFunction()(torch.zeros(3), seen)


def test_the_doubly_stochastic_penalty_is_zero_when_every_key_is_seen_once():
    weights = torch.eye(3).unsqueeze(0)
    said = torch.ones(1, 3, dtype=torch.bool)
    assert doubly_stochastic(weights, said).tolist() == [0.0]
    uneven = torch.tensor([[[1.0, 0.0, 0.0]] * 3])
    assert doubly_stochastic(uneven, said).tolist() == [4.0 + 1 + 1]


def test_the_least_doubly_stochastic_penalty_of_fewer_words_than_cells():
    length, cells = 4, 10
    even = torch.full((1, length, cells), 1 / cells)
    said = torch.ones(1, length, dtype=torch.bool)
    assert_close(doubly_stochastic(even, said), torch.tensor([(cells - length) ** 2 / cells]))


def test_the_doubly_stochastic_penalty_ignores_filling():
    torch.manual_seed(0)
    weights = torch.rand(2, 5, 7).softmax(dim=-1)
    said = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    alone = doubly_stochastic(weights[1:, :3], said[1:, :3])
    assert_close(doubly_stochastic(weights, said)[1:], alone)
    wide = torch.cat([weights, torch.zeros(2, 5, 3)], dim=-1)
    there = torch.arange(10) < 7
    assert_close(
        doubly_stochastic(wide, said, there.expand(2, 1, 10)), doubly_stochastic(weights, said)
    )
