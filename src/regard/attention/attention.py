"""The one idea: score every key, normalise the scores into weights, blend the values by them."""

import torch

from regard.attention.attended import Attended
from regard.attention.checking import check_kind, check_look, check_mask, check_pair
from regard.attention.fusing import fuse
from regard.attention.look import Look
from regard.attention.memory import Memory, recall
from regard.attention.sources import Deferred, Examined, Known
from regard.blends import Blend, WeightedSum
from regard.masks import both, silence
from regard.normalisers import Normaliser, Softmax
from regard.scores import Score
from regard.shapes import Key, Mask, Query, Value
from regard.windows import Everywhere, Window


class Attention(Look):
    """Scores every key, normalises the scores into weights, blends the values by them.

    Bahdanau's attention is ``Attention(Additive(query_size=q, key_size=k, hidden_size=h))``,
    a Transformer's head ``Attention(ScaledDot())``; whatever else differs is another part in the
    same slot.

    >>> import torch
    >>> from regard.scores import Dot
    >>> look = Attention(Dot())
    >>> seen = look(torch.eye(2), torch.tensor([[9.0, 0.0], [0.0, 9.0], [0.0, 0.0]]))
    >>> seen.weights.round(decimals=2)
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """

    def __init__(
        self,
        score: Score,
        normaliser: Normaliser | None = None,
        blend: Blend | None = None,
        window: Window | None = None,
    ) -> None:
        super().__init__()
        self.score = score
        self.normaliser = Softmax() if normaliser is None else normaliser
        self.blend = WeightedSum() if blend is None else blend
        self.window = Everywhere() if window is None else window
        check_kind("score", self.score, Score, "Dot()")
        check_kind("normaliser", self.normaliser, Normaliser, "Softmax()")
        check_kind("blend", self.blend, Blend, "WeightedSum()")
        check_kind("window", self.window, Window, "Predictive(query_size=5, radius=10)")

    def forward(
        self,
        query: Query,
        key: Key | Memory | None = None,
        value: Value | None = None,
        mask: Mask | None = None,
    ) -> Attended:
        """Look at ``value`` through ``key`` on behalf of ``query``.

        ``value`` defaults to ``key``, and ``key`` to ``query``: self-attention. Instead of key and
        value it takes a ``Memory`` made by ``remember``; a mask given with it narrows the memory's.
        """
        memory = recall(self.remember, query if key is None else key, value, mask)
        check_look(query, memory)
        within_reach = both(memory.mask, self.score.reach(query, memory.prepared))
        memory = memory._replace(mask=within_reach)
        fused = fuse(self, query, memory)
        if fused is None:
            return self._examine_and_blend(query, memory)
        if torch.compiler.is_compiling():  # where nobody reads the weights, compiling removes them
            scores = fused.compare(*fused.tensors)
            weights = self.normaliser(scores, memory.mask)
            return Attended(fused.context, Known(Examined(weights, scores, weights, memory.mask)))
        source = Deferred(fused.compare, self.normaliser, fused.tensors, memory.mask, fused.weights)
        source.watch(self.score.parameters())
        return Attended(fused.context, source)

    def remember(self, key: Key, value: Value | None = None, mask: Mask | None = None) -> Memory:
        """Prepare keys once for many looks: ``look(query, memory)``."""
        value = key if value is None else value
        check_pair(key, value)
        if mask is not None:
            check_mask(mask, key)
        shown = silence(key, mask)
        return self.store(shown, shown if value is key else silence(value, mask), mask)

    def store(self, key: Key, value: Value, mask: Mask | None) -> Memory:
        """``remember`` for keys and values that are known to be in order."""
        return Memory(self.score.prepare(key), value, mask)

    def _examine_and_blend(self, query: Query, memory: Memory) -> Attended:
        scores = self.score.compare(query, memory.prepared)
        mask, taper = self.window(query, memory.mask, memory.length)
        chosen = self.normaliser(scores, mask)
        examined = Examined(taper(chosen), scores, chosen, mask)
        return Attended(self.blend(examined.weights, memory.value), Known(examined))
