"""Normalisation that does not tell an image by the company it is in."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import batch_norm

from regard.shapes import Number

Grid = Float[Tensor, "batch channel row column"]


class Renormalise(nn.Module):
    """Batch normalisation whose training sees what its use will see: batch renormalisation.

    y = (x - mean) / std * r + d, r = std / running std, d = (mean - running mean) / running std,
    no gradient through r and d. Batch Renormalization, Ioffe 2017.
    https://arxiv.org/abs/1702.03275 Where the examples of a batch are alike, as images whose
    captions have one length are, the mean and deviation of the batch give that away, and a model
    learns to count on it in training, where alone it is to be had. For the first ``alone`` batches
    r = 1 and d = 0; then they are let loose, as far as the paper's 1/3 to 3 and -5 to 5 after as
    many batches again. Parameters and what is remembered are named as in ``nn.BatchNorm2d``, and
    once trained it is that.
    """

    running_mean: Float[Tensor, " channel"]
    running_var: Float[Tensor, " channel"]
    num_batches_tracked: Tensor

    def __init__(
        self, size: int, *, alone: int = 200, momentum: Number = 0.01, epsilon: Number = 1e-5
    ) -> None:
        super().__init__()
        self.alone = alone
        self.momentum = momentum
        self.epsilon = epsilon
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))
        self.register_buffer("running_mean", torch.zeros(size))
        self.register_buffer("running_var", torch.ones(size))
        self.register_buffer("num_batches_tracked", torch.tensor(0))

    def forward(self, grid: Grid) -> Grid:
        """The grid with every channel normalised."""
        if not self.training or not grid.numel():  # of nothing there is no mean
            return batch_norm(
                grid, self.running_mean, self.running_var, self.weight, self.bias, eps=self.epsilon
            )
        scale, shift = self._corrections(grid.detach())
        weight, bias = self.weight * scale, self.bias + self.weight * shift
        return batch_norm(grid, None, None, weight, bias, training=True, eps=self.epsilon)

    def _corrections(
        self, grid: Grid
    ) -> tuple[Float[Tensor, " channel"], Float[Tensor, " channel"]]:
        """r and d, as far as they are let loose; the batch then counts among those remembered."""
        var, mean = torch.var_mean(grid, dim=(0, 2, 3), correction=0)
        seen = int(self.num_batches_tracked)
        loose = min(max(seen - self.alone, 0) / self.alone, 1.0) if self.alone else 1.0
        usual = (self.running_var + self.epsilon).sqrt()
        scale = ((var + self.epsilon).sqrt() / usual).clamp(1 / (1 + 2 * loose), 1 + 2 * loose)
        shift = ((mean - self.running_mean) / usual).clamp(-5 * loose, 5 * loose)
        taken = max(self.momentum, 1 / (seen + 1))  # at first the mean over all batches so far
        self.running_mean.lerp_(mean, taken)
        self.running_var.lerp_(var, taken)
        self.num_batches_tracked += 1
        return scale, shift

    def extra_repr(self) -> str:
        return f"{len(self.weight)}, alone={self.alone}, momentum={self.momentum}"
