"""Running text: the Penn Treebank where it is, and small files everywhere."""

import hashlib
import lzma
import os

import pytest
import torch

from regard.tasks.checksums import CHECKSUMS
from regard.tasks.texts import read_text, text_stream, text_vocabulary, treebank
from regard.tasks.vocabulary import BEGIN, END, PADDING, UNKNOWN

real = pytest.mark.skipif(
    not os.environ.get("REGARD_DATA"),
    reason="REGARD_DATA is not set: the Penn Treebank is not counted",
)
TEXT = " the cat sat \n the <unk> N sat sat\n"


def test_a_text_becomes_one_row_with_an_end_after_each_sentence(tmp_path):
    (tmp_path / "own.txt").write_text(TEXT)
    sentences = read_text(tmp_path / "own.txt")
    assert sentences == [("the", "cat", "sat"), ("the", "<unk>", "N", "sat", "sat")]
    vocabulary = text_vocabulary(sentences)
    assert vocabulary.words[4:] == ("sat", "the", "N", "cat")
    stream = text_stream(sentences, vocabulary)
    assert stream.tolist() == [5, 7, 4, END, 5, UNKNOWN, 6, 4, 4, END]
    assert stream.dtype == torch.int64
    assert text_stream([], vocabulary).shape == (0,)


def test_words_beyond_the_largest_size_are_unknown(tmp_path):
    sentences = [("a", "a", "b"), ("b", "c", "a")]
    vocabulary = text_vocabulary(sentences, largest_size=6)
    assert text_stream(sentences[1:], vocabulary).tolist() == [5, UNKNOWN, 4, END]


def test_the_treebank_is_read_out_of_its_packed_files(tmp_path, monkeypatch):
    (tmp_path / "ptb").mkdir()
    (tmp_path / "ptb" / "ptb.valid.txt.xz").write_bytes(lzma.compress(TEXT.encode()))
    digest = hashlib.sha256(TEXT.encode()).hexdigest()
    monkeypatch.setitem(CHECKSUMS["ptb"], "ptb.valid.txt.xz", digest)
    assert treebank("valid", tmp_path)[0] == ("the", "cat", "sat")
    with pytest.raises(ValueError, match=r"no file .*ptb\.test\.txt\.xz; fetch it by: regard data"):
        treebank("test", tmp_path)
    with pytest.raises(ValueError, match="part must be one of train, valid, test, but it is 'dev'"):
        treebank("dev", tmp_path)


@pytest.fixture(scope="module")
def known():
    return text_vocabulary(treebank("train"))


@real
@pytest.mark.parametrize(
    ("part", "lines", "tokens", "words"),
    [
        ("train", 42_068, 929_589, 10_000),
        ("valid", 3_370, 73_760, 6_022),
        ("test", 3_761, 82_430, 6_049),
    ],
)
def test_the_treebank_has_its_published_counts(part, lines, tokens, words, known):
    """Tokens and words with the end of a sentence counted among them."""
    sentences = treebank(part)
    assert len(sentences) == lines
    stream = text_stream(sentences, known)
    assert len(stream) == tokens
    assert len(stream.unique()) == words  # every word of all three parts is one of the train part
    assert len(known) == 10_000 + 2
    assert not torch.isin(stream, torch.tensor([PADDING, BEGIN])).any()
