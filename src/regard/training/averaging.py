"""Which weights of a run are judged and saved as its model: the last ones, or their mean."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn


class Kept(ABC):
    """The weights that a run is to give. Training itself always goes on from the last ones."""

    def __init__(self, parameters: Iterable[nn.Parameter]) -> None:
        self.parameters = list(parameters)

    @abstractmethod
    def follow(self, step: int) -> None:
        """Take in the weights after update ``step``, counted from 1."""

    @abstractmethod
    @contextmanager
    def shown(self) -> Iterator[None]:
        """Within, the model has the weights to be kept; afterwards, the last ones again."""

    @abstractmethod
    def state(self) -> dict[str, Tensor]:
        """What a checkpoint has to hold of it."""

    @abstractmethod
    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Go on from what a checkpoint held; the model has its last weights already."""


class Latest(Kept):
    """The last weights as they are."""

    def follow(self, step: int) -> None:
        del step

    @contextmanager
    def shown(self) -> Iterator[None]:
        yield

    def state(self) -> dict[str, Tensor]:
        return {}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        if state:
            raise ValueError(
                "the checkpoint has means of the weights, but the last weights are to be kept; "
                "go on with the knobs that the run began with"
            )


class Averaged(Kept):
    """The running mean of the weights: mean_t = mean_{t-1} + (w_t - mean_{t-1}) / min(t, updates).

    Averaging takes out the noise of single updates, as a small learning rate does, at any moment
    of a course and not only at its end. Acceleration of Stochastic Approximation by Averaging,
    Polyak and Juditsky 1992, whose mean is over all updates; here older ones fade, and half of the
    weight lies on the last 0.7 ``updates``. Buffers are not averaged: they stay as they are.
    """

    def __init__(self, parameters: Iterable[nn.Parameter], updates: int) -> None:
        if updates < 1:
            raise ValueError(f"weights are averaged over 1 update or more, but not over {updates}")
        super().__init__(parameters)
        self.updates = updates
        self.means = [part.detach().to(_precise(part), copy=True) for part in self.parameters]

    @torch.no_grad()
    def follow(self, step: int) -> None:
        weights = [
            part.to(mean.dtype) for part, mean in zip(self.parameters, self.means, strict=True)
        ]
        torch._foreach_lerp_(self.means, weights, 1 / min(step, self.updates))

    @contextmanager
    def shown(self) -> Iterator[None]:
        last = [part.detach().clone() for part in self.parameters]
        self._set(self.means)
        try:
            yield
        finally:
            self._set(last)

    def state(self) -> dict[str, Tensor]:
        means = {str(place): mean.clone() for place, mean in enumerate(self.means)}
        return {"updates": torch.tensor(self.updates), **means}

    @torch.no_grad()
    def restore(self, state: Mapping[str, Tensor]) -> None:
        over = int(state.get("updates", 1))
        if over != self.updates:
            raise ValueError(
                f"the checkpoint averages weights over {over} updates, but updates={self.updates}; "
                "go on with the knobs that the run began with"
            )
        for place, mean in enumerate(self.means):
            mean.copy_(state[str(place)])

    @torch.no_grad()
    def _set(self, values: Sequence[Tensor]) -> None:
        for part, value in zip(self.parameters, values, strict=True):
            part.copy_(value)


def _precise(part: Tensor) -> torch.dtype:
    """In half precision, a small share of a small difference would be none."""
    return torch.promote_types(part.dtype, torch.float32)
