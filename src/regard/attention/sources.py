"""Where a look's weights and scores come from: known already, or worked out when asked for."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import torch
from torch import Tensor

from regard.attention.witness import Witness
from regard.normalisers import Normaliser
from regard.shapes import Mask, Scores, Weights

Indices = Sequence[int] | None  # None means all
Compare = Callable[..., Scores]


class Examined(NamedTuple):
    """The insides of a look."""

    weights: Weights
    scores: Scores
    chosen: Weights  # the weights before a window faded them
    mask: Mask | None


class Source(ABC):
    """What can be asked about a look afterwards."""

    @abstractmethod
    def examine(self, heads: Indices = None, rows: Indices = None) -> Examined:
        """Weights, scores and mask; only these heads (third axis from the end) and query rows."""

    def weights(self) -> Weights:
        """The weights alone."""
        return self.examine().weights

    @abstractmethod
    def watch(self, parameters: Iterable[Tensor]) -> None:
        """Let nothing be shown once one of these has changed."""


class Known(Source):
    """Weights that the look has worked out anyway; where it made a draw, that draw."""

    def __init__(self, examined: Examined) -> None:
        self.examined = examined
        self.faded = examined.chosen is not examined.weights
        # They can be views of what the look was given: Unchanged passes scores on as they are.
        shown = () if torch.compiler.is_compiling() else (examined.weights, examined.scores)
        tensors = [part for part in shown if isinstance(part, Tensor)]
        self.witness = Witness(tensors, by_value=False)

    def examine(self, heads: Indices = None, rows: Indices = None) -> Examined:
        """What is known, or a part of it."""
        self.witness.check()
        weights, scores, chosen, mask = self.examined
        return Examined(
            _pick(weights, heads, rows),
            _pick(scores, heads, rows),
            _pick(chosen, heads, rows),
            _pick_mask(mask, heads, rows),
        )

    def watch(self, parameters: Iterable[Tensor]) -> None:
        """What is known stays true."""


class Deferred(Source):
    """Weights that a fused kernel passed over: worked out on first reading, from the same tensors.

    ``compare(asked, prepared, *others)`` gives the scores: the look's own function and tensors, so
    that nothing drawn or replaced since can come in. Under the same autocast as the look; with
    gradients if the look had them. Raises where one of the tensors has changed. Only for scores
    that judge each query row and each head for itself. ``shown`` are the weights without gradient,
    where the kernel has kept them.
    """

    def __init__(
        self,
        compare: Compare,
        normaliser: Normaliser,
        tensors: tuple[Tensor, ...],
        mask: Mask | None,
        shown: Weights | None = None,
    ) -> None:
        self.compare = compare
        self.normaliser = normaliser
        self.tensors = tensors
        self.mask = mask
        self.shown = shown
        self.witnesses = [Witness(tensors if mask is None else (*tensors, mask))]
        self.autocast = _autocast(tensors[0].device.type)
        self.differentiable = torch.is_grad_enabled()
        self.kept: dict[bool, Examined] = {}

    def examine(self, heads: Indices = None, rows: Indices = None) -> Examined:
        """Score and normalise, only what is asked for; the whole is kept once worked out."""
        differentiable = self.differentiable and torch.is_grad_enabled()
        if differentiable in self.kept:
            return Known(self.kept[differentiable]).examine(heads, rows)
        for witness in self.witnesses:
            witness.check()
        with torch.set_grad_enabled(differentiable), self.autocast():
            examined = self._score_and_normalise(heads, rows)
        if heads is None and rows is None:
            self.kept[differentiable] = examined
        return examined

    def weights(self) -> Weights:
        """Those that the kernel has kept, if nobody wants their gradient."""
        if self.shown is None or (self.differentiable and torch.is_grad_enabled()):
            return self.examine().weights
        return self.shown

    def watch(self, parameters: Iterable[Tensor]) -> None:
        """Let nothing be shown once one of these has changed."""
        self.witnesses.append(Witness(parameters, by_value=False))

    def _score_and_normalise(self, heads: Indices, rows: Indices) -> Examined:
        asked, prepared, *others = self.tensors
        mask = _pick_mask(self.mask, heads, rows)
        scores = self.compare(_pick(asked, heads, rows), _pick(prepared, heads, None), *others)
        weights = self.normaliser(scores, mask)
        return Examined(weights, scores, weights, mask)


def _autocast(device: str) -> Callable[[], AbstractContextManager[object]]:
    """The mixed precision of this moment, to be taken up again later."""
    if not torch.amp.is_autocast_available(device):
        return nullcontext
    dtype, enabled = torch.get_autocast_dtype(device), torch.is_autocast_enabled(device)
    return lambda: torch.autocast(device, dtype, enabled)


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
