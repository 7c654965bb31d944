"""The peer of the memory network over words does the same work: with the same weights, the same."""

import importlib
from pathlib import Path

import torch
from torch.testing import assert_close

from regard.models import MemoryLanguageModel

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_the_peer_foretells_as_ours_does(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    room = importlib.import_module("foretelling")
    for name, number in {"WORDS": 11, "SLOTS": 7, "SIZE": 6, "HOPS": 3}.items():
        monkeypatch.setattr(room, name, number)
    torch.manual_seed(0)
    peer = room.EagerForeteller()
    for parameter in peer.parameters():  # everything matters
        torch.nn.init.normal_(parameter)
    ours = MemoryLanguageModel(vocabulary=11, slots=7, size=6, straight=3, hops=3)
    with torch.no_grad():
        ours.words.copy_(torch.cat([peer.keys.weight, peer.values.weight], dim=1))
        ours.times.copy_(torch.cat([peer.key_times.weight, peer.value_times.weight], dim=1))
        ours.hops.update.update.weight.copy_(peer.turn.weight)
        ours.to_output.weight.copy_(peer.to_output.weight)
    words = torch.randint(11, (5, 7))
    logits, looks = ours(words)
    expected, seen = peer(words)
    assert_close(logits, expected, rtol=1e-4, atol=1e-4)
    for look, weights in zip(looks, seen, strict=True):
        assert_close(look.weights.squeeze(1), weights, rtol=1e-4, atol=1e-5)
