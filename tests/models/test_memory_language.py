"""The memory network over words equals its equations."""

import pytest
import torch
from torch.testing import assert_close

from regard import record
from regard.models.memory_language import MemoryLanguageModel

WORDS, SLOTS, SIZE, STRAIGHT, HOPS, BATCH = 13, 7, 5, 2, 3, 4


def model():
    torch.manual_seed(0)
    made = MemoryLanguageModel(
        vocabulary=WORDS, slots=SLOTS, size=SIZE, straight=STRAIGHT, hops=HOPS
    )
    return made.double()


def context(length=SLOTS):
    return torch.randint(WORDS, (BATCH, length), generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("length", [SLOTS, 3, 1])
def test_logits_are_those_of_plain_loops(length):
    network, words = model(), context(length)
    for parameter in network.parameters():  # everything matters
        torch.nn.init.normal_(parameter)
    logits, looks = network(words)
    turn = network.hops.update.update.weight
    for row in range(BATCH):
        state = torch.full((SIZE,), 0.1, dtype=torch.float64)
        for hop in range(HOPS):
            rows = [
                network.words[word] + network.times[length - place - 1]
                for place, word in enumerate(words[row])
            ]
            weights = torch.stack([state @ each[:SIZE] for each in rows]).softmax(dim=0)
            assert_close(looks[hop].weights[row, 0], weights)
            seen = sum(weight * each[SIZE:] for weight, each in zip(weights, rows, strict=True))
            state = turn @ state + seen
            state = torch.cat([state[:STRAIGHT], state[STRAIGHT:].clamp(min=0)])
        assert_close(logits[row], network.to_output.weight @ state)


def test_every_weight_begins_small_and_learns():
    network = model()
    assert 0.03 < network.words.std() < 0.07
    assert 0.03 < network.hops.update.update.weight.std() < 0.07
    logits, _ = network(context())
    assert_close(logits.softmax(dim=1), torch.full_like(logits, 1 / WORDS), atol=0.02, rtol=0)
    logits.square().sum().backward()
    assert all(each.grad.abs().sum() > 0 for each in network.parameters())


def test_recording_shows_the_hops_over_the_words():
    network = model()
    with record(network) as maps:
        network(context())
    weights = maps["hops.look"].weights
    assert weights.shape == (BATCH, HOPS, SLOTS)
    assert_close(weights.sum(dim=-1), torch.ones(BATCH, HOPS, dtype=torch.float64))


def test_more_words_than_slots_are_refused():
    with pytest.raises(ValueError, match="there are 8 words, but slots=7; give the last 7"):
        model()(context(8))
    with pytest.raises(ValueError, match="hops must be 1 or more, but hops=0"):
        MemoryLanguageModel(vocabulary=WORDS, hops=0)


def test_it_comes_back_from_a_folder(tmp_path):
    network = model()
    network.save_pretrained(tmp_path)
    again = MemoryLanguageModel.from_pretrained(tmp_path)
    assert_close(again(context())[0], network(context())[0], rtol=0, atol=0)
