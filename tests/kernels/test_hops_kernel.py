"""The fused memory network equals the model in loss, gradients and whole trainings."""

from itertools import product

import numpy
import pytest
import torch
from torch.testing import assert_close

from regard import Attention
from regard.kernels import hops
from regard.kernels.hops import training
from regard.kernels.hops.descending import longest, squared
from regard.models import story_learning
from regard.models.memn2n import (
    Added,
    Adjacent,
    LayerWise,
    LeakySoftmax,
    MemN2N,
    OneEmpty,
    Projected,
    Rectified,
    latest_first,
)
from regard.models.sentences import BagOfWords, PositionEncoding, ReleasedPositionEncoding
from regard.models.stories import Stories
from regard.models.story_learning import learn, seeded
from regard.normalisers import Softmax, Unchanged
from regard.scores import Dot

ENCODINGS = {
    "bag": BagOfWords,
    "paper": PositionEncoding,
    "released": lambda: ReleasedPositionEncoding(6),
}
NORMALISERS = {
    "linear": Unchanged, "softmax": Softmax, "leaky": lambda: LeakySoftmax(9), "one": OneEmpty
}  # fmt: skip
UPDATES = {
    "own": lambda size: None,
    "relu": lambda size: Rectified(Added()),
    "half": lambda size: Rectified(Projected(size), size // 2),
}
CLOSE = {torch.float32: {"rtol": 1e-4, "atol": 1e-5}, torch.float64: {"rtol": 1e-9, "atol": 1e-11}}
every_dtype = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])


def network(encoding, tying, update, normaliser, *, size=5, words=13, slots=9, count=3, seed=0,
            dtype=torch.float64, scale=0.4):  # fmt: skip
    torch.manual_seed(seed)
    look = Attention(Dot(), NORMALISERS[normaliser]())
    made = MemN2N(ENCODINGS[encoding](), tying(), UPDATES[update](size), look, vocabulary=words,
                  slots=slots, size=size, hops=count).to(dtype)  # fmt: skip
    with torch.no_grad():
        made.tables[1:].normal_(std=scale)
    return made


def stories(seed=0, *, examples=7, sentences=11, words=13, slots=8, length=6):
    """Random ones of all lengths, an empty one among them, empty slots before and between."""
    draws = torch.Generator().manual_seed(seed)
    rows = torch.randint(1, words, (sentences, length), generator=draws)
    own = torch.randint(1, length + 1, (sentences, 1), generator=draws)
    rows = rows * (torch.arange(length) < own)
    rows[0] = 0
    story = torch.randint(sentences, (examples, slots), generator=draws)
    ends = torch.randint(slots + 1, (examples, 1), generator=draws)
    story = story * (torch.arange(slots) < ends)
    story[0] = 0
    question = torch.randint(1, sentences, (examples,), generator=draws)
    return Stories(rows, story, question, torch.randint(1, words, (examples,), generator=draws))


def by_model(model, given, times):
    """Loss and gradients by autograd through the parts."""
    story, question = given.sentences[given.story], given.sentences[given.question]
    logits, _ = model(story, question, times)
    loss = torch.nn.functional.cross_entropy(logits, given.answer, reduction="sum")
    return loss, torch.autograd.grad(loss, list(model.parameters()))


def by_kernel(model, given, times):
    network = story_learning._as_network(model, given.sentences)
    arrays = hops.Network(*(story_learning._array(part) for part in network))
    examples = hops.Examples(*(part.numpy() for part in given))
    room = story_learning._room(model.look)
    loss, tables, turn = hops.slopes(arrays, examples, times.numpy(), room)
    loss = torch.tensor(loss, dtype=torch.float64)
    return loss, [torch.tensor(tables), *([torch.tensor(turn)] if turn.size else [])]


def by_plain(model, given, times):
    network = story_learning._as_network(model, given.sentences)
    loss, _, slopes = story_learning.slopes(model, given, times, network)
    return loss, [slope for _, slope in slopes]


def same(ours, theirs, dtype):
    assert_close(ours[0].to(dtype), theirs[0].detach(), **CLOSE[dtype])
    ours = sorted(ours[1], key=lambda each: each.numel())
    theirs = sorted(theirs[1], key=lambda each: each.numel())
    for mine, other in zip(ours, theirs, strict=True):
        largest = other.abs().max().clamp_min(1)  # rounding is relative to what was added up
        assert_close(mine.view_as(other) / largest, other / largest, **CLOSE[dtype])


PARTS = list(product(ENCODINGS, [Adjacent, LayerWise], UPDATES, NORMALISERS))


@every_dtype
@pytest.mark.parametrize(("encoding", "tying", "update", "normaliser"), PARTS)
@pytest.mark.parametrize("way", [by_kernel, by_plain])
def test_loss_and_gradients_are_those_of_the_model(way, encoding, tying, update, normaliser, dtype):
    model, given = network(encoding, tying, update, normaliser, dtype=dtype), stories()
    times = latest_first(given.story.ne(0))
    same(way(model, given, times), by_model(model, given, times), dtype)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("way", [by_kernel, by_plain])
def test_any_sizes_and_times_give_those_of_the_model(way, seed):
    draws = numpy.random.default_rng(seed)
    encoding, tying, update, normaliser = PARTS[int(draws.integers(len(PARTS)))]
    words, slots, size = (
        int(draws.integers(2, 40)),
        int(draws.integers(1, 12)),
        [1, 3, 8, 19][seed % 4],
    )
    model = network(encoding, tying, update, normaliser, words=words, slots=slots + 3, size=size,
                    count=int(draws.integers(1, 5)), seed=seed)  # fmt: skip
    given = stories(
        seed,
        words=words,
        slots=slots,
        examples=int(draws.integers(1, 20)),
        sentences=int(draws.integers(2, 30)),
        length=int(draws.integers(1, 7)),
    )
    times = torch.from_numpy(draws.integers(0, slots + 4, given.story.shape))  # 0: no time
    times = times * given.story.ne(0)
    same(way(model, given, times), by_model(model, given, times), torch.float64)


@pytest.mark.parametrize("normaliser", NORMALISERS)
@pytest.mark.parametrize("way", [by_kernel, by_plain])
def test_it_does_not_matter_when_nothing_was_said(way, normaliser):
    model, given = network("paper", LayerWise, "half", normaliser), stories()
    times = latest_first(given.story.ne(0))
    other = torch.where(given.story > 0, times, 4)
    same(way(model, given, other), way(model, given, times), torch.float64)


@every_dtype
@pytest.mark.parametrize("normaliser", ["softmax", "leaky", "one"])
@pytest.mark.parametrize("way", [by_kernel, by_plain])
def test_loud_embeddings_stay_finite_and_are_those_of_the_model(way, normaliser, dtype):
    model, given = network("bag", Adjacent, "own", normaliser, dtype=dtype, scale=9.0), stories()
    times = latest_first(given.story.ne(0))
    ours, theirs = way(model, given, times), by_model(model, given, times)
    assert all(each.isfinite().all() for each in (ours[0], *ours[1]))
    assert_close(ours[0].to(dtype), theirs[0].detach(), rtol=1e-3, atol=1e-5)


@pytest.fixture
def calls(monkeypatch):
    """How often the compiled training ran for an epoch or more."""
    counted, train = [], training.train
    monkeypatch.setattr(
        training, "train", lambda *each: (counted.append(len(each[12])), train(*each))[1]
    )
    return counted


def without_kernel(monkeypatch, work):
    with monkeypatch.context() as patch:
        patch.setenv("REGARD_KERNELS", "off")
        return work()


@pytest.mark.parametrize("clip", [1000.0, 2.0])
@pytest.mark.parametrize(
    ("encoding", "tying", "update"),
    [("released", Adjacent, "own"), ("paper", LayerWise, "own"), ("bag", Adjacent, "half")],
)
def test_a_whole_training_is_that_of_torch(encoding, tying, update, clip, calls, monkeypatch):
    given = stories(3, examples=23)

    def train():
        model, draws = network(encoding, tying, update, "linear"), seeded(5)
        first = learn(model, given, [0.01, 0.005], draws, batch=5, clip=clip)
        model.weigh_by(LeakySoftmax(9))
        second = learn(model, given, [0.02], draws, batch=5, clip=clip)
        return model, draws.tolist(), [*first, *second]

    model, draws, learned = train()
    assert calls == [0, 2, 0, 1]  # nothing to learn where it only compiles
    other, other_draws, expected = without_kernel(monkeypatch, train)
    assert calls == [0, 2, 0, 1]
    assert draws == other_draws
    assert [*learned[0], *learned[2]] == pytest.approx([*expected[0], *expected[2]])
    assert [*learned[1], *learned[3]] == pytest.approx([*expected[1], *expected[3]])
    for mine, theirs in zip(model.parameters(), other.parameters(), strict=True):
        assert_close(mine, theirs, rtol=1e-6, atol=1e-8)
    assert not model.tables[0].any()


def test_clipping_makes_a_difference_to_that_training():
    given, found = stories(3, examples=23), []
    for clip in (1000.0, 2.0):
        model = network("released", Adjacent, "own", "linear")
        learn(model, given, [0.01], seeded(5), batch=5, clip=clip)
        found.append(model.tables.detach())
    assert (found[0] - found[1]).abs().max() > 1e-3


@every_dtype
def test_two_calls_of_one_epoch_are_one_call_of_two(dtype):
    given, found = stories(3, examples=23), []
    for calls in ([[0.01], [0.005]], [[0.01, 0.005]]):
        model, draws, losses = (
            network("paper", Adjacent, "own", "leaky", dtype=dtype),
            seeded(1),
            [],
        )
        for rates in calls:
            losses += learn(model, given, rates, draws, batch=5).losses
        found.append((losses, draws.tolist(), model.tables.detach()))
    assert found[0][:2] == found[1][:2]
    assert torch.equal(found[0][2], found[1][2])


@pytest.mark.parametrize("shape", [(17, 5), (3, 11), (7, 7), (1, 3), (5, 1)])
def test_the_longest_stretch_is_the_spectral_norm(shape):
    for seed in range(20):
        matrix = numpy.random.default_rng(seed).normal(size=shape)
        found = longest(squared(matrix.reshape(shape[0], 1, shape[1]), 0))
        assert found == pytest.approx(numpy.linalg.norm(matrix, 2), rel=1e-6)
    assert longest(numpy.zeros((3, 3))) == 0


def test_machine_code_draws_what_python_draws(calls):
    given = stories(3, examples=23)
    draws, again = seeded(8), seeded(8)
    learn(network("bag", Adjacent, "own", "linear"), given, [0.0], draws, batch=5, noise=0.4)
    for _ in range(23 // 5):
        story_learning.draw(given, again, batch=5, noise=0.4, slots=9)
    assert calls == [0, 1]
    assert draws.tolist() == again.tolist()
