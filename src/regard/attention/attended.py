"""What a look returns: the context at once, weights and scores when somebody asks."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.utils import _pytree as pytree

from regard.attention.witness import Witness
from regard.masks import blank, hide
from regard.normalisers import Normaliser
from regard.scores import Score
from regard.shapes import Context, Key, Mask, Query, Rows, Scores, Weights

Indices = Sequence[int] | None  # None means all


class Examined(NamedTuple):
    """The insides of a look."""

    weights: Weights
    scores: Scores
    mask: Mask | None


class Source(ABC):
    """Where a look's weights and scores come from."""

    @abstractmethod
    def examine(self, heads: Indices = None, rows: Indices = None) -> Examined:
        """Weights, scores and mask; only these heads (third axis from the end) and query rows."""

    @abstractmethod
    def watch(self, parameters: Iterable[Tensor]) -> None:
        """Let nothing be shown once one of these has changed."""


class Known(Source):
    """Weights that the look has worked out anyway; where it made a draw, that draw."""

    def __init__(self, examined: Examined) -> None:
        self.examined = examined

    def examine(self, heads: Indices = None, rows: Indices = None) -> Examined:
        """What is known, or a part of it."""
        weights, scores, mask = self.examined
        weights, scores = _pick(weights, heads, rows), _pick(scores, heads, rows)
        return Examined(weights, scores, _pick_mask(mask, heads, rows))

    def watch(self, parameters: Iterable[Tensor]) -> None:
        """What is known stays true."""


class Deferred(Source):
    """Weights that a fused kernel passed over: worked out on first reading, from the same tensors.

    Under the same autocast as the look; with gradients if the look had them. Raises where a tensor
    or a parameter has changed since, so that a wrong weight is never shown. Only for scores that
    judge each query row and each head for itself.
    """

    def __init__(
        self, score: Score, normaliser: Normaliser, query: Query, prepared: Key, mask: Mask | None
    ) -> None:
        self.score = score
        self.normaliser = normaliser
        self.query = query
        self.prepared = prepared
        self.mask = mask
        given = (query, prepared) if mask is None else (query, prepared, mask)
        self.witnesses = [Witness((*given, *score.parameters()))]
        device = query.device.type
        enabled = torch.is_autocast_enabled(device)
        self.autocast = (device, torch.get_autocast_dtype(device), enabled)
        self.differentiable = torch.is_grad_enabled()
        self.kept: dict[bool, Examined] = {}

    def examine(self, heads: Indices = None, rows: Indices = None) -> Examined:
        """Score and normalise, only what is asked for; the whole is kept once worked out."""
        differentiable = self.differentiable and torch.is_grad_enabled()
        if differentiable in self.kept:
            return Known(self.kept[differentiable]).examine(heads, rows)
        for witness in self.witnesses:
            witness.check()
        with torch.set_grad_enabled(differentiable):
            examined = self._score_and_normalise(heads, rows)
        if heads is None and rows is None:
            self.kept[differentiable] = examined
        return examined

    def watch(self, parameters: Iterable[Tensor]) -> None:
        """Let nothing be shown once one of these has changed."""
        self.witnesses.append(Witness(parameters))

    def _score_and_normalise(self, heads: Indices, rows: Indices) -> Examined:
        device, dtype, enabled = self.autocast
        mask = _pick_mask(self.mask, heads, rows)
        with torch.autocast(device, dtype, enabled):
            query, prepared = _pick(self.query, heads, rows), _pick(self.prepared, heads, None)
            scores = self.score.compare(query, prepared)
            return Examined(self.normaliser(scores, mask), scores, mask)


class Attended:
    """The result of a look.

    ``context`` is there at once. ``weights`` and ``scores`` cost nothing until they are read, and
    are then exactly those that were used, before any dropout.
    """

    def __init__(self, context: Context, source: Source) -> None:
        self.context = context
        self.source = source

    @property
    def weights(self) -> Weights:
        """How much of each value went into the context: (*batch, query, key)."""
        return self.source.examine().weights

    @property
    def scores(self) -> Scores:
        """How well each key fitted, before normalising; forbidden keys included."""
        return self.source.examine().scores

    @property
    def log_probability(self) -> Rows:
        """Log p of the keys that the weights chose, p being the softmax of the scores.

        sum_j w_j log p_j with w held fixed: for a one-hot draw the log-probability of that draw,
        whose gradient trains the scores. For soft weights the gradient vanishes by itself. Zero
        for a query that may see nothing.
        """
        weights, scores, mask = self.source.examine()
        return (weights.detach() * log_softmax(scores, mask)).sum(dim=-1)

    @property
    def entropy(self) -> Rows:
        """-sum_j p_j log p_j of the softmax of the scores, in nats; zero where nothing is seen."""
        _, scores, mask = self.source.examine()
        logs = log_softmax(scores, mask)
        return -blank(logs.exp() * logs, mask).sum(dim=-1)

    def __repr__(self) -> str:
        return f"Attended(context={tuple(self.context.shape)}, weights and scores when read)"


def _flatten(seen: Attended) -> tuple[list[Any], Source | None]:
    """Its tensors, for vmap, export and whatever else walks through results."""
    if not isinstance(seen.source, Known):
        return [seen.context], seen.source
    return [seen.context, *(part for part in seen.source.examined if part is not None)], None


def _unflatten(tensors: Iterable[Any], source: Source | None) -> Attended:
    context, *examined = tensors
    if source is None:
        weights, scores, *mask = examined
        source = Known(Examined(weights, scores, mask[0] if mask else None))
    seen = object.__new__(Attended)  # walkers also put in things that are no tensors
    seen.context, seen.source = context, source
    return seen


pytree.register_pytree_node(Attended, _flatten, _unflatten, serialized_type_name="regard.Attended")


def log_softmax(scores: Scores, mask: Mask | None) -> Scores:
    """Logarithm of the softmax over permitted keys; zero at the others."""
    return blank(hide(scores, mask).log_softmax(dim=-1), mask)


def _pick(tensor: Tensor, heads: Indices, rows: Indices) -> Tensor:
    """Only these heads and rows."""
    tensor = tensor if rows is None else tensor[..., _inside("rows", rows, tensor.shape[-2]), :]
    return tensor if heads is None else tensor[..., _inside("heads", heads, tensor.shape[-3]), :, :]


def _pick_mask(mask: Tensor | None, heads: Indices, rows: Indices) -> Tensor | None:
    """The same of a mask, whose axes of one stand for all heads or rows."""
    if mask is None:
        return None
    with_heads = mask.dim() > 2 and mask.shape[-3] > 1
    return _pick(mask, heads if with_heads else None, rows if mask.shape[-2] > 1 else None)


def _inside(name: str, indices: Sequence[int], count: int) -> list[int]:
    outside = [index for index in indices if not -count <= index < count]
    if outside:
        raise ValueError(f"{name} asks for {outside}, but this look has {count}, from 0")
    return list(indices)
