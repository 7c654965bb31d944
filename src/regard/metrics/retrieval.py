"""Whether things that belong together lie together."""

from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize


def retrieval(queries: Float[Tensor, "item size"], keys: Float[Tensor, "item size"]) -> float:
    """The share of queries whose nearest key, by cosine, is the one of the same item.

    >>> import torch
    >>> retrieval(torch.eye(3), torch.tensor([[2.0, 0, 0], [0, 0, 3.0], [0, 1.0, 1.1]]))
    0.3333333333333333
    """
    likeness = normalize(queries, dim=-1) @ normalize(keys, dim=-1).T
    nearest = likeness.argmax(dim=-1).tolist()
    return sum(place == item for item, place in enumerate(nearest)) / len(nearest)
