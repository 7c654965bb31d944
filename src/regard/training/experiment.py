"""What a recipe hands to the loop: a model, its batches, its loss and its validation."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from jaxtyping import Float
from torch import Tensor, nn

Batch = TypeVar("Batch")


class Loss(NamedTuple):
    """The loss of one batch, summed over its items, so that parts of a batch add up to the whole.

    ``metrics`` are sums over the items as well, such as how many were right; the loop divides them
    by ``count``, as it does ``total``.
    """

    total: Float[Tensor, ""]
    count: int  # type: ignore[assignment]  # items: target tokens, sentences, ...
    metrics: Mapping[str, float] = {}


class Experiment(ABC, Generic[Batch]):
    """A model together with what it learns from, as the loop sees them.

    Whatever learns or remembers between steps belongs into ``model``, as a parameter or a buffer:
    checkpoints keep that and nothing else of an experiment.
    """

    model: nn.Module
    selected_by: str  # the number of ``validate`` that picks the best model
    higher_is_better: bool

    @abstractmethod
    def epoch(self, number: int) -> Sequence[Batch]:
        """The batches of an epoch, counted from 1; always the same for the same number.

        A run that goes on in the middle of an epoch asks for it again. Batches are taken by index,
        one at a time, so that they may be made when they are asked for.
        """

    @abstractmethod
    def loss(self, batch: Batch) -> Loss:
        """The loss of a batch, with gradients; the model is in training mode."""

    @abstractmethod
    def validate(self) -> dict[str, float]:
        """The numbers to judge the model by; called in evaluation mode, without gradients.

        Noise drawn here is given back: how often a run validates does not change its weights.
        """

    @property
    def ready(self) -> bool:
        """Whether the model is what it is to become, so that it may be kept as the best."""
        return True

    def shard(self, batch: Batch, rank: int, world: int) -> Batch | None:
        """The share of a batch that process ``rank`` of ``world`` works on; None where it is empty.

        Splits a tensor, or every tensor of a tuple, along its first axis. Other batches want their
        own way.
        """
        return share(batch, rank, world)


def check(experiment: Experiment[Any]) -> None:
    """See that an experiment has what it needs, before the first epoch and not after it."""
    for name in ("model", "selected_by", "higher_is_better"):
        if not hasattr(experiment, name):
            raise TypeError(
                f"the experiment {type(experiment).__name__} has no {name!r}; it needs a model, "
                "selected_by (the number of validate() that picks the best) and higher_is_better"
            )


def share(batch: Any, rank: int, world: int) -> Any:
    """The rows of a tensor, or of each tensor of a tuple, that fall to process ``rank``."""
    tensors = (batch,) if isinstance(batch, Tensor) else batch
    if not isinstance(tensors, tuple) or not all(isinstance(part, Tensor) for part in tensors):
        raise TypeError(
            f"only a tensor or a tuple of tensors is shared out by itself, but the batch is a "
            f"{type(batch).__name__}; give the experiment its own shard(batch, rank, world)"
        )
    lengths = {part.shape[0] if part.dim() else 0 for part in tensors}
    if len(lengths) != 1:
        raise ValueError(
            f"the tensors of a batch are shared out along their first axis, which must have one "
            f"length, but their shapes are {[tuple(part.shape) for part in tensors]}; give the "
            "experiment its own shard(batch, rank, world)"
        )
    length = lengths.pop()
    first, last = rank * length // world, (rank + 1) * length // world
    if first == last:
        return None
    parts = [part[first:last] for part in tensors]
    if isinstance(batch, Tensor):
        return parts[0]
    return type(batch)(*parts) if hasattr(batch, "_fields") else tuple(parts)
