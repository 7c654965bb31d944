"""The end-to-end memory network equals its equations, part by part and whole."""

import pytest
import torch
from torch import nn, tensor
from torch.testing import assert_close

from regard import Attention, record
from regard.models.memn2n import (
    Added,
    Adjacent,
    LayerWise,
    LeakySoftmax,
    MemN2N,
    Projected,
    Rectified,
    latest_first,
)
from regard.models.sentences import (
    BagOfWords,
    PositionEncoding,
    ReleasedPositionEncoding,
)
from regard.normalisers import Softmax, Unchanged
from regard.scores import Dot

WORDS, SLOTS, SIZE, HOPS, LONGEST = 13, 7, 5, 3, 4
STORY = tensor(
    [
        [[1, 2, 3, 0], [4, 5, 0, 0], [1, 2, 3, 0], [6, 0, 0, 0], [7, 8, 9, 10]],
        [[11, 12, 0, 0], [0, 0, 0, 0], [4, 5, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    ]
)
QUESTION = tensor([[2, 3, 0], [12, 0, 0]])
FILLED = tensor([[1, 1, 1, 1, 1], [1, 0, 1, 0, 0]]).bool()
ENCODINGS = {
    "bag": BagOfWords,
    "paper": PositionEncoding,
    "released": lambda: ReleasedPositionEncoding(LONGEST),
}
UPDATES = {
    "own": lambda: None,
    "relu": lambda: Rectified(Added()),
    "half": lambda: Rectified(Projected(SIZE), 2),
}
every_encoding = pytest.mark.parametrize("encoding", ENCODINGS)
every_tying = pytest.mark.parametrize("tying", [Adjacent, LayerWise])


def network(encoding="released", tying=Adjacent, update="own", normaliser=None, scale=0.4):
    torch.manual_seed(0)
    look = None if normaliser is None else Attention(Dot(), normaliser)
    made = MemN2N(ENCODINGS[encoding](), tying(), UPDATES[update](), look, vocabulary=WORDS,
                  slots=SLOTS, size=SIZE, hops=HOPS).double()  # fmt: skip
    with torch.no_grad():
        made.tables[1:].normal_(std=scale)
    return made


def share(encoding, k, j, length):
    """l_kj as it is written, k and j from 1."""
    if encoding == "bag":
        return 1.0
    if encoding == "paper":
        return (1 - j / length) - (k / SIZE) * (1 - 2 * j / length)
    longest = LONGEST + 1
    return 1 + 4 * (k - (SIZE + 1) / 2) * (j - (longest + 1) / 2) / (SIZE * longest)


def vector(model, encoding, table, words, time=0):
    """A sentence, unit by unit and word by word."""
    found = torch.zeros(SIZE, dtype=torch.float64)
    words = [word for word in words.tolist() if word]
    for k in range(1, SIZE + 1):
        for j, word in enumerate(words, 1):
            found[k - 1] += share(encoding, k, j, len(words)) * model.tables[word, table, k - 1]
        if time:
            weight = share(encoding, k, LONGEST + 1, 0) if encoding == "released" else 1.0
            found[k - 1] += weight * model.tables[WORDS + time - 1, table, k - 1]
    return found


def by_loops(model, encoding, tying, update, weigh, row):
    """One example, hop by hop and sentence by sentence."""
    adjacent = tying is Adjacent
    said = [words for words in STORY[row] if words.any()]
    times = range(len(said), 0, -1)
    state, weights = vector(model, encoding, 0, QUESTION[row]), []
    for hop in range(HOPS):
        key, value = (hop, hop + 1) if adjacent else (1, 2)
        keys = [vector(model, encoding, key, *each) for each in zip(said, times, strict=True)]
        values = [vector(model, encoding, value, *each) for each in zip(said, times, strict=True)]
        weights.append(weigh(torch.stack([state @ each for each in keys])))
        seen = sum(weight * each for weight, each in zip(weights[-1], values, strict=True))
        projected = update == "half" or (update == "own" and not adjacent)
        matrix = dict(model.hops.update.named_parameters()) if projected else {}
        state = (next(iter(matrix.values())) @ state if projected else state) + seen
        straight = {"own": SIZE, "relu": 0, "half": 2}[update]
        state = torch.cat([state[:straight], state[straight:].clamp(min=0)])
    return model.tables[:WORDS, HOPS if adjacent else 3] @ state, torch.stack(weights)


NORMALISERS = {
    "linear": (Unchanged, lambda scores: scores),
    "softmax": (Softmax, lambda scores: scores.exp() / scores.exp().sum()),
    "leaky": (
        lambda: LeakySoftmax(SLOTS),
        lambda scores: scores.exp() / (scores.exp().sum() + SLOTS - len(scores)),
    ),
}


@every_encoding
@every_tying
@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("normaliser", NORMALISERS)
def test_logits_and_weights_are_those_of_plain_loops(encoding, tying, update, normaliser):
    make, weigh = NORMALISERS[normaliser]
    model = network(encoding, tying, update, make())
    logits, looks = model(STORY, QUESTION)
    assert len(looks) == HOPS
    for row in range(len(STORY)):
        expected, weights = by_loops(model, encoding, tying, update, weigh, row)
        assert_close(logits[row], expected)
        found = torch.stack([seen.weights[row, 0] for seen in looks])
        assert_close(found[:, FILLED[row]], weights)


def test_a_sentence_longer_than_the_released_shares_is_refused():
    with pytest.raises(ValueError, match=r"up to 5 words, but longest=4; ReleasedPositionEncodi"):
        network()(torch.ones(2, 3, 5, dtype=torch.int64), QUESTION)
    with pytest.raises(ValueError, match="one word or more, but longest=0"):
        ReleasedPositionEncoding(0)


def test_one_hop_worked_by_hand():
    """p = softmax(u . m), o = sum p c, answer = softmax(W (o + u))."""
    model = MemN2N(BagOfWords(), vocabulary=4, slots=2, size=2, hops=1)
    with torch.no_grad():
        model.tables.zero_()
        model.tables[1:4, 0] = tensor([[1.0, 0], [0, 1], [0, 0]])
        model.tables[1:4, 1] = tensor([[0.0, 2], [2, 0], [1, 1]])
    logits, (seen,) = model(tensor([[[1], [2]]]), tensor([[1]]))
    assert_close(seen.weights, tensor([[[0.731059, 0.268941]]]), atol=1e-6, rtol=0)
    assert_close(seen.context, tensor([[[0.537883, 1.462117]]]), atol=1e-6, rtol=0)
    assert_close(logits, tensor([[0, 2.924234, 3.075766, 3.0]]), atol=1e-6, rtol=0)


@every_encoding
@pytest.mark.parametrize("normaliser", NORMALISERS)
def test_empty_slots_get_no_weight_and_change_nothing(encoding, normaliser):
    model = network(encoding, normaliser=NORMALISERS[normaliser][0]())
    logits, looks = model(STORY, QUESTION)
    assert all(not seen.weights[:, 0][FILLED.logical_not()].any() for seen in looks)
    longer, _ = model(nn.functional.pad(STORY, (0, 0, 0, 2)), QUESTION)
    assert_close(longer, logits)
    alone, _ = model(STORY[1:, [0, 2]], QUESTION[1:])
    assert_close(alone, logits[1:])


@every_tying
@pytest.mark.parametrize("slots", [0, 5])
@pytest.mark.parametrize("normaliser", NORMALISERS)
def test_an_empty_story_leaves_the_question_alone(tying, slots, normaliser):
    model = network(tying=tying, normaliser=NORMALISERS[normaliser][0]())
    story = torch.zeros(2, slots, LONGEST, dtype=torch.int64)
    logits, looks = model(story, QUESTION)
    assert logits.isfinite().all()
    assert all(seen.weights.shape == (2, 1, slots) for seen in looks)
    assert not any(seen.weights.any() for seen in looks)
    logits.sum().backward()
    assert model.tables.grad.isfinite().all()
    if tying is Adjacent:
        asked = torch.stack([vector(model, "released", 0, each) for each in QUESTION])
        assert_close(logits, asked @ model.tables[:WORDS, HOPS].T)


def test_times_count_from_the_latest_sentence():
    assert latest_first(FILLED).tolist() == [[5, 4, 3, 2, 1], [2, 0, 1, 0, 0]]
    model = network()
    logits, _ = model(STORY, QUESTION)
    assert_close(model(STORY, QUESTION, latest_first(FILLED))[0], logits)
    later, _ = model(STORY, QUESTION, latest_first(FILLED) + FILLED)
    assert (later - logits).abs().min(dim=1).values[0] == 0  # no word has no score
    assert (later - logits)[:, 1:].abs().min() > 0


def test_with_their_times_sentences_may_come_in_any_order():
    model, order, times = network(), tensor([3, 0, 4, 1, 2]), latest_first(FILLED)
    assert_close(model(STORY[:, order], QUESTION, times[:, order])[0], model(STORY, QUESTION)[0])


def test_each_distinct_sentence_is_encoded_once(monkeypatch):
    model, seen = network(), []
    encode = ReleasedPositionEncoding.forward
    monkeypatch.setattr(
        ReleasedPositionEncoding,
        "forward",
        lambda self, words, rows: (seen.append(len(rows)), encode(self, words, rows))[1],
    )
    model(STORY, QUESTION)
    assert seen == [8]  # five sentences, two questions, and no words


def test_linear_start_is_another_normaliser_and_nothing_else():
    model = network()
    before, state = model(STORY, QUESTION)[0], {k: v.clone() for k, v in model.state_dict().items()}
    model.weigh_by(Unchanged())
    linear, looks = model(STORY, QUESTION)
    assert_close(looks[0].weights[0], looks[0].scores[0])
    assert (linear - before).abs().max() > 0.01
    model.weigh_by(Softmax())
    assert_close(model(STORY, QUESTION)[0], before, rtol=0, atol=0)
    assert all(torch.equal(state[name], value) for name, value in model.state_dict().items())


def test_recording_shows_the_hops_over_the_sentences():
    model = network()
    with record(model) as maps:
        _, looks = model(STORY, QUESTION)
    assert maps["hops.look"].weights.shape == (2, HOPS, 5)
    assert_close(maps["hops.look"].weights, torch.cat([seen.weights for seen in looks], dim=1))


@every_tying
def test_no_word_stays_zero_and_every_other_number_learns(tying):
    model, losses = network(tying=tying), []
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimiser.zero_grad()
        loss = nn.functional.cross_entropy(model(STORY, QUESTION)[0], tensor([3, 5]))
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert not model.tables[0].any()
    assert (model.tables.grad.abs().sum(dim=(0, 2)) > 0).all()
    assert losses[2] < losses[1] < losses[0]


@every_tying
@pytest.mark.parametrize("update", ["own", "half"])
def test_it_comes_back_from_a_folder(tying, update, tmp_path):
    model = network(tying=tying, update=update, normaliser=Unchanged())
    model.weigh_by(LeakySoftmax(SLOTS))  # as it is after its linear start
    model.save_pretrained(tmp_path)
    parts = {
        "encoding": ENCODINGS["released"](),
        "tying": tying(),
        "look": Attention(Dot(), LeakySoftmax(SLOTS)),
    }
    if update == "half":
        parts["update"] = UPDATES["half"]()
    again = MemN2N.from_pretrained(tmp_path, **parts)
    assert_close(again(STORY, QUESTION)[0], model(STORY, QUESTION)[0], rtol=0, atol=0)
    with pytest.raises(ValueError, match=r"look was [^;]*LeakySoftmax\(slots=7\)"):
        MemN2N.from_pretrained(tmp_path, **parts | {"look": Attention(Dot())})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"story": STORY + 8}, "the story has the word 20, but vocabulary=13: words are 1 to 12"),
        ({"question": QUESTION + 1}, "the question has the word 13, but vocabulary=13"),
        ({"times": 2 * latest_first(FILLED)}, "the time 10, but slots=7; give the last 7"),
        ({"story": STORY.repeat(1, 2, 1)}, "the time 10, but slots=7; give the last 7 sentences"),
    ],
)
def test_what_has_no_row_in_the_tables_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        network()(**{"story": STORY, "question": QUESTION} | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"slots": 0}, "slots must be 1 or more, but slots=0"),
        ({"hops": 0}, "hops must be 1 or more, but hops=0"),
        ({"size": 0}, "size must be 1 or more, but size=0"),
        ({"vocabulary": 1}, "word 0 is none, so vocabulary=1 holds no words"),
    ],
)
def test_sizes_that_cannot_be_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        MemN2N(BagOfWords(), **{"vocabulary": 13} | change)
