"""Metrics: plain functions that say how good translations and looks are."""

from regard.metrics.alignment import alignment_error_rate, links
from regard.metrics.bleu import Bleu, bleu, bleu_by_length
from regard.metrics.exact import exact, exact_by_length
from regard.metrics.lengths import Bucket, buckets
from regard.metrics.retrieval import retrieval

__all__ = [
    "Bleu",
    "Bucket",
    "alignment_error_rate",
    "bleu",
    "bleu_by_length",
    "buckets",
    "exact",
    "exact_by_length",
    "links",
    "retrieval",
]
