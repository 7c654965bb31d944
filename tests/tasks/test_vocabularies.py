"""Words and pieces of words as numbers, and back."""

import json
import sys

import pytest

from regard.tasks import BEGIN, END, PADDING, UNKNOWN, Subwords, Vocabulary, encoding_from_json
from regard.tasks.directions import generate

SENTENCES = [("to", "be", "or", "not", "to", "be"), ("to", "see", "or", "to", "hear")]
PAIRS = generate(211, seed=3)
ODD = [
    ("서울역", "근처", "スタバ", "naïve", "🙂"),
    ("<end>", "<padding>", "in", "the", "text"),
    ("a\u00a0b", "tab\there", "'quoted'", "don't"),
    ("double", "", "space", ""),
    ("",),
    (),
]


@pytest.fixture(scope="module")
def subwords():
    return Subwords.train((pair.source + pair.target for pair in PAIRS), size=401)


def test_the_most_frequent_words_come_first_and_equals_in_order_of_letters():
    vocabulary = Vocabulary.build(SENTENCES)
    words = ("to", "be", "or", "hear", "not", "see")
    assert vocabulary.words[4:] == words
    assert vocabulary.encode(words) == [4, 5, 6, 7, 8, 9]
    assert (PADDING, BEGIN, END, UNKNOWN) == (0, 1, 2, 3)


def test_rare_words_are_left_out_by_count_and_by_size():
    assert Vocabulary.build(SENTENCES, smallest_count=2).words[4:] == ("to", "be", "or")
    assert Vocabulary.build(SENTENCES, largest_size=6).words[4:] == ("to", "be")
    assert len(Vocabulary.build(SENTENCES, largest_size=4)) == 4
    with pytest.raises(ValueError, match="hold the 4 special entries, but largest_size=3"):
        Vocabulary.build(SENTENCES, largest_size=3)


def test_decoding_stops_at_the_end_and_skips_what_says_nothing():
    vocabulary = Vocabulary(["go", "left"])
    assert vocabulary.decode([BEGIN, 4, 5, END, 4, PADDING]) == ("go", "left")
    assert vocabulary.decode([4, UNKNOWN, PADDING]) == ("go", "<unknown>")
    assert vocabulary.labels([BEGIN, 4, END, PADDING]) == ["<begin>", "go", "<end>", "<padding>"]


def test_text_that_looks_like_a_special_entry_is_an_unknown_word():
    vocabulary = Vocabulary.build([("<end>", "go", "<end>")])
    assert vocabulary.encode(("go", "<end>", "<padding>")) == [4, UNKNOWN, UNKNOWN]
    with pytest.raises(ValueError, match=r"none be one of <padding>.* again: '<end>'"):
        Vocabulary(["go", "<end>"])
    with pytest.raises(ValueError, match=r"each word must appear once.* again: 'go'"):
        Vocabulary(["go", "go"])


def test_a_vocabulary_comes_back_from_its_data():
    vocabulary = Vocabulary.build(pair.source for pair in PAIRS)
    data = json.loads(json.dumps(vocabulary.to_json()))
    for again in (Vocabulary.from_json(data), encoding_from_json(data)):
        assert isinstance(again, Vocabulary)
        assert again.words == vocabulary.words
        assert again.encode(PAIRS[0].source) == vocabulary.encode(PAIRS[0].source)


def test_other_data_are_refused():
    with pytest.raises(ValueError, match=r"need the entries 'kind' \('words'\) and 'words', but"):
        Vocabulary.from_json({"words": ["go"]})
    with pytest.raises(ValueError, match="one of words, subwords, but here it is 'letters'"):
        encoding_from_json({"kind": "letters"})


def test_subwords_have_the_size_and_the_special_entries_that_were_asked_for(subwords):
    assert len(subwords) == 401
    assert subwords.labels([PADDING, BEGIN, END, UNKNOWN]) == [
        "<padding>",
        "<begin>",
        "<end>",
        "<unknown>",
    ]
    with pytest.raises(ValueError, match="260 or more, but size=259"):
        Subwords.train([], size=259)


def test_any_text_comes_back_from_its_subwords(subwords):
    for words in [pair.source for pair in generate(101, seed=5)] + ODD:
        numbers = subwords.encode(words)
        assert subwords.decode([BEGIN, *numbers, END, 7, PADDING]) == words
        assert not {PADDING, BEGIN, END, UNKNOWN} & set(numbers)


def test_frequent_words_are_one_piece_and_the_pieces_can_be_read(subwords):
    assert len(subwords.encode(("to", "go"))) == 2
    assert len(subwords.encode(("로", "에서"))) == 2
    assert "".join(subwords.labels(subwords.encode(("Let's", "go")))) == "_Let's_go"


def test_subwords_come_back_from_their_data(subwords):
    data = json.loads(json.dumps(subwords.to_json()))
    for again in (Subwords.from_json(data), encoding_from_json(data)):
        assert isinstance(again, Subwords)
        for words in ODD:
            assert again.encode(words) == subwords.encode(words)
            assert again.decode(again.encode(words)) == words
    with pytest.raises(ValueError, match="not the data of a vocabulary of subwords"):
        Subwords.from_json({"kind": "words", "words": []})


def test_the_same_text_gives_the_same_subwords(subwords):
    again = Subwords.train((pair.source + pair.target for pair in PAIRS), size=401)
    assert again.to_json() == subwords.to_json()


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ImportError, match=r'pip install "regard\[text\]"'):
        Subwords.train(SENTENCES, size=401)
