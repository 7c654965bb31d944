"""Memory networks learn stories: by the kernel where it knows their parts, else by torch."""

import pytest
import torch
from torch.testing import assert_close

from regard import Attention
from regard.kernels.hops import training
from regard.models.memn2n import Added, LeakySoftmax, MemN2N, Projected, Rectified
from regard.models.sentences import BagOfWords, ReleasedPositionEncoding
from regard.models.stories import Stories, pack
from regard.models.story_learning import halving, judge, learn, seeded
from regard.normalisers import Softmax, Sparsemax, Unchanged
from regard.scores import Dot, ScaledDot

PEOPLE, PLACES, WENT, WHERE = (1, 2, 3), (4, 5, 6, 7), 8, 9
WORDS, SLOTS = 10, 6


def moves(examples, seed):
    """Somebody goes somewhere, again and again: where is one of them?"""
    draws = torch.Generator().manual_seed(seed)

    def pick(among):
        return among[int(torch.randint(len(among), (), generator=draws))]

    stories, questions, answers = [], [], []
    for _ in range(examples):
        story = [(pick(PEOPLE), WENT, pick(PLACES)) for _ in range(pick((2, 3, 5, 6)))]
        who = pick([sentence[0] for sentence in story])
        stories.append(story)
        questions.append((WHERE, who))
        answers.append([place for person, _, place in story if person == who][-1])
    return pack(stories, questions, answers, slots=SLOTS)


def network(normaliser=None, encoding=None, update=None, look=None):
    torch.manual_seed(0)
    look = Attention(Dot(), normaliser or Softmax()) if look is None else look
    encoding = ReleasedPositionEncoding(3) if encoding is None else encoding
    return MemN2N(encoding, None, update, look, vocabulary=WORDS, slots=SLOTS, size=11, hops=2)


@pytest.fixture
def calls(monkeypatch):
    """How often the compiled training was called."""
    counted, train = [], training.train
    monkeypatch.setattr(training, "train", lambda *each: (counted.append(1), train(*each))[1])
    return counted


def test_a_linear_start_and_a_softmax_learn_where_somebody_is(calls):
    model, draws, given = network(Unchanged()), seeded(0), moves(500, 0)
    first = learn(model, given, halving(10, 0.01), draws)
    model.weigh_by(LeakySoftmax(SLOTS))
    learned = learn(model, given, halving(30, 0.01, 15), draws)
    assert learned.errors[-1] < 0.02
    assert first.errors[0] > 0.2
    assert learned.losses[-1] < first.losses[0]
    loss, error = judge(model, moves(300, 1))
    assert error < 0.05
    assert loss < 0.3
    assert len(calls) == 4  # each call compiles first


def test_rates_are_halved_at_the_start_of_an_epoch():
    rates = halving(100, 0.005, 25)
    assert len(rates) == 100
    assert [rates[number - 1] for number in (1, 24, 25, 49, 50, 99, 100)] == [
        0.005, 0.005, 0.0025, 0.0025, 0.00125, 0.000625, 0.0003125
    ]  # fmt: skip
    assert halving(3, 0.01) == [0.01] * 3


class Half(BagOfWords):
    """Somebody's own encoding."""

    def forward(self, words, sentences):
        return super().forward(words, sentences) / 2


OWN = {
    "normaliser": {"normaliser": Sparsemax()},
    "score": {"look": Attention(ScaledDot())},
    "encoding": {"encoding": Half()},
    "update": {"update": Rectified(Rectified(Added()))},
}


@pytest.mark.parametrize("own", OWN)
def test_parts_that_the_kernel_does_not_know_learn_by_themselves(own, calls):
    model, given = network(**OWN[own]), moves(64, 0)
    learned = learn(model, given, [0.01] * 3, seeded(0))
    assert learned.losses[2] < learned.losses[0]
    assert calls == []
    assert not model.tables[0].any()


def test_what_is_frozen_stays_as_it_is(calls):
    model, given = network(update=Projected(11)), moves(64, 0)
    model.hops.update.weight.requires_grad_(False)
    before = [parameter.detach().clone() for parameter in model.parameters()]
    learn(model, given, [0.01], seeded(0))
    after = dict(model.named_parameters())
    assert torch.equal(after["hops.update.weight"], before[list(after).index("hops.update.weight")])
    assert not torch.equal(after["tables"], before[list(after).index("tables")])
    assert calls == []


def test_the_kernel_can_be_switched_off_without_changing_what_is_learned(calls, monkeypatch):
    given, found = moves(64, 0), []
    for state in ("on", "off"):
        monkeypatch.setenv("REGARD_KERNELS", state)
        model = network().double()
        learn(model, given, [0.01] * 2, seeded(0))
        found.append(model.tables.detach())
    assert len(calls) == 2
    assert_close(*found, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("state", ["on", "off"])
def test_learning_needs_no_gradients_from_outside(state, monkeypatch):
    monkeypatch.setenv("REGARD_KERNELS", state)
    model, given = network(update=Projected(11)), moves(64, 0)
    before = [parameter.detach().clone() for parameter in model.parameters()]
    with torch.no_grad():
        learn(model, given, [0.01], seeded(0))
    for old, new in zip(before, model.parameters(), strict=True):
        assert (new - old).abs().max() > 1e-4


def test_what_was_seen_before_learning_stays_and_can_no_longer_be_learned_from():
    model, given = network(), moves(64, 0)
    story = given.pick(slice(5))
    _, looks = model(*story)
    before = [seen.weights.detach().clone() for seen in looks]
    logits, looks = model(*story)
    learn(model, given, [0.01], seeded(0))
    for seen, weights in zip(looks, before, strict=True):
        assert_close(seen.weights, weights, rtol=0, atol=0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        logits.sum().backward()


def test_packing_keeps_each_sentence_once_and_the_last_of_long_stories():
    given = pack(
        [[(1, 2), (3,), (1, 2)], [(4, 5, 6)], []], [(7,), (1, 2), (7,)], [3, 2, 1], slots=2
    )
    assert given.sentences.tolist() == [[0, 0, 0], [3, 0, 0], [1, 2, 0], [4, 5, 6], [7, 0, 0]]
    assert given.story.tolist() == [[1, 2], [3, 0], [0, 0]]
    assert given.question.tolist() == [4, 2, 4]
    assert given.answer.tolist() == [3, 2, 1]
    story, question = given.take(slice(1, 3)).pick(slice(2))
    assert story.tolist() == [[[4, 5, 6]], [[0, 0, 0]]]
    assert question.tolist() == [[1, 2, 0], [7, 0, 0]]
    with pytest.raises(ValueError, match="there are 1 questions, 2 stories and 1 answers"):
        pack([[], []], [(1,)], [1])


def test_a_sentence_of_zeros_is_an_empty_slot_however_it_is_packed():
    given = pack([[(1, 2), (0, 0), (3,)]] * 8, [(1,)] * 8, [2] * 8, slots=8)
    assert given.story[0].tolist() == [1, 0, 2]
    story, question = given.sentences[given.story], given.sentences[given.question]
    assert torch.equal(Stories.of(story, question, given.answer).story == 0, given.story == 0)
    told = pack([[(1, 2), (3,)]] * 8, [(1,)] * 8, [2] * 8, slots=8)
    found = []
    for each in (given, told):
        model = network()
        learn(model, each, [0.01] * 2, seeded(0), batch=8)
        found.append(model.tables.detach())
    assert torch.equal(*found)


def test_packed_tensors_are_the_stories_that_they_were():
    given = moves(23, 0)
    story, question = given.sentences[given.story], given.sentences[given.question]
    packed = Stories.of(story, question[:, :2], given.answer)
    assert not packed.sentences[0].any()
    assert len(packed.sentences) == len(given.sentences.unique(dim=0))
    assert torch.equal(packed.sentences[packed.story], story)
    assert torch.equal(packed.sentences[packed.question], question)
    assert torch.equal(packed.story == 0, given.story == 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answer": 10}, r"answer of stories go from 4 to 10, but each must be a word of vocab"),
        ({"story": 99}, "story of stories go from 0 to 99, but each must be one of its sentences"),
        ({"question": -1}, "question of stories go from -1 to .*: 0 to"),
        ({"sentences": 10}, "sentences of stories go from 0 to 10, but each .* vocabulary=10"),
    ],
)
def test_numbers_that_point_nowhere_are_refused(change, message):
    given = moves(64, 0)
    ((name, value),) = change.items()
    part = getattr(given, name).clone()
    part.view(-1)[-1] = value
    with pytest.raises(ValueError, match=message):
        learn(network(), given._replace(**{name: part}), [0.01], seeded(0))


def test_stories_that_do_not_fit_are_refused():
    given = moves(64, 0)
    with pytest.raises(ValueError, match="one example or more, but batch=0"):
        learn(network(), given, [0.01], seeded(0), batch=0)
    with pytest.raises(ValueError, match="batch=65 and there are 64 examples; batch=64 is the mo"):
        learn(network(), given, [0.01], seeded(0), batch=65)
    longer = given._replace(story=given.story.repeat(1, 2))
    with pytest.raises(ValueError, match=r"has 12 sentences, but slots=6; pack\(..., slots=6\) ke"):
        learn(network(), longer, [0.01], seeded(0))
    spoken = given._replace(sentences=given.sentences.clone().fill_(1))
    with pytest.raises(ValueError, match="sentence 0 stands for an empty slot, but it has words"):
        learn(network(), spoken, [0.01], seeded(0))
