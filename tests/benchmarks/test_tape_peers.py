"""The peers of the tape machine do the same work: with the same weights they say the same."""

import importlib
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard.models.controllers import Recurrent
from regard.models.ntm import NTM

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
BATCH, TIME, GIVEN, OUTPUT, SLOTS, WORD, SIZE = 2, 5, 3, 4, 11, 7, 13
SIZES = {"given": GIVEN, "output": OUTPUT, "size": SIZE, "slots": SLOTS, "word": WORD}


@pytest.fixture
def peers(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("tape_peer")


def machine(heads, reach):
    torch.manual_seed(0)
    model = NTM(
        Recurrent(GIVEN + heads * WORD, SIZE), output_size=OUTPUT, slots=SLOTS, word_size=WORD,
        heads=heads, reach=reach,
    )  # fmt: skip
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.4)
    return model


def told(model, heads, name):
    """What heads are told, head by head: (address and change of writers, address of readers)."""
    tellers = model.writers.going.to_address, model.writers.to_change, model.readers.to_address
    address, change, read = (
        getattr(each, name).detach().unflatten(0, (heads, -1)) for each in tellers
    )
    return torch.cat([address, change], dim=1), read


def common(peer, model):
    peer.cell.load_state_dict(model.controller.cell.state_dict())
    peer.to_output.load_state_dict(model.to_output.state_dict())
    peer.first, peer.first_words = model.controller.first, model.first_words


@pytest.mark.parametrize("heads", [1, 3])
@pytest.mark.parametrize("reach", [1, 2])
def test_the_vectorised_loop_says_the_same(peers, heads, reach):
    model = machine(heads, reach)
    peer = peers.VectorisedNTM(**SIZES, heads=heads, reach=reach)
    common(peer, model)
    for name in ("weight", "bias"):
        for teller, wanted in zip(
            (peer.to_write, peer.to_read), told(model, heads, name), strict=True
        ):
            getattr(teller, name).data.copy_(wanted.flatten(0, 1))
    inputs = torch.randn(BATCH, TIME, GIVEN)
    assert_close(peer(inputs), model(inputs), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("heads", [1, 3])
@pytest.mark.parametrize("reach", [1, 2])
def test_the_usual_repository_says_the_same(peers, heads, reach):
    model = machine(heads, reach)
    peer = peers.ModularNTM(**SIZES, heads=heads, reach=reach)
    common(peer, model)
    parts = [WORD, 1, 1, 2 * reach + 1, 1]
    for name in ("weight", "bias"):
        writes, reads = told(model, heads, name)
        for number in range(heads):
            writer, reader = peer.writers[number], peer.readers[number]
            *address, erase, add = writes[number].split([*parts, WORD, WORD])
            getattr(writer.to_erase, name).data.copy_(erase)
            getattr(writer.to_add, name).data.copy_(add)
            for head, values in ((writer.going, address), (reader, reads[number].split(parts))):
                tellers = (
                    head.to_key, head.to_strength, head.to_gate, head.to_shifts, head.to_power
                )  # fmt: skip
                for teller, value in zip(tellers, values, strict=True):
                    getattr(teller, name).data.copy_(value)
    inputs = torch.randn(BATCH, TIME, GIVEN)
    assert_close(peer(inputs), model(inputs), rtol=1e-3, atol=1e-4)


def test_peers_have_as_many_parameters(peers, monkeypatch):
    for heads in (1, 3):
        model = machine(heads, 1)
        count = sum(parameter.numel() for parameter in model.parameters())
        for kind in (peers.VectorisedNTM, peers.ModularNTM):
            peer = kind(**SIZES, heads=heads, reach=1)
            assert sum(parameter.numel() for parameter in peer.parameters()) == count
