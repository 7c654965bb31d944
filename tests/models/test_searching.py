"""Search: beams, greedy and drawn words find what they should, with the looks of their path."""

import itertools

import pytest
import torch
from test_translators import LENGTHS, MARKS, MODELS, SOURCE, every_model, made
from torch.testing import assert_close

from regard import Attention
from regard.models import beam, greedy, sample
from regard.scores import Dot


@every_model
def test_one_beam_is_greedy_and_shows_what_each_word_saw(make):
    model = made(make)
    encoded = model.encoder(SOURCE, LENGTHS)
    for one, other in zip(
        greedy(model.decoder, encoded, MARKS, longest=6),
        # Ranked by probability: one that ended is never better after a further word.
        beam(model.decoder, encoded, MARKS, longest=6, beams=1, length_power=0.0),
        strict=True,
    ):
        assert one.words == other.words
        assert one.weights.shape[0] == len(one.words)
        assert_close(one.weights, other.weights)
        assert one.log_probability == pytest.approx(other.log_probability, abs=1e-4)


@pytest.mark.parametrize("name", ["RNNSearch", "LocationAware", "Luong dot", "Transformer"])
def test_enough_beams_find_the_best_sentence_of_all(name):
    model = made(MODELS[name])
    encoded = model.encoder(SOURCE, LENGTHS)
    found = beam(model.decoder, encoded, MARKS, longest=3, beams=400, length_power=0.0)
    others = [word for word in range(7) if word != MARKS.end]
    for i, written in enumerate(found):
        scores = {}
        for words in itertools.chain.from_iterable(
            itertools.product(others, repeat=count) for count in range(3)
        ):
            given = torch.tensor([[MARKS.begin, *words]])
            logits, _ = model(SOURCE[i : i + 1], LENGTHS[i : i + 1], given)
            logs = logits[0].detach().log_softmax(dim=-1)
            ending = [*words, MARKS.end]
            scores[words] = sum(float(logs[at, word]) for at, word in enumerate(ending))
        best = max(scores, key=scores.get)
        assert tuple(written.words) == best
        assert written.log_probability == pytest.approx(scores[best], abs=1e-4)


@pytest.mark.parametrize("name", ["RNNSearch", "LocationAware", "Luong dot", "Transformer"])
def test_the_weights_of_the_winning_path_are_those_of_its_own_steps(name):
    model = made(MODELS[name])
    encoded = model.encoder(SOURCE, LENGTHS)
    for i, written in enumerate(beam(model.decoder, encoded, MARKS, longest=5, beams=4)):
        if not written.words:
            continue
        given = torch.tensor([[MARKS.begin, *written.words[:-1]]])
        own = type(encoded)(*(part[i : i + 1] for part in encoded[:3]))
        state, memory = model.decoder.begin(own)
        for at, word in enumerate(given.split(1, dim=1)):
            state, _, seen = model.decoder.step(state, word, memory)
            weights = model.decoder.alignment(seen)[0, 0]
            assert_close(written.weights[at], weights, atol=1e-5, rtol=1e-4)


class EndsWithTheSource:
    """A decoder that ends after as many words as the source has."""

    def __init__(self, decoder):
        self.decoder, self.kept, self.alignment = decoder, [], decoder.alignment

    def begin(self, encoded):
        state, memory = self.decoder.begin(encoded)
        return (state, encoded.mask.sum(dim=-1)), memory

    def step(self, both, word, memory):
        state, left = both
        state, logits, seen = self.decoder.step(state, word, memory)
        logits[..., MARKS.end] += torch.where(left > 0, -60.0, 60.0)
        return (state, left - 1), logits, seen

    def pick(self, both, rows):
        return self.decoder.pick(both[0], rows), both[1]

    def keep(self, both, memory, examples):
        self.kept.append(len(examples))
        state, memory = self.decoder.keep(both[0], memory, examples)
        return (state, both[1][examples]), memory


@pytest.mark.parametrize("search", [greedy, beam])
@pytest.mark.parametrize(
    "name", ["RNNSearch", "Luong dot", "Luong general, local-m", "Transformer"]
)
def test_sentences_that_are_done_early_are_dropped_and_change_nothing(name, search):
    model = made(MODELS[name])
    decoder = EndsWithTheSource(model.decoder)
    source, lengths = torch.randint(4, 23, (23, 9)), torch.randint(2, 10, (23,))
    together = search(decoder, model.encoder(source, lengths), MARKS, longest=14)
    assert len(decoder.kept) > 2
    assert [len(written.words) for written in together] == lengths.tolist()
    for place, written in enumerate(together):
        own = model.encoder(source[place : place + 1], lengths[place : place + 1])
        (alone,) = search(decoder, own, MARKS, longest=14)
        assert alone.words == written.words
        width = alone.weights.shape[1]
        assert_close(alone.weights, written.weights[:, :width], atol=1e-5, rtol=1e-4)
        assert alone.log_probability == pytest.approx(written.log_probability, abs=1e-4)


class Chain:
    """Says 3, 4, 5, 6 and then the end, each almost surely; all else is as unlikely as the end."""

    def begin(self, encoded):
        return torch.zeros(len(encoded.annotations), 1, 1), None

    def step(self, state, word, memory):
        logits = torch.zeros(*word.shape, 7)
        following = torch.where(word == MARKS.begin, 3, word + 1)
        following = torch.where(following == 7, MARKS.end, following)
        logits.scatter_(-1, following.unsqueeze(-1), 8.0)
        seen = Attention(Dot())(torch.ones(*word.shape, 2), torch.ones(len(word), 3, 2))
        return state.expand(*word.shape, 1), logits, seen

    def pick(self, state, rows):
        return state.expand(-1, rows.shape[1], -1)

    def keep(self, state, memory, examples):
        return state[examples], memory

    def alignment(self, seen):
        return seen.weights


def test_unlikely_short_sentences_do_not_end_the_search_for_the_likely_one():
    model = made(MODELS["RNNSearch"])
    encoded = model.encoder(SOURCE, LENGTHS)
    for written in beam(Chain(), encoded, MARKS, longest=9, beams=3):
        assert written.words == [3, 4, 5, 6]


def test_samples_follow_the_probabilities():
    model = made(MODELS["RNNSearch"])
    many = model.encoder(SOURCE[:1].expand(4000, -1), LENGTHS[:1].expand(4000))
    torch.manual_seed(0)
    first = [
        w.words[0] if w.words else MARKS.end for w in sample(model.decoder, many, MARKS, longest=1)
    ]
    logits, _ = model(SOURCE[:1], LENGTHS[:1], torch.tensor([[MARKS.begin]]))
    share = torch.bincount(torch.tensor(first), minlength=7) / 4000
    assert_close(share, logits[0, 0].softmax(dim=-1), atol=0.03, rtol=0)


@pytest.mark.parametrize("temperature", [1e-300, 1e-30, 1e-6])
def test_the_coldest_samples_are_greedy(temperature):
    model = made(MODELS["RNNSearch"])
    encoded = model.encoder(SOURCE, LENGTHS)
    cold = sample(model.decoder, encoded, MARKS, longest=9, temperature=temperature)
    likeliest = greedy(model.decoder, encoded, MARKS, longest=9)
    assert [each.words for each in cold] == [each.words for each in likeliest]


@pytest.mark.parametrize("search", [greedy, beam, sample])
@every_model
def test_of_no_sentences_there_are_no_translations(make, search):
    model = made(make)
    encoded = model.encoder(SOURCE[:0], LENGTHS[:0])
    assert search(model.decoder, encoded, MARKS, longest=6) == []


@every_model
def test_an_empty_sentence_beside_others_changes_none_of_them(make):
    model, words = made(make), torch.full((3, 2), MARKS.begin)
    lengths = LENGTHS[:3].clone()
    lengths[1] = 0
    logits, _ = model(SOURCE[:3], lengths, words)
    assert logits.isfinite().all()
    alone, _ = model(SOURCE[:1], lengths[:1], words[:1])
    assert_close(logits[:1], alone)
    logits.sum().backward()
    assert all(part.grad is None or part.grad.isfinite().all() for part in model.parameters())


@every_model
def test_lengths_beyond_the_words_are_refused(make):
    model, words = made(make), torch.full((len(SOURCE), 2), MARKS.begin)
    with pytest.raises(ValueError, match="length"):
        model(SOURCE, LENGTHS + SOURCE.shape[1], words)


@pytest.mark.parametrize("search", [greedy, beam, sample])
@pytest.mark.parametrize("longest", [0, -3])
def test_a_search_for_no_words_is_refused(search, longest):
    model = made(MODELS["RNNSearch"])
    with pytest.raises(ValueError, match=f"1 or more, but longest={longest}"):
        search(model.decoder, model.encoder(SOURCE, LENGTHS), MARKS, longest=longest)


@every_model
def test_sentences_without_any_place_for_a_word_are_refused(make):
    model, words = made(make), torch.full((len(SOURCE), 3), MARKS.begin)
    with pytest.raises(ValueError, match=r"at least one word, .* shapes are \(\d+, 0\) and"):
        model(SOURCE[:, :0], LENGTHS * 0, words)
    with pytest.raises(ValueError, match=r"at least one word, .* and \(\d+, 0\)"):
        model(SOURCE, LENGTHS, words[:, :0])
