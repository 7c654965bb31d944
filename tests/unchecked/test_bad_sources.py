"""Messages of translators and captioners that are given what does not fit."""

import re

import pytest
import torch
from torch import nn

from regard import Attention
from regard.models import AnyGrid, Captioner, ConvolutionalGrid, Marks, RNNSearch, beam
from regard.scores import Additive

SENTENCES = torch.full((3, 4), 5)
LENGTHS = torch.tensor([4, 4, 2])
PICTURES = torch.randint(0, 256, (2, 3, 16, 24))
SIZES = torch.tensor([[16, 24], [8, 24]])
WORDS = torch.full((2, 5), 4)


def translate(source=SENTENCES, lengths=LENGTHS, words=SENTENCES):
    sizes = {"source_vocabulary": 9, "target_vocabulary": 9, "word_size": 4, "state_size": 4}
    return RNNSearch(**sizes, hidden_size=4)(source, lengths, words)


def caption(encoder=None, images=PICTURES, sizes=SIZES):
    look = Attention(Additive(query_size=4, key_size=6, hidden_size=4))
    encoder = ConvolutionalGrid(6) if encoder is None else encoder
    model = Captioner(encoder, look, vocabulary=9, annotation_size=6, word_size=4, state_size=4)
    return model(images, sizes, WORDS)


class Plain(nn.Module):
    def forward(self, images, sizes):
        return images.float()


def search(**knobs):
    sizes = {"source_vocabulary": 9, "target_vocabulary": 9, "word_size": 4, "state_size": 4}
    model = RNNSearch(**sizes, hidden_size=4)
    return beam(model.decoder, model.encoder(SENTENCES, LENGTHS), Marks(1, 2), longest=3, **knobs)


CASES = {
    "a length power below zero": (
        lambda: search(length_power=-1),
        ValueError,
        "length_power must be 0 or more, but length_power=-1",
    ),
    "fewer lengths": (
        lambda: translate(lengths=LENGTHS[:2]),
        ValueError,
        "3 sources, 2 lengths and 3 rows of words",
    ),
    "a list of lengths": (
        lambda: translate(lengths=[4, 4, 2]),
        TypeError,
        "lengths must be a tensor, but it is a list",
    ),
    "more words": (
        lambda: translate(words=torch.full((4, 2), 5)),
        ValueError,
        "3 sources, 3 lengths and 4 rows of words",
    ),
    "an encoder that gives a tensor": (
        lambda: caption(Plain()),
        TypeError,
        "a decoder takes an Encoded (regard.models), but was given a Tensor; AnyGrid(network)",
    ),
    "a network without rows and columns": (
        lambda: caption(AnyGrid(nn.Flatten())),
        ValueError,
        "gives (batch, size, row, column), but for 2 images this one gave (2, 1152)",
    ),
    "a network that gives no tensor": (
        lambda: caption(AnyGrid(nn.MaxPool2d(2, return_indices=True)), PICTURES.float()),
        ValueError,
        "for 2 images this one gave tuple",
    ),
    "pixels up to one": (
        lambda: caption(images=PICTURES / 255),
        ValueError,
        "pixels must go from 0 to 255, but these go from 0 to 1; give them as they are",
    ),
    "no sizes": (
        lambda: caption(sizes=None),
        TypeError,
        "lengths must be a tensor, but it is a NoneType (of images, lengths are heights and",
    ),
}


@pytest.mark.parametrize(("act", "kind", "message"), CASES.values(), ids=CASES)
def test_what_does_not_fit_is_named(act, kind, message):
    with pytest.raises(kind, match=re.escape(message)):
        act()
