"""The share of sentences that are exactly right."""

from collections.abc import Sequence

from regard.metrics.lengths import Bucket, buckets, check_same_number


def exact(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> float:
    """The share of hypotheses that have the very words of their reference, from 0 to 1.

    >>> exact([("go", "left"), ("go",)], [("go", "left"), ("go", "right")])
    0.5
    """
    check_same_number(hypotheses, references)
    right = [
        tuple(said) == tuple(wanted) for said, wanted in zip(hypotheses, references, strict=True)
    ]
    return sum(right) / len(right)


def exact_by_length(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    lengths: Sequence[int],
    width: int = 10,
) -> list[tuple[Bucket, float]]:
    """The share that is exactly right for each bucket of (usually the source's) lengths."""
    check_same_number(hypotheses, references)
    check_same_number(lengths, references)
    return [
        (
            bucket,
            exact(
                [hypotheses[position] for position in bucket.positions],
                [references[position] for position in bucket.positions],
            ),
        )
        for bucket in buckets(lengths, width)
    ]
