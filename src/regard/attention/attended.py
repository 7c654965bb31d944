"""What a look returns: the context at once, weights and scores when somebody asks."""

from collections.abc import Iterable
from typing import Any

from torch.utils import _pytree as pytree

from regard.attention.sources import Examined, Known, Source
from regard.masks import blank, hide
from regard.shapes import Context, Mask, Rows, Scores, Weights


class Attended:
    """The result of a look.

    ``context`` is there at once. ``weights`` and ``scores`` cost nothing until they are read, and
    are then exactly those that were used, before any dropout.
    """

    def __init__(self, context: Context, source: Source) -> None:
        self.context = context
        self.source = source
        self.faded = isinstance(source, Known) and source.faded  # by a window

    @property
    def weights(self) -> Weights:
        """How much of each value went into the context: (*batch, query, key)."""
        return self.source.weights()

    @property
    def scores(self) -> Scores:
        """How well each key fitted, before normalising; forbidden keys included."""
        return self.source.examine().scores

    @property
    def log_probability(self) -> Rows:
        """log p of the keys that were chosen, p being the softmax of the scores.

        sum_j w_j log p_j with w, the normaliser's choice, held fixed: for a one-hot draw the
        log-probability of that draw, whose gradient trains the scores. For softmax weights the
        gradient vanishes by itself. Zero for a query that may see nothing.
        """
        examined = self.source.examine()
        logs = log_softmax(examined.scores, examined.mask)
        return (examined.chosen.detach() * logs).sum(dim=-1)

    @property
    def entropy(self) -> Rows:
        """-sum_j p_j log p_j of the softmax of the scores, in nats; zero where nothing is seen."""
        examined = self.source.examine()
        logs = log_softmax(examined.scores, examined.mask)
        return -blank(logs.exp() * logs, examined.mask).sum(dim=-1)

    def __repr__(self) -> str:
        return f"Attended(context={tuple(self.context.shape)}, weights and scores when read)"


def log_softmax(scores: Scores, mask: Mask | None) -> Scores:
    """Logarithm of the softmax over permitted keys; zero at the others."""
    return blank(hide(scores, mask).log_softmax(dim=-1), mask)


Shape = tuple[Source | None, bool, bool]


def _flatten(seen: Attended) -> tuple[list[Any], Shape]:
    """Its tensors, for vmap, export and whatever else walks through results."""
    if not isinstance(seen.source, Known):
        return [seen.context], (seen.source, False, False)
    weights, scores, chosen, mask = seen.source.examined
    faded, masked = seen.faded, mask is not None
    rest = [*([chosen] if faded else []), *([mask] if masked else [])]
    return [seen.context, weights, scores, *rest], (None, faded, masked)


def _unflatten(tensors: Iterable[Any], shape: Shape) -> Attended:
    source, faded, masked = shape
    context, *examined = tensors
    if source is None:
        weights, scores, *rest = examined
        mask = rest.pop() if masked else None
        source = Known(Examined(weights, scores, rest[0] if faded else weights, mask))
    seen = object.__new__(Attended)  # walkers also put in things that are no tensors
    seen.context, seen.source, seen.faded = context, source, faded
    return seen


pytree.register_pytree_node(Attended, _flatten, _unflatten, serialized_type_name="regard.Attended")
