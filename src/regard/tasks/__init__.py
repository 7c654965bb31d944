"""Tasks: sentences in pairs, made or read from files, as words, as numbers, as padded batches."""

from typing import TYPE_CHECKING, Any

from regard.tasks.corpora import korean_english, multi30k, split_by_source, tatoeba_french
from regard.tasks.downloading import FetchError
from regard.tasks.encodings import encoding_from_json
from regard.tasks.fetching import check, fetch, listing
from regard.tasks.files import read_pairs, read_parallel, read_table
from regard.tasks.folders import cache_folder, data_file, data_folder
from regard.tasks.pairs import Pair, Split
from regard.tasks.subwords import Subwords
from regard.tasks.vocabulary import BEGIN, END, PADDING, UNKNOWN, Encoding, Vocabulary

if TYPE_CHECKING:
    from regard.tasks.batches import Batch, collate, epoch_batches

__all__ = [
    "BEGIN",
    "END",
    "PADDING",
    "UNKNOWN",
    "Batch",
    "Encoding",
    "FetchError",
    "Pair",
    "Split",
    "Subwords",
    "Vocabulary",
    "cache_folder",
    "check",
    "collate",
    "data_file",
    "data_folder",
    "encoding_from_json",
    "epoch_batches",
    "fetch",
    "korean_english",
    "listing",
    "multi30k",
    "read_pairs",
    "read_parallel",
    "read_table",
    "split_by_source",
    "tatoeba_french",
]


def __getattr__(name: str) -> Any:
    """Batches, when first asked for: they import torch, and fetching data needs none."""
    if name not in ("Batch", "collate", "epoch_batches"):
        raise AttributeError(f"module 'regard.tasks' has no attribute {name!r}")
    from regard.tasks import batches

    return getattr(batches, name)
