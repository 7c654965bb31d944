"""The nouns of the library: every tensor that travels between parts, named once.

``*batch`` is any number of leading axes, heads among them, and they broadcast. Test runs check
these types at every call; outside tests they cost nothing.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

Query = Float[Tensor, "*#batch query dim_q"]
Key = Float[Tensor, "*#batch key dim_k"]
Value = Float[Tensor, "*#batch key dim_v"]
Scores = Float[Tensor, "*#batch query key"]  # any real number, higher fits better
Weights = Float[Tensor, "*#batch query key"]  # how much of each value goes into the blend
Context = Float[
    Tensor, "*#batch seen dim_v"
]  # what was seen: a row per query (or per key: Modulate)
Mask = Bool[Tensor, "*#batch #query key"]  # True = may attend; broadcasts over batch and query
Rows = Float[Tensor, "*#batch query"]  # one number per query

# Keys made ready for comparison: one tensor, or one for each part of a sum of scores.
# Their axis before the last is the key's, so that they can be joined and picked like keys.
Prepared = Any
Number = int | float
Taper = Callable[[Weights], Weights]  # what a window does to the weights inside it


def broadcast(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that these shapes broadcast to; RuntimeError where they do not."""
    return tuple(torch.broadcast_shapes(*shapes))  # type: ignore[no-untyped-call]
