"""The peer of adaptive computation does the same work: with the same weights it says the same."""

import importlib
from pathlib import Path

import torch
from torch import nn
from torch.testing import assert_close

from regard.halting import HaltingUnit
from regard.models import AdaptiveComputation, LongShort

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_the_peer_ponders_as_ours_does(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    torch.manual_seed(0)
    peer = importlib.import_module("ponder_peer").EagerPondering(
        given=3, output=2, size=7, most=5, bias=-1.0
    )
    nn.init.normal_(peer.halting.weight, std=2.0)
    ours = AdaptiveComputation(LongShort(4, 7), HaltingUnit(7, most=5), output_size=2)
    ours.cell.cell.load_state_dict(peer.cell.state_dict())
    ours.halting.to_probability.load_state_dict(peer.halting.state_dict())
    ours.to_output.load_state_dict(peer.to_output.state_dict())
    inputs = torch.randn(11, 4, 3)
    said = ours(inputs)
    logits, ponder = peer(inputs)
    assert len(said.steps.unique()) > 2
    assert_close(logits, said.outputs)
    assert_close(ponder, said.ponder)
    (mine,) = torch.autograd.grad(said.ponder.sum() + said.outputs.sum(), ours.cell.cell.weight_hh)
    (theirs,) = torch.autograd.grad(ponder.sum() + logits.sum(), peer.cell.weight_hh)
    assert_close(mine, theirs, rtol=1e-4, atol=1e-5)
