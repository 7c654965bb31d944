"""Dynamic memory networks, whole: against their equations, padded, recorded, kept in folders."""

import pytest
import torch
from torch import nn, tensor
from torch.testing import assert_close

from regard import Attention, Hops, WeightedSum, record
from regard.models import (
    DMN,
    Choice,
    DMNPlus,
    DynamicMemory,
    GatedUpdate,
    RectifiedUpdate,
    SentenceBySentence,
    Utterance,
    WordByWord,
)
from regard.models.sentences import BagOfWords
from regard.scores import GateScore, InteractionScore

BATCH, SENTENCE, WORD, ASKED, VOCABULARY, ANSWERS, SIZE, PASSES = 2, 5, 4, 3, 19, 11, 7, 2
every_kind = pytest.mark.parametrize("kind", [DMN, DMNPlus])


def made(kind, **others):
    torch.manual_seed(0)
    model = kind(vocabulary=VOCABULARY, answers=ANSWERS, size=SIZE, passes=PASSES, **others)
    for parameter in model.parameters():  # everything differs, everything matters
        nn.init.normal_(parameter, std=0.7)
    return model.eval()


@pytest.fixture
def story():
    torch.manual_seed(1)
    return torch.randint(1, VOCABULARY, (BATCH, SENTENCE, WORD))


@pytest.fixture
def question():
    torch.manual_seed(2)
    return torch.randint(1, VOCABULARY, (BATCH, ASKED))


def gru(blend, value, state):
    """One step of a gated recurrent unit."""
    (w_u, w_r, w), (b_u, b_r, b), (u_u, u_r, u) = (
        each.chunk(3) for each in (blend.from_value.weight, blend.from_value.bias, blend.from_state)
    )
    update = (w_u @ value + b_u + u_u @ state).sigmoid()
    reset = (w_r @ value + b_r + u_r @ state).sigmoid()
    new = (w @ value + b + reset * (u @ state)).tanh()
    return update * new + (1 - update) * state


def read(unit, vectors):
    """All states of a unit, from zero."""
    state, states = torch.zeros(SIZE), []
    for vector in vectors:
        state = gru(unit, vector, state)
        states.append(state)
    return states


def dmn_by_hand(model, story, question):
    """The equations of Kumar et al., one example, fact by fact."""
    reader, look = model.reader, model.hops.look
    words = reader.embedding.weight[story.flatten()]
    facts = read(reader.onwards, words)[WORD - 1 :: WORD]
    asked = memory = read(reader.onwards, reader.embedding.weight[question])[-1]
    for _ in range(PASSES):
        episode = torch.zeros(SIZE)
        for fact in facts:
            joined = torch.cat([memory, asked]).unsqueeze(0)
            gate = look.score(joined, fact.unsqueeze(0)).squeeze().sigmoid()
            episode = gate * gru(look.blend, fact, episode) + (1 - gate) * episode
        memory = model.hops.update.unit(episode, memory)
    return model.answer.to_answer(torch.cat([memory, asked]))


def plus_by_hand(model, story, question):
    """The equations of Xiong et al., one example, fact by fact."""
    reader, look = model.reader, model.hops.look
    j, d = torch.arange(1, WORD + 1).unsqueeze(1) / WORD, torch.arange(1, SIZE + 1) / SIZE
    places = (1 - j) - d * (1 - 2 * j)
    sentences = [(places * reader.embedding.weight[words]).sum(dim=0) for words in story]
    onwards = read(reader.onwards, sentences)
    backwards = read(reader.backwards, sentences[::-1])[::-1]
    facts = [one + other for one, other in zip(onwards, backwards, strict=True)]
    asked = memory = read(reader.asking, reader.embedding.weight[question])[-1]
    (w_r, w), (b_r, b), (u_r, u) = (
        each.chunk(2)
        for each in (
            look.blend.from_value.weight,
            look.blend.from_value.bias,
            look.blend.from_state,
        )
    )
    for update in model.hops.update:
        joined = torch.cat([memory, asked]).unsqueeze(0)
        gates = look.score(joined, torch.stack(facts)).squeeze(0).softmax(dim=-1)
        episode = torch.zeros(SIZE)
        for gate, fact in zip(gates, facts, strict=True):
            reset = (w_r @ fact + b_r + u_r @ episode).sigmoid()
            new = (w @ fact + b + reset * (u @ episode)).tanh()
            episode = gate * new + (1 - gate) * episode
        layer = update.from_all
        memory = (layer.weight @ torch.cat([memory, asked, episode]) + layer.bias).relu()
    return model.answer.to_answer(torch.cat([memory, asked]))


@pytest.mark.parametrize(("kind", "by_hand"), [(DMN, dmn_by_hand), (DMNPlus, plus_by_hand)])
def test_logits_are_those_of_the_papers_equations(kind, by_hand, story, question):
    model = made(kind)
    logits, looks = model(story, question)
    assert len(looks) == PASSES
    for i in range(BATCH):
        assert_close(logits[i], by_hand(model, story[i], question[i]), rtol=1e-4, atol=1e-5)


@every_kind
@pytest.mark.parametrize("places", [[0, 1, 2, 3, 4], [2, 3, 4, 5, 6], [0, 2, 3, 5, 6]])
def test_filling_changes_nothing_wherever_it_stands(kind, places, story, question):
    model = made(kind)
    logits, looks = model(story, question)
    filled = torch.zeros(BATCH, 7, WORD + 2, dtype=torch.long)
    filled[:, places, :WORD] = story
    found, others = model(filled, nn.functional.pad(question, (0, 2)))
    assert_close(found, logits)
    for seen, other in zip(looks, others, strict=True):
        assert other.weights.shape == (BATCH, 1, 7)
        assert_close(other.weights[..., places], seen.weights)
        assert_close(other.weights.sum(), seen.weights.sum())


@every_kind
def test_examples_do_not_touch(kind, story, question):
    model = made(kind)
    assert_close(model(story, question)[0][1:], model(story[1:], question[1:])[0])


@every_kind
@pytest.mark.parametrize("sentences", [0, SENTENCE])
def test_an_empty_story_gives_no_weight_and_no_nan(kind, sentences, story, question):
    model = made(kind)
    empty = torch.zeros_like(story[:, :sentences])
    logits, looks = model(empty, question)
    assert logits.isfinite().all()
    assert all(not seen.weights.any() for seen in looks)
    assert all(not seen.context.any() for seen in looks)
    logits.square().sum().backward()
    assert all(each.grad.isfinite().all() for each in model.parameters() if each.grad is not None)


@every_kind
def test_every_parameter_learns_and_filling_has_no_vector(kind, story, question):
    model = made(kind)
    story[0, -1] = 0
    model(story, question)[0].square().sum().backward()
    assert [name for name, each in model.named_parameters() if not each.grad.any()] == []
    assert not model.reader.embedding.weight.grad[0].any()


@every_kind
def test_recording_shows_passes_over_sentences(kind, story, question):
    model = made(kind)
    with record(model) as maps:
        _, looks = model(story, question)
    assert list(maps) == ["hops.look"]
    assert maps["hops.look"].weights.shape == (BATCH, PASSES, SENTENCE)
    assert_close(maps["hops.look"].weights, torch.cat([seen.weights for seen in looks], dim=1))


@every_kind
def test_dropout_draws_in_training_alone(kind, story, question):
    model = made(kind, dropout=0.5)
    assert_close(model(story, question)[0], model(story, question)[0])
    model.train()
    assert not torch.allclose(model(story, question)[0], model(story, question)[0])


@every_kind
def test_it_comes_back_from_a_folder(kind, story, question, tmp_path):
    model = made(kind)
    model.save_pretrained(tmp_path)
    assert_close(kind.from_pretrained(tmp_path)(story, question)[0], model(story, question)[0])


def test_another_look_stands_in_its_slot_and_is_given_again(story, question, tmp_path):
    model = made(DMN, look=Attention(GateScore(SIZE)))  # the sum of facts by softmax of gates
    logits, looks = model(story, question)
    assert isinstance(model.hops.look.blend, WeightedSum)
    assert_close(looks[0].weights.sum(dim=-1), torch.ones(BATCH, 1))
    model.save_pretrained(tmp_path)
    again = DMN.from_pretrained(tmp_path, look=Attention(GateScore(SIZE)))
    assert_close(again(story, question)[0], logits)


def test_another_encoding_makes_its_sentences_and_is_given_again(story, question, tmp_path):
    model = made(DMNPlus, encoding=BagOfWords())
    turned = story.flip(2)  # the same words in another order
    assert_close(model(story, question)[0], model(turned, question)[0])
    assert not torch.allclose(made(DMNPlus)(story, question)[0], made(DMNPlus)(turned, question)[0])
    model.save_pretrained(tmp_path)
    again = DMNPlus.from_pretrained(tmp_path, encoding=BagOfWords())
    assert_close(again(story, question)[0], model(story, question)[0])


def test_updates_of_the_passes_are_their_own_in_one_and_shared_in_the_other():
    plus, first = made(DMNPlus), made(DMN)
    assert len(plus.hops.update) == PASSES
    assert plus.hops.update[0].from_all.weight is not plus.hops.update[1].from_all.weight
    assert isinstance(first.hops.update, GatedUpdate)


def test_words_of_an_answer_follow_from_each_other():
    torch.manual_seed(0)
    answer = Utterance(SIZE, VOCABULARY, longest=3)
    memory, asked = torch.randn(BATCH, SIZE), torch.randn(BATCH, SIZE)
    found = answer(memory, asked)
    assert found.shape == (BATCH, 3, VOCABULARY)
    state, word = memory, torch.zeros(BATCH, VOCABULARY)
    for place in range(3):
        state = answer.unit(torch.cat([word, asked], dim=-1), state)
        logits = answer.to_word(state)
        assert_close(found[:, place], logits)
        word = logits.exp() / logits.exp().sum(dim=-1, keepdim=True)
    with pytest.raises(ValueError, match="longest=0"):
        Utterance(SIZE, VOCABULARY, longest=0)


def test_parts_recombine(story, question):
    reader = SentenceBySentence(VOCABULARY, SIZE, encoding=BagOfWords())
    model = DynamicMemory(
        reader,
        Hops(Attention(InteractionScore(SIZE)), [RectifiedUpdate(SIZE), RectifiedUpdate(SIZE)]),
        Utterance(SIZE, VOCABULARY, longest=3),
        passes=2,
    ).eval()
    logits, looks = model(story, question)
    assert logits.shape == (BATCH, 3, VOCABULARY)
    assert [seen.weights.shape for seen in looks] == [(BATCH, 1, SENTENCE)] * 2
    shuffled = story[:, :, tensor([2, 0, 3, 1])]
    assert_close(model(shuffled, question)[0], logits)  # a bag has no order
    other = DynamicMemory(
        WordByWord(VOCABULARY, SIZE),
        Hops(Attention(GateScore(SIZE)), GatedUpdate(SIZE)),
        Choice(SIZE, ANSWERS),
    )
    assert len(other(story, question)[1]) == 3


@every_kind
@pytest.mark.parametrize("name", ["vocabulary", "answers", "size", "passes"])
def test_numbers_below_one_are_refused(kind, name):
    sizes = {"vocabulary": 3, "answers": 3, "size": 3, "passes": 3}
    with pytest.raises(ValueError, match=f"{name} must be 1 or more, but {name}=0"):
        kind(**sizes | {name: 0})
