"""Losses that attention brings with it."""

from abc import ABC
from collections.abc import Iterable, Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from regard.attention import Attended
from regard.attention.attended import log_softmax
from regard.shapes import Mask, Number, Weights

Reward = Float[Tensor, "*batch"]


class Drawing(nn.Module, ABC):
    """Trains the scores behind draws by the rewards that the draws led to, less a baseline b.

    b = decay b + (1 - decay) mean R is the moving average of past rewards. It holds rewards of
    earlier calls only, so it moves the variance of the gradient and never its mean. Defaults are
    those of the released code of Show, Attend and Tell.
    """

    baseline: Float[Tensor, ""]  # b

    def __init__(
        self, reward_weight: Number = 0.1, entropy_weight: Number = 0.002, decay: Number = 0.9
    ) -> None:
        super().__init__()
        if not 0 <= decay <= 1:
            raise ValueError(f"decay must lie in [0, 1], but decay={decay}")
        self.reward_weight = reward_weight  # lambda_r
        self.entropy_weight = entropy_weight  # lambda_e
        self.decay = decay
        self.register_buffer("baseline", torch.zeros(()))

    def taught(
        self, reward: Float[Tensor, "..."], credit: Tensor, drawn: Tensor, entropy: Tensor
    ) -> Float[Tensor, ""]:
        """-mean[ reward_weight credit log p(s) + entropy_weight H ]; then the baseline moves on."""
        loss = -(self.reward_weight * credit * drawn + self.entropy_weight * entropy).mean()
        if self.training:
            with torch.no_grad():
                self.baseline.lerp_(reward.mean().to(self.baseline), 1 - self.decay)
        return loss

    def extra_repr(self) -> str:
        return (
            f"reward_weight={self.reward_weight}, entropy_weight={self.entropy_weight}, "
            f"decay={self.decay}"
        )


class ScoreFunction(Drawing):
    """Trains the scores behind draws by the reward that all of them together led to.

    loss = -mean[ reward_weight (R - b) sum log p(s) + entropy_weight sum H ], sums over the looks
    and their queries. Its gradient is the last two terms of the estimator of Show, Attend and Tell,
    Xu et al. 2015, section 4.1; the first, that of the model's own log-likelihood, is the caller's
    loss as ever. https://arxiv.org/abs/1502.03044
    """

    def forward(self, reward: Reward, looks: Attended | Iterable[Attended]) -> Float[Tensor, ""]:
        """The loss of these looks, given one reward per example, such as log p(y | s)."""
        looks = [looks] if isinstance(looks, Attended) else list(looks)
        reward = reward.detach()
        drawn = [_over_queries(seen.log_probability, reward) for seen in looks]
        entropy = [_over_queries(seen.entropy, reward) for seen in looks]
        credit = reward - self.baseline
        return self.taught(reward, credit, torch.stack(drawn).sum(0), torch.stack(entropy).sum(0))


class StepwiseScoreFunction(Drawing):
    """``ScoreFunction`` for one look a step: a draw is credited with what came after it alone.

    loss = -mean[ reward_weight sum_t A_t log p(s_t) + entropy_weight sum_t H_t ] with
    A_t = sum_{u >= t} (R_u - b), R_u being the reward of step u, such as log p(y_u | s, y_<u).
    What a draw cannot have changed is left out of its credit, and the baseline grows with the steps
    that are left, so that long and short sequences are judged alike: the mean is that of the
    paper's estimator. The variance is smaller where steps are rewarded alike (by a fifth or more in
    a case of three steps), and may be larger where their mean rewards differ, as one baseline
    serves all steps. The causality of policy gradients, Williams 1992; Sutton et al. 2000.
    """

    def forward(
        self, reward: Float[Tensor, "*batch step"], looks: Sequence[Attended]
    ) -> Float[Tensor, ""]:
        """The loss of these looks, the first of which came before the first reward."""
        if reward.shape[-1] != len(looks):
            raise ValueError(
                f"reward must have a column for each look, but it has {reward.shape[-1]} and there "
                f"are {len(looks)} looks"
            )
        reward = reward.detach()
        steps = reward.unbind(-1)
        pairs = list(zip(looks, steps, strict=True))
        drawn = torch.stack([_over_queries(seen.log_probability, each) for seen, each in pairs], -1)
        entropy = torch.stack([_over_queries(seen.entropy, each) for seen, each in pairs], -1)
        credit = (reward - self.baseline).flip(-1).cumsum(-1).flip(-1)
        return self.taught(reward, credit, drawn, entropy) * len(looks)


def _over_queries(rows: Float[Tensor, "..."], reward: Reward) -> Reward:
    """One number per example: the sum over queries, and over heads where there are any."""
    if rows.shape[: reward.dim()] != reward.shape:
        raise ValueError(
            f"reward must hold one number per example, shape {tuple(rows.shape[:-1])} for these "
            f"looks, but it has {tuple(reward.shape)}"
        )
    return rows.flatten(reward.dim()).sum(dim=-1) if rows.dim() > reward.dim() else rows


def doubly_stochastic(
    weights: Weights, said: Bool[Tensor, "*batch query"], mask: Mask | None = None
) -> Reward:
    """sum_i (1 - sum_t w_ti)^2 for each example: every key is to be looked at once in all.

    Show, Attend and Tell, Xu et al. 2015, section 4.2.1 (eq. 14). https://arxiv.org/abs/1502.03044
    ``said`` marks the queries that count, so that no filling is summed; ``mask`` the keys that are
    there. Weights of T queries over L keys sum to T, so the least is (L - T)^2 / L.
    """
    looked = torch.where(said.unsqueeze(-1), weights, 0).sum(dim=-2)
    missed = (1 - looked).square()
    if mask is not None:
        missed = torch.where(mask.any(dim=-2), missed, 0)
    return missed.sum(dim=-1)


def gate_supervision(
    looks: Sequence[Attended], support: Int[Tensor, "batch look"]
) -> Float[Tensor, ""]:
    """-log p of the key that each look is to find, p being the softmax of its scores; the mean.

    E_CE(gates) of Ask Me Anything: Dynamic Memory Networks, Kumar et al. 2016: every pass over a
    story is told its supporting fact. https://arxiv.org/abs/1506.07285
    ``support`` holds the place of the key for each look, counted from 0; -1 leaves a look to
    itself. Looks have one query.
    """
    if support.shape[-1] != len(looks):
        raise ValueError(
            f"support must have a column for each look, but it has {support.shape[-1]} and there "
            f"are {len(looks)} looks; -1 leaves a look to itself"
        )
    wrong = [len(seen.context) for seen in looks if len(seen.context) != len(support)]
    if wrong:
        raise ValueError(
            f"support must have a row for each story, but it has {len(support)} and there are "
            f"{wrong[0]} stories"
        )
    told = support >= 0
    found = [
        _log_of(number, seen, support[:, number : number + 1]) for number, seen in enumerate(looks)
    ]
    return -torch.cat(found, dim=-1).sum() / told.sum().clamp_min(1)


def _log_of(
    number: int, seen: Attended, support: Int[Tensor, "batch 1"]
) -> Float[Tensor, "batch 1"]:
    """Log p of one key for each example; zero where none is told."""
    examined, told, keys = seen.source.examine(), support >= 0, seen.scores.shape[-1]
    if not bool(told.any()):
        return seen.scores.new_zeros(support.shape)
    place, visible = support.clamp_min(0), support < keys
    if examined.mask is not None and bool(visible.all()):
        visible = examined.mask.expand_as(examined.scores).squeeze(-2).gather(-1, place)
    if not bool((visible | told.logical_not()).all()):
        raise ValueError(
            f"support names keys that look {number} may not see; there are {keys}, counted from 0, "
            "and a mask may hide some"
        )
    logs = log_softmax(examined.scores, examined.mask).squeeze(-2)
    return torch.where(told, logs.gather(-1, place), 0)
