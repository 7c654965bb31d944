"""What is counted of captions: all tokens, and the words without full stops and commas."""

import math

import pytest
import torch

from regard.recipes.captioning import measuring
from regard.recipes.captioning.albums import Album
from regard.recipes.captioning.photographs import Flickr8k, OwnPictures
from regard.recipes.captioning.teller import Told

SAID = [Told(("a", "dog", "."), torch.zeros(3, 1, 1))]


class OneImage(Album):
    captions = ((("a", "dog", "runs", "."),),)

    def given(self, places):
        raise NotImplementedError("nothing is told here")


@pytest.fixture(autouse=True)
def nothing_more_is_installed(monkeypatch):
    monkeypatch.setattr(measuring, "find_spec", lambda _: None)


def counted(data):
    found = measuring._of_words(SAID, OneImage(), "test", "all", data)
    return {each.metric: each for each in found}


def test_full_stops_count_where_they_are_words_and_are_left_out_beside():
    found = counted(Flickr8k())
    assert found["BLEU-1"].value == pytest.approx(100 * math.exp(1 - 4 / 3))
    assert found["BLEU-1 without brevity penalty"].value == pytest.approx(100)
    assert found["BLEU-2 without brevity penalty"].value == pytest.approx(100 * 0.5**0.5)
    assert found["BLEU-1 of words alone"].value == pytest.approx(100 * math.exp(1 - 3 / 2))
    assert "full stops among them" in found["BLEU-1"].note
    assert "dropped" in found["BLEU-1 of words alone"].note


def test_words_are_counted_once_where_none_is_punctuation():
    found = counted(OwnPictures())
    assert not [name for name in found if "alone" in name]
    assert "dropped" in found["BLEU-1"].note
