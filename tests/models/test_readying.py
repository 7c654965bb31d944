"""A decoder made ready for a search is the same decoder, with its large matrices laid out."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard import record
from regard.models import Marks, RNNSearch, beam, greedy
from regard.models.readying import Packed, ready

MARKS = Marks(begin=1, end=2)
SOURCE, LENGTHS = torch.tensor([[4, 5, 6, 7], [8, 9, 0, 0]]), torch.tensor([4, 2])


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return RNNSearch(
        source_vocabulary=11,
        target_vocabulary=1300,
        word_size=7,
        state_size=300,
        hidden_size=210,
    ).eval()


@torch.no_grad()
def test_large_maps_are_packed_and_all_else_is_shared(model):
    twin = ready(model.decoder)
    assert isinstance(twin.readout.to_words, Packed)
    assert isinstance(twin.stepper.cell.from_context, Packed)
    assert twin.stepper.cell.from_reset is model.decoder.stepper.cell.from_reset  # small
    assert twin.stepper.look is model.decoder.stepper.look
    assert isinstance(model.decoder.readout.to_words, nn.Linear)  # the model itself is as it was


@torch.no_grad()
def test_a_ready_decoder_steps_as_the_decoder_does(model):
    encoded = model.encoder(SOURCE, LENGTHS)
    word = torch.tensor([[3], [5]])
    (state, memory), twin = model.decoder.begin(encoded), ready(model.decoder)
    own, ours = (each.step(state, word, memory) for each in (model.decoder, twin))
    assert_close(own[0], ours[0], atol=1e-5, rtol=1e-4)
    assert_close(own[1], ours[1], atol=1e-4, rtol=1e-4)


def test_where_gradients_are_on_a_decoder_is_ready_as_it_is(model):
    assert ready(model.decoder) is model.decoder


@torch.no_grad()
def test_a_map_that_somebody_listens_to_is_left_alone(model):
    heard = []
    handle = model.decoder.readout.to_words.register_forward_hook(lambda *_: heard.append(1))
    greedy(model.decoder, model.encoder(SOURCE, LENGTHS), MARKS, longest=3)
    handle.remove()
    assert len(heard) == 3


@torch.no_grad()
def test_looks_of_a_search_are_recorded_under_their_names(model):
    with record(model) as maps:
        found = beam(model.decoder, model.encoder(SOURCE, LENGTHS), MARKS, longest=4, beams=2)
    assert list(maps) == ["decoder.stepper.look"]
    assert len(found) == 2


@torch.no_grad()
def test_a_search_after_a_change_of_the_weights_sees_the_change(model):
    encoded = model.encoder(SOURCE, LENGTHS)
    first = greedy(model.decoder, encoded, MARKS, longest=1)[0].words
    favourite = 1000 if first != [1000] else 1001
    bias = model.decoder.readout.to_words.bias
    kept = bias.clone()
    bias[favourite] = 1e4
    assert greedy(model.decoder, encoded, MARKS, longest=1)[0].words == [favourite]
    bias.copy_(kept)
