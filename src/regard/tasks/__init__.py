"""Tasks: sentences in pairs, made or read from files, as words, as numbers, as padded batches."""

from regard.tasks.batches import Batch, collate, epoch_batches
from regard.tasks.corpora import korean_english, multi30k, split_by_source, tatoeba_french
from regard.tasks.encodings import encoding_from_json
from regard.tasks.files import read_pairs, read_parallel, read_table
from regard.tasks.folders import cache_folder, data_file, data_folder
from regard.tasks.pairs import Pair, Split
from regard.tasks.subwords import Subwords
from regard.tasks.vocabulary import BEGIN, END, PADDING, UNKNOWN, Encoding, Vocabulary

__all__ = [
    "BEGIN",
    "END",
    "PADDING",
    "UNKNOWN",
    "Batch",
    "Encoding",
    "Pair",
    "Split",
    "Subwords",
    "Vocabulary",
    "cache_folder",
    "collate",
    "data_file",
    "data_folder",
    "encoding_from_json",
    "epoch_batches",
    "korean_english",
    "multi30k",
    "read_pairs",
    "read_parallel",
    "read_table",
    "split_by_source",
    "tatoeba_french",
]
