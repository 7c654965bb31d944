"""All hops over the same words by one kernel, where all parts are as they were made."""

from jaxtyping import Float, Int
from torch import Tensor, nn

from regard.attention import Attended, Attention, Hops
from regard.attention.sources import Examined, Known
from regard.blends import WeightedSum
from regard.kernels.rereading import Tables, reread, usable
from regard.memory.fusing import as_made
from regard.models.memn2n import Projected, Rectified
from regard.normalisers import Softmax
from regard.scores import Dot
from regard.windows import Everywhere

KINDS = Hops, Attention, Dot, Softmax, WeightedSum, Everywhere, Rectified, Projected
Found = tuple[Float[Tensor, "batch 1 size"], list[Attended]]


def one_kernel(
    hops: Hops, count: int, asked: float, words: Int[Tensor, "batch slot"],
    table: Float[Tensor, "word both"], times: Float[Tensor, "time both"],
) -> Found | None:  # fmt: skip
    """The state after ``count`` hops and what each saw; None where hop by hop differs."""
    update = hops.update
    if not isinstance(update, Rectified) or not isinstance(update.update, Projected):
        return None
    tables = Tables(table, times, update.update.weight)
    if not usable(tables, words) or not _fusible(hops):
        return None
    found, *seen = reread(tables, words, update.straight, count, asked)
    looks = [
        Attended(context, Known(Examined(weights, scores, weights, None)))
        for context, scores, weights in zip(
            *(each.chunk(count, dim=1) for each in seen), strict=True
        )
    ]
    return found.unsqueeze(1), looks


def _fusible(hops: nn.Module) -> bool:
    """Whether these hops look by a plain dot and softmax, and nobody listens to one of them."""
    parts = list(hops.modules())
    return as_made(parts, KINDS) and not any(
        isinstance(part, WeightedSum) and part.drops for part in parts
    )
