"""Attention without a query: one context for a whole sequence."""

from regard.attention.attended import Attended
from regard.attention.attention import Attention
from regard.attention.checking import check_kind, check_tensor
from regard.attention.look import Look
from regard.shapes import Key, Mask, Value


class Pooling(Look):
    """Blends a sequence into one context; each key says for itself how much it matters.

    For scores that need no query: ``Pooling(Attention(FromKey(nn.Linear(size, 1))))``. The context
    lies among the values (their convex hull, with softmax) and does not depend on their order. It
    keeps a query axis of one: (*batch, 1, size).
    """

    def __init__(self, look: Attention) -> None:
        super().__init__()
        check_kind("look", look, Attention, "Attention(FromKey(nn.Linear(size, 1)))")
        self.look = look

    def forward(self, key: Key, value: Value | None = None, mask: Mask | None = None) -> Attended:
        """One context for each example."""
        check_tensor("key", key)
        nobody = key[..., :1, :0] if key.shape[-2] else key.new_zeros(*key.shape[:-2], 1, 0)
        return self.look(nobody, key, value, mask)
