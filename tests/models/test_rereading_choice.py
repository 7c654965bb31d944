"""A memory network over words asks them by one kernel, which stands back where it must."""

from functools import partial

import pytest
import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook
from torch.testing import assert_close
from torch.utils.checkpoint import checkpoint

from regard import Attention, record
from regard.blends import WeightedSum
from regard.kernels.rereading import operators, passes
from regard.models import MemoryLanguageModel
from regard.models.memn2n import Added, Projected, Rectified
from regard.normalisers import Sparsemax
from regard.scores import Dot, ScaledDot

WORDS, SLOTS, SIZE, STRAIGHT, HOPS, BATCH = 13, 7, 5, 2, 3, 4


@pytest.fixture
def runs(monkeypatch):
    """How often the kernel ran."""
    counted = []
    run = passes.run
    monkeypatch.setattr(operators, "run", lambda *each: (counted.append(1), run(*each))[1])
    return counted


def model(look=None, dtype=torch.float32):
    torch.manual_seed(0)
    made = MemoryLanguageModel(
        look, vocabulary=WORDS, slots=SLOTS, size=SIZE, straight=STRAIGHT, hops=HOPS
    )
    for parameter in made.parameters():  # everything matters
        nn.init.normal_(parameter, std=0.7)
    return made.to(dtype)


def context(length=SLOTS):
    return torch.randint(WORDS, (BATCH, length), generator=torch.Generator().manual_seed(1))


def taught(network, words):
    """What it says and sees, and the gradients of all of it."""
    logits, looks = network(words)
    shown = [logits]
    for look in looks:
        shown += [look.context, look.weights, look.scores, look.entropy]
    network.zero_grad()
    sum(each.sin().sum() for each in shown).backward()
    return [*shown, *(each.grad.clone() for each in network.parameters())]


def same(ours, theirs, **near):
    for mine, other in zip(ours, theirs, strict=True):
        assert_close(mine, other, **near)


@pytest.mark.parametrize("length", [SLOTS, 3, 1])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_model_learns_the_same_with_the_kernel_and_without(dtype, length, runs, monkeypatch):
    network, words = model(dtype=dtype), context(length)
    ours = taught(network, words)
    assert len(runs) == 1
    monkeypatch.setenv("REGARD_KERNELS", "off")
    near = {"rtol": 2e-4, "atol": 2e-5} if dtype is torch.float32 else {}
    same(ours, taught(network, words), **near)
    assert len(runs) == 1


def test_recording_shows_the_weights_of_every_hop_as_they_were(runs, monkeypatch):
    network, words = model(), context()
    logits, looks = network(words)
    assert len(runs) == 1
    with record(network) as maps:
        again, _ = network(words)
    assert_close(again, logits)
    found = maps["hops.look"]
    assert found.axes == ("batch", "query", "key")
    assert_close(found.weights, torch.cat([look.weights for look in looks], dim=1))
    monkeypatch.setenv("REGARD_KERNELS", "off")
    with record(network) as plain:
        network(words)
    assert torch.equal(found.weights, plain["hops.look"].weights)


def test_weights_that_are_read_after_an_update_are_those_that_were_used(runs):
    network, words = model(), context()
    logits, looks = network(words)
    expected = [look.weights.clone() for look in network(words)[1]]
    logits.sum().backward()
    torch.optim.SGD(network.parameters(), 1.0).step()
    same([look.weights for look in looks], expected)
    assert len(runs) == 2


def hooked(part):
    network = model()
    network.get_submodule(part).register_forward_hook(lambda *_: None)
    return network


def parametrised():
    network = model()
    nn.utils.parametrizations.weight_norm(network.hops.update.update, "weight")
    return network


def patched():
    network = model()
    remember = network.hops.look.remember
    network.hops.look.remember = lambda key, value: remember(-key, value)
    return network


def updated_otherwise(update):
    network = model()
    network.hops.update = update
    return network


class Louder(Projected):
    """Somebody's own update."""

    def forward(self, query, context):
        return 2 * super().forward(query, context)


OTHERS = {
    "a hook on the look": partial(hooked, "hops.look"),
    "a hook on the hops": partial(hooked, "hops"),
    "a hook on the update": partial(hooked, "hops.update.update"),
    "a weight of another form": parametrised,
    "a method of one's own": patched,
    "another score": partial(model, Attention(ScaledDot())),
    "another normaliser": partial(model, Attention(Dot(), Sparsemax())),
    "another blend": partial(model, Attention(Dot(), blend=WeightedSum(dropout=0.5))),
    "another update": partial(updated_otherwise, Added()),
    "an update of one's own": partial(updated_otherwise, Rectified(Louder(SIZE))),
    "rectified twice": partial(updated_otherwise, Rectified(Rectified(Projected(SIZE)))),
}


@pytest.mark.parametrize("other", OTHERS)
def test_what_the_kernel_does_not_know_goes_hop_by_hop(other, runs, monkeypatch):
    network, words = OTHERS[other](), context()
    torch.manual_seed(2)
    logits, _ = network(words)
    assert runs == []
    monkeypatch.setenv("REGARD_KERNELS", "off")
    torch.manual_seed(2)
    assert_close(network(words)[0], logits)


def test_weights_that_are_not_dropped_any_more_are_no_obstacle(runs):
    model(Attention(Dot(), blend=WeightedSum(dropout=0.5))).eval()(context())
    assert len(runs) == 1


def test_a_hook_on_every_module_goes_hop_by_hop(runs):
    handle = register_module_forward_hook(lambda *_: None)
    try:
        model()(context())
    finally:
        handle.remove()
    assert runs == []


def test_other_precisions_and_transforms_go_hop_by_hop(runs):
    network, words = model(), context()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        network(words)
    network.bfloat16()(words)
    network = model()
    weights = dict(network.named_parameters())

    def loss(given):
        return torch.func.functional_call(network, given, words)[0].sin().sum()

    slopes = torch.func.grad(loss)(weights)
    assert runs == []
    network(words)[0].sin().sum().backward()
    assert len(runs) == 1
    same(slopes.values(), [each.grad for each in weights.values()], rtol=1e-4, atol=1e-5)


def test_words_that_are_not_in_the_table_are_an_error_and_no_guess(runs):
    for words in (context() + WORDS, context() - WORDS):
        with pytest.raises(IndexError, match="index out of range"):
            model()(words)
    assert runs == []


def test_inference_and_checkpoints_pass_through_the_kernel(runs):
    network, words = model(), context()
    expected = taught(network, words)
    with torch.inference_mode():
        logits, looks = network(words)
    assert_close(logits, expected[0].detach())
    assert_close(looks[-1].weights, expected[-len(list(network.parameters())) - 3].detach())
    network.zero_grad()
    made = checkpoint(lambda each: network(each)[0], words, use_reentrant=False)
    made.sum().backward()
    found = [each.grad.clone() for each in network.parameters()]
    network.zero_grad()
    network(words)[0].sum().backward()
    same(found, [each.grad for each in network.parameters()])
    assert len(runs) == 5
