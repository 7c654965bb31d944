"""One update of the weights: gradients of all batches and processes, checked, scaled, clipped."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from math import isfinite
from typing import Generic

import torch
from torch import Tensor, nn
from torch.nn.utils import get_total_norm

from regard.training.crew import Crew
from regard.training.experiment import Batch, Experiment, Loss
from regard.training.moments import Moment
from regard.training.progress import Taken, add_up
from regard.training.schedule import Descent


class NotFiniteError(ArithmeticError):
    """A loss or a gradient that is no number any more. The weights are as they were before it."""


class LossOf(nn.Module, Generic[Batch]):
    """The loss of an experiment as a module, so that whatever its model is called by is wrapped."""

    def __init__(self, experiment: Experiment[Batch]) -> None:
        super().__init__()
        self.model = experiment.model
        self._experiment = experiment

    def forward(self, batch: Batch | None) -> Loss:
        if batch is None:  # too few items for so many processes: nothing to say, and say it
            some = next(part for part in self.model.parameters() if part.requires_grad)
            return Loss(some.flatten()[:1].sum() * 0, 0)
        return self._experiment.loss(batch)


class Updater(Generic[Batch]):
    """Changes the weights of an experiment's model, batch by batch."""

    def __init__(self, experiment: Experiment[Batch], descent: Descent, crew: Crew) -> None:
        self.experiment = experiment
        self.descent = descent
        self.crew = crew
        self.parameters = [part for part in experiment.model.parameters() if part.requires_grad]
        if not self.parameters:
            raise ValueError("the model has no parameter that wants a gradient: nothing can learn")
        self.optimiser = descent.optimiser(self.parameters)
        self.kept = descent.kept(self.parameters)
        self.rates = [float(group["lr"]) for group in self.optimiser.param_groups]

    def wrap(self) -> None:
        """Join the crew. To be called when the weights are what they are to begin with."""
        self.module = self.crew.wrap(LossOf(self.experiment))

    def __call__(self, batches: Sequence[Batch], moment: Moment) -> Taken:
        """Make one update from all of the batches; ``moment`` is that before it."""
        self.optimiser.zero_grad()
        total, count, metrics = self._backward(batches)
        if count < 1:
            raise ValueError(
                f"the batches of an update must hold items, but their count is {count}"
            )
        _check(total / count, "loss")
        gradients = [part.grad for part in self.parameters if part.grad is not None]
        scale = self.crew.size / count  # the crew's average is a sum again, then a mean over items
        norm = norm_of(gradients) * scale
        _check(norm, "norm of the gradient")
        if self.descent.clip is not None:
            scale *= min(1.0, self.descent.clip / (norm + 1e-6))
        torch._foreach_mul_(gradients, scale)
        if self.descent.clip_each is not None:
            torch._foreach_clamp_max_(gradients, self.descent.clip_each)
            torch._foreach_clamp_min_(gradients, -self.descent.clip_each)
        factor = self._set_rate(moment)
        self.optimiser.step()
        self.kept.follow(moment.step + 1)
        return Taken(total, count, metrics, norm, self.rates[0] * factor)

    def _backward(self, batches: Sequence[Batch]) -> tuple[float, int, dict[str, float]]:
        """Gradients of the summed loss; the sums over all batches and processes."""
        total, count, metrics = 0.0, 0, dict[str, float]()
        for index, batch in enumerate(batches):
            more = index < len(batches) - 1
            with self.crew.quiet(self.module) if more else nullcontext():
                loss = self.module(self._share(batch))
                loss.total.backward()
            total += loss.total.item()
            count += loss.count
            metrics = add_up(metrics, loss.metrics)
        if self.crew.size == 1:
            return total, count, metrics
        told = self.crew.gather(json.dumps([total, count, metrics]).encode())
        total, count, metrics = 0.0, 0, {}
        for part in map(json.loads, told):
            total, count, metrics = total + part[0], count + part[1], add_up(metrics, part[2])
        return total, count, metrics

    def _share(self, batch: Batch) -> Batch | None:
        if self.crew.size == 1:
            return batch
        return self.experiment.shard(batch, self.crew.rank, self.crew.size)

    def _set_rate(self, moment: Moment) -> float:
        factor = self.descent.rate(moment._replace(step=moment.step + 1))
        for group, rate in zip(self.optimiser.param_groups, self.rates, strict=True):
            group["lr"] = rate * factor
        return factor


def norm_of(tensors: Sequence[Tensor]) -> float:
    """The length of all numbers together; it is finite where they are.

    Squares of large numbers are infinite in single precision long before the numbers themselves.
    """
    found = float(get_total_norm(tensors))
    return found if isfinite(found) else float(get_total_norm([each.double() for each in tensors]))


def all_finite(tensors: Sequence[Tensor]) -> bool:
    """Whether every number of every tensor is finite."""
    return isfinite(norm_of(tensors))


def _check(value: float, name: str) -> None:
    if not isfinite(value):
        raise NotFiniteError(f"the {name} is {value}")
