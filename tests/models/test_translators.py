"""Translators: padding does not matter, steps equal the whole, and search finds what it should."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard import Attention, record
from regard.models import (
    Around,
    EncoderDecoder,
    LocationAware,
    Luong,
    Marks,
    RNNSearch,
    Seq2Seq,
    Transformer,
    greedy,
)
from regard.models.encoding import turn
from regard.models.transformer import positions
from regard.scores import Concat, Dot, FromQuery, General
from regard.windows import Predictive

SIZES = {"source_vocabulary": 23, "target_vocabulary": 7}
GATED = {"word_size": 5, "state_size": 8, "hidden_size": 6}
HEADS = {"size": 8, "heads": 2, "inner_size": 11, "layers": 2}


def luong(look, **options):
    return Luong(look, **SIZES, size=8, layers=2, **options)


MODELS = {
    "RNNSearch": lambda: RNNSearch(**SIZES, **GATED),
    "Seq2Seq": lambda: Seq2Seq(**SIZES, **GATED),
    "LocationAware": lambda: LocationAware(**SIZES, **GATED),
    "Luong dot": lambda: luong(Attention(Dot())),
    "Luong general, local-m": lambda: luong(
        Attention(General(query_size=8, key_size=8)), scope=Around(2)
    ),
    "Luong concat": lambda: luong(Attention(Concat(query_size=8, key_size=8, hidden_size=5))),
    "Luong location": lambda: luong(Attention(FromQuery(nn.Linear(8, 5)))),
    "Luong general, local-p": lambda: luong(
        Attention(General(query_size=8, key_size=8), window=Predictive(query_size=8, radius=3))
    ),
    "Luong both ways": lambda: luong(Attention(Dot()), both_ways=True),
    "Transformer": lambda: Transformer(**SIZES, **HEADS),
}
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
SOURCE = torch.randint(4, 23, (3, 9), generator=torch.Generator().manual_seed(0))
LENGTHS = torch.tensor([9, 6, 2])
TARGET, MARKS = torch.randint(3, 7, (3, 4)), Marks(1, 2)


def made(make):
    torch.manual_seed(0)
    model = make().eval()
    for parameter in model.parameters():
        parameter.data.mul_(1.5)  # so that words differ clearly
    return model


@every_model
def test_scores_have_a_row_per_word(make):
    logits, looks = made(make)(SOURCE, LENGTHS, TARGET)
    assert logits.shape == (3, 4, 7)
    assert looks


@every_model
def test_steps_one_by_one_give_the_whole(make):
    model = made(make)
    logits, _ = model(SOURCE, LENGTHS, TARGET)
    state, memory = model.decoder.begin(model.encoder(SOURCE, LENGTHS))
    steps = []
    for word in TARGET.split(1, dim=1):
        state, scores, _ = model.decoder.step(state, word, memory)
        steps.append(scores)
    assert_close(torch.cat(steps, dim=1), logits, atol=1e-5, rtol=1e-4)


@every_model
def test_filling_changes_nothing(make):
    model = made(make)
    together, _ = model(SOURCE, LENGTHS, TARGET)
    for i, length in enumerate(LENGTHS.tolist()):
        alone, _ = model(SOURCE[i : i + 1, :length], LENGTHS[i : i + 1], TARGET[i : i + 1])
        assert_close(alone, together[i : i + 1], atol=1e-5, rtol=1e-4)


@every_model
def test_an_empty_sentence_is_not_read_from_its_filling(make):
    model, lengths = made(make), torch.tensor([9, 0, 2])
    other = SOURCE.clone()
    other[1] = 4 + (SOURCE[1] == 4)
    whole, _ = model(SOURCE, lengths, TARGET)
    assert_close(model(other, lengths, TARGET)[0], whole)
    alone, _ = model(SOURCE[1:2, :3], lengths[1:2], TARGET[1:2])
    assert_close(alone, whole[1:2], atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize(("both_ways", "moved"), [(False, 1), (True, 9)])
def test_luongs_encoder_reads_forwards_or_both_ways(both_ways, moved):
    encoder = made(lambda: luong(Attention(Dot()), both_ways=both_ways)).encoder
    changed = SOURCE[:1].clone()
    changed[0, -1] = 3 + (changed[0, -1] == 3)
    before, after = encoder(SOURCE[:1], LENGTHS[:1]), encoder(changed, LENGTHS[:1])
    assert int((before.annotations != after.annotations).any(dim=-1).sum()) == moved


def test_luongs_encoder_halves_its_width_only_where_it_is_even():
    with pytest.raises(ValueError, match="it is even, but size=7"):
        Luong(Attention(Dot()), **SIZES, size=7, both_ways=True)


@every_model
def test_the_future_does_not_matter(make):
    model, changed = made(make), TARGET.clone()
    changed[:, 2:] = 3
    before, _ = model(SOURCE, LENGTHS, TARGET)
    after, _ = model(SOURCE, LENGTHS, changed)
    assert_close(before[:, :2], after[:, :2])


@every_model
def test_every_parameter_gets_a_gradient(make):
    model = made(make)
    logits, _ = model(SOURCE, LENGTHS, TARGET)
    logits.square().sum().backward()
    missing = [
        name
        for name, parameter in model.named_parameters()
        if parameter.numel() and (parameter.grad is None or not parameter.grad.any())
    ]
    # one annotation leaves nothing to choose, so how it is chosen cannot matter
    idle = ".look.score." if make is MODELS["Seq2Seq"] else None
    assert [name for name in missing if idle is None or idle not in name] == []


def test_one_encoder_feeds_two_decoders():
    first, second = made(MODELS["RNNSearch"]), made(MODELS["RNNSearch"])
    other = EncoderDecoder(first.encoder, second.decoder)
    assert other(SOURCE, LENGTHS, TARGET)[0].shape == (3, 4, 7)
    assert other.encoder is first.encoder


def test_looks_of_a_translation_are_recorded_by_word():
    model = made(MODELS["RNNSearch"])
    with record(model) as maps:
        _, looks = model(SOURCE, LENGTHS, TARGET)
    weights = maps["decoder.stepper.look"].weights
    assert weights.shape == (3, 4, 9)
    assert_close(weights, torch.cat([seen.weights for seen in looks], dim=1).detach())
    assert_close(weights.sum(dim=-1), torch.ones(3, 4))
    assert not weights[2, :, 2:].any()


def test_changing_the_last_word_changes_only_the_backward_half_of_the_first_annotation():
    model, changed = made(MODELS["RNNSearch"]), SOURCE.clone()
    changed[:, -1] = (changed[:, -1] + 1) % 23
    before, after = (model.encoder(words, torch.full((3,), 9)) for words in (SOURCE, changed))
    assert_close(before.annotations[:, 0, :8], after.annotations[:, 0, :8])
    assert not torch.allclose(before.annotations[:, 0, 8:], after.annotations[:, 0, 8:])
    assert_close(before.summary, before.annotations[:, 0, 8:])


def test_turning_leaves_the_filling_at_the_end():
    words = torch.tensor([[1.0, 2, 3, 0], [4, 5, 0, 0]]).unsqueeze(-1)
    turned = turn(words, torch.tensor([3, 2]))[..., 0]
    assert turned.tolist() == [[3, 2, 1, 0], [5, 4, 0, 0]]


def test_the_transformers_positions_worked_by_hand():
    expected = torch.tensor([
        [0, 1, 0, 1], [0.841471, 0.540302, 0.01, 0.99995], [0.909297, -0.416147, 0.019999, 0.9998],
    ])  # fmt: skip
    assert_close(positions(3, 4), expected, atol=1e-5, rtol=0)


def test_a_sentence_beyond_the_places_worked_out_in_advance_is_read_alike():
    few, many = (Transformer(**SIZES, **HEADS, longest=longest).eval() for longest in (3, 64))
    few.load_state_dict(many.state_dict())
    assert_close(few(SOURCE, LENGTHS, TARGET)[0], many(SOURCE, LENGTHS, TARGET)[0])
    encoded = few.encoder(SOURCE, LENGTHS)
    found = [greedy(model.decoder, encoded, MARKS, longest=12) for model in (few, many)]
    assert max(len(each.words) for each in found[1]) > 3
    assert [each.words for each in found[0]] == [each.words for each in found[1]]


@pytest.mark.parametrize(("size", "bound"), [(4, 0.5), (100, 0.1), (122, 0.1)])
def test_luongs_matrices_start_as_in_the_paper_unless_they_are_narrow(size, bound):
    model = _luong_of(size)
    drawn = [
        parameter.detach()
        for name, parameter in model.named_parameters()
        if parameter.dim() > 1 and "embedding" not in name
    ]
    assert drawn
    for matrix in drawn:
        assert 0.7 * bound < float(matrix.abs().max()) <= bound
    assert float(model.encoder.embedding.weight.detach().abs().max()) > bound


def test_luongs_cells_start_out_remembering():
    model = _luong_of(6)
    cells = model.encoder.cells
    for bias in (cells.bias_ih_l0, cells.bias_ih_l1, model.decoder.stepper.cells.from_input.bias):
        assert bias[6:12].tolist() == [1.0] * 6
        assert not bias[:6].any()
        assert not bias[12:].any()
    assert not cells.bias_hh_l0.any()


def _luong_of(size):
    return Luong(
        Attention(General(query_size=size, key_size=size)),
        source_vocabulary=11,
        target_vocabulary=13,
        size=size,
        layers=2,
    )
