"""Normalisers that choose: one key per query, drawn or best, and ways to train through it."""

import torch

from regard.masks import blank, hide
from regard.normalisers.base import Normaliser
from regard.shapes import Mask, Number, Scores, Weights


class Hard(Normaliser):
    """One key per query gets all the weight: drawn from the softmax in training, the best in eval.

    Show, Attend and Tell, Xu et al. 2015, section 4.1. https://arxiv.org/abs/1502.03044
    A draw passes no gradient to the scores: ``ScoreFunction`` trains them from the draw's
    ``log_probability``, which the look holds. Drawn as the best of scores plus Gumbel noise, which
    is the same distribution.
    """

    def forward(self, scores: Scores, mask: Mask | None = None) -> Weights:
        """One-hot rows."""
        noisy = perturb(scores.detach()) if self.training else scores.detach()
        return blank(one_hot(hide(noisy, mask)).to(scores.dtype), mask)


class Gumbel(Normaliser):
    """A soft draw: softmax of (scores + Gumbel noise) / temperature; without noise in eval.

    Categorical Reparameterization with Gumbel-Softmax, Jang, Gu, Poole 2017, eq. (2).
    https://arxiv.org/abs/1611.01144 The colder, the nearer to one-hot.
    """

    def __init__(self, temperature: Number = 1.0) -> None:
        super().__init__()
        if not temperature > 0:
            raise ValueError(f"temperature must be above 0, but temperature={temperature}")
        self.temperature = temperature

    def forward(self, scores: Scores, mask: Mask | None = None) -> Weights:
        """Softmax of noisy scores."""
        noisy = perturb(scores) if self.training else scores
        weights = hide(noisy / self.temperature, mask).softmax(dim=-1)
        return blank(weights.to(scores.dtype), mask)

    def extra_repr(self) -> str:
        return f"temperature={self.temperature}"


class StraightThrough(Normaliser):
    """One-hot on the way forward, the soft weights' gradient on the way back.

    Estimating or Propagating Gradients Through Stochastic Neurons, Bengio, Leonard, Courville
    2013. https://arxiv.org/abs/1308.3432 ``StraightThrough(Softmax())`` takes the best key,
    ``StraightThrough(Gumbel(0.5))`` draws one. The gradient is biased.
    """

    def __init__(self, soft: Normaliser) -> None:
        super().__init__()
        check_normaliser("soft", soft)
        self.soft = soft

    def forward(self, scores: Scores, mask: Mask | None = None) -> Weights:
        """The best of the soft weights gets all."""
        soft = self.soft(scores, mask)
        some = soft.detach().amax(dim=-1, keepdim=True) != 0 if soft.shape[-1] else soft.bool()
        chosen = blank(one_hot(hide(soft.detach(), mask)), mask) * some  # of nothing, nothing
        return chosen + (soft - soft.detach())  # the bracket is zero, but carries the gradient


class Mixed(Normaliser):
    """Tosses a coin for each example: the first normaliser, or with ``share`` the second.

    Xu et al. 2015, section 4.1, where a drawn location is replaced by its expectation with
    probability 1/2: ``Mixed(Hard(), Softmax(), 0.5)``. The paper tosses once per image, its
    released code once per minibatch; here once per example and look (and per head, inside
    ``MultiHead``). In eval always the first.
    """

    def __init__(self, first: Normaliser, second: Normaliser, share: Number = 0.5) -> None:
        super().__init__()
        if not 0 <= share <= 1:
            raise ValueError(f"share must lie in [0, 1], but share={share}")
        check_normaliser("first", first)
        check_normaliser("second", second)
        self.first = first
        self.second = second
        self.share = share

    def forward(self, scores: Scores, mask: Mask | None = None) -> Weights:
        """One normaliser's weights or the other's, example by example."""
        if not self.training:
            return self.first(scores, mask)
        take_second = torch.rand_like(scores[..., :1, :1]) < self.share
        return torch.where(take_second, self.second(scores, mask), self.first(scores, mask))

    def extra_repr(self) -> str:
        return f"share={self.share}"


def check_normaliser(name: str, part: object) -> None:
    """Raise where a slot is given something that is no normaliser."""
    if not isinstance(part, Normaliser):
        raise TypeError(f"{name} must be a Normaliser, such as Softmax(), but got {part!r}")


def perturb(scores: Scores) -> Scores:
    """Scores with noise of the Gumbel distribution, -log(-log(uniform)), added."""
    # Half precision has too few uniform numbers: the first key would win far too often.
    exact = torch.promote_types(scores.dtype, torch.float32)
    smallest = torch.finfo(exact).tiny
    uniform = torch.rand_like(scores, dtype=exact).clamp_min(smallest)
    return scores - (-uniform.log()).clamp_min(smallest).log()


def one_hot(scores: Scores) -> Weights:
    """One on the highest score of each row, zero elsewhere; a row without keys stays as it is."""
    if scores.shape[-1] == 0:
        return scores
    best = scores.argmax(dim=-1, keepdim=True)
    return torch.zeros_like(scores).scatter(-1, best, 1)
