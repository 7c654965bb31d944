"""Metrics: plain functions that say how good translations, captions and looks are."""

from regard.metrics.alignment import alignment_error_rate, links
from regard.metrics.answers import correlation, nats_per_sequence, slope, wrong_answers
from regard.metrics.bits import bits_per_sequence, wrong_bits
from regard.metrics.bleu import Bleu, bleu, bleu_by_length
from regard.metrics.captions import caption_bleu, caption_precision, cider, meteor
from regard.metrics.exact import exact, exact_by_length
from regard.metrics.facts import facts_found, facts_looked_at, facts_preferred
from regard.metrics.lengths import Bucket, buckets
from regard.metrics.pointing import attention_covered, attention_inside, pointing_hits
from regard.metrics.retrieval import retrieval

__all__ = [
    "Bleu",
    "Bucket",
    "alignment_error_rate",
    "attention_covered",
    "attention_inside",
    "bits_per_sequence",
    "bleu",
    "bleu_by_length",
    "buckets",
    "caption_bleu",
    "caption_precision",
    "cider",
    "correlation",
    "exact",
    "exact_by_length",
    "facts_found",
    "facts_looked_at",
    "facts_preferred",
    "links",
    "meteor",
    "nats_per_sequence",
    "pointing_hits",
    "retrieval",
    "slope",
    "wrong_answers",
    "wrong_bits",
]
