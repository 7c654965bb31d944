"""How well the weights of a translator agree with the true alignment of the words."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from jaxtyping import Float
from torch import Tensor

Link = tuple[int, int]  # (target position, source position)
Looks = Float[Tensor, "target source"]  # one row of weights for each word of the target


def links(weights: Looks, target_words: int, source_words: int) -> frozenset[Link]:
    """Each target word linked to the source position that it looks at most.

    Rows from ``target_words`` on (the end of the sentence, padding) are left out. A word that
    looks most at a position from ``source_words`` on, which is no word, has no link.
    """
    rows, columns = weights.shape
    if rows < target_words or columns < source_words:
        raise ValueError(
            f"weights need a row for each of the {target_words} target words and a column for "
            f"each of the {source_words} source words, but their shape is ({rows}, {columns})"
        )
    best = weights[:target_words].argmax(dim=-1).tolist() if target_words else []
    return frozenset((row, column) for row, column in enumerate(best) if column < source_words)


def alignment_error_rate(
    found: Sequence[AbstractSet[Link]], true: Sequence[AbstractSet[Link]]
) -> float:
    """AER = 1 - 2 |A & S| / (|A| + |S|), the links of all sentences counted together.

    A Systematic Comparison of Various Statistical Alignment Models, Och, Ney 2003, section 5.2,
    where every true link is sure: their S and P are both S here. A are the links found, S the
    true ones. 0 is perfect agreement, 1 none. https://aclanthology.org/J03-1002
    """
    if len(found) != len(true):
        raise ValueError(
            f"each sentence needs its true alignment, but there are {len(found)} sentences and "
            f"{len(true)} alignments"
        )
    total = sum(map(len, found)) + sum(map(len, true))
    if total == 0:
        raise ValueError("there is no link in these alignments to count")
    common = sum(len(ours & theirs) for ours, theirs in zip(found, true, strict=True))
    return 1 - 2 * common / total
