"""The captioner: the translator's decoder over a grid, with soft or hard looks in one slot."""

import re

import pytest
import torch
from torch.testing import assert_close

from regard import Attention, record
from regard.models import AnyGrid, Captioner, ConvolutionalGrid, FeatureGrid, Marks, beam, greedy
from regard.models.images import cells
from regard.normalisers import Hard, Mixed, Softmax, Sparsemax, StraightThrough
from regard.scores import Additive

VOCABULARY, SIZE, STATE = 11, 32, 7


def captioner(encoder=None, normaliser=None):
    torch.manual_seed(0)
    look = Attention(Additive(query_size=STATE, key_size=SIZE, hidden_size=5), normaliser)
    return Captioner(
        ConvolutionalGrid(SIZE) if encoder is None else encoder,
        look,
        vocabulary=VOCABULARY,
        annotation_size=SIZE,
        word_size=6,
        state_size=STATE,
    )


@pytest.fixture
def pictures():
    torch.manual_seed(1)
    images = torch.randint(0, 256, (3, 3, 24, 32), dtype=torch.uint8)
    return images, torch.tensor([[24, 32], [24, 32], [16, 24]]), torch.randint(4, 11, (3, 5))


def test_a_step_is_that_of_the_paper(pictures):
    model = captioner().eval()
    encoded = model.encoder(*pictures[:2])
    decoder, stepper = model.decoder, model.decoder.stepper
    state, memory = decoder.begin(encoded)
    mean = encoded.annotations[0].mean(dim=0)
    assert_close(state.hidden[0, 0], decoder.start.to_hidden(mean).tanh())
    assert_close(state.cell[0, 0], decoder.start.to_cell(mean).tanh())

    word = pictures[2][:, :1]
    after, logits, seen = decoder.step(state, word, memory)
    beta = torch.sigmoid(stepper.to_gate(state.hidden))
    assert beta.shape == (3, 1, 1)  # one number, not one for each feature
    context = seen.weights @ encoded.annotations
    cells_of = stepper.cells
    gates = (
        cells_of.from_input(decoder.embedding(word))
        + cells_of.from_fed(beta * context)
        + cells_of.from_state[0](state.hidden)
    )
    let_in, keep, let_out, new = gates.chunk(4, dim=-1)
    cell = keep.sigmoid() * state.cell + let_in.sigmoid() * new.tanh()
    hidden = let_out.sigmoid() * cell.tanh()
    assert_close(after.hidden, hidden)
    readout = decoder.readout
    features = torch.cat([hidden, beta * context], dim=-1)
    deep = (decoder.embedding(word) + readout.from_features(features)).tanh()
    assert_close(logits, readout.to_words(deep))


def test_weights_sum_to_one_over_the_cells_that_are_there(pictures):
    _, looks = captioner()(*pictures)
    weights = torch.cat([seen.weights for seen in looks], dim=1)
    assert weights.shape == (3, 5, 12)
    assert_close(weights.sum(dim=-1), torch.ones(3, 5))
    grid = weights[2].view(5, 3, 4)  # 24 x 32 pixels; this image has 16 x 24
    assert grid[:, 2].abs().sum() == 0
    assert grid[:, :, 3].abs().sum() == 0
    assert (grid[:, :2, :3] > 0).all()


def test_what_fills_up_a_feature_grid_changes_nothing(pictures):
    model = captioner(FeatureGrid(9, SIZE)).eval()
    features = torch.randn(1, 4, 5, 9)
    sizes = torch.tensor([[3, 2]])
    alone, _ = model(features[:, :3, :2], sizes, pictures[2][:1])
    filled, _ = model(features, sizes, pictures[2][:1])
    assert_close(alone, filled)


def test_dropout_takes_features_of_cells_and_makes_up_for_them():
    torch.manual_seed(0)
    encoder = FeatureGrid(9, 64, dropout=0.5)
    given = torch.randn(3, 4, 5, 9), torch.tensor([[4, 5]] * 3)
    whole = encoder.eval()(*given).annotations
    noisy = encoder.train()(*given).annotations
    taken = (noisy == 0) & (whole > 0)
    assert 0.4 < taken.sum() / (whole > 0).sum() < 0.6
    assert_close(noisy, torch.where(taken, 0, 2 * whole))


def test_a_batch_of_no_images_leaves_the_encoder_as_it_was():
    torch.manual_seed(0)
    encoder = ConvolutionalGrid(SIZE).train()
    given = torch.rand(3, 3, 16, 24) * 255, torch.tensor([[16, 24]] * 3)
    encoder(*given)
    kept = {name: part.clone() for name, part in encoder.state_dict().items()}
    nothing = encoder(given[0][:0], given[1][:0]).annotations
    assert nothing.shape == (0, 6, SIZE)
    nothing.sum().backward()
    assert all(torch.equal(part, kept[name]) for name, part in encoder.state_dict().items())
    assert all(part.grad is None or part.grad.isfinite().all() for part in encoder.parameters())


def test_images_and_features_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"images \(batch, 3, height, width\) and a size for each"):
        ConvolutionalGrid(SIZE)(torch.zeros(2, 1, 16, 24), torch.tensor([[9, 9]] * 2))
    with pytest.raises(ValueError, match=r"features \(batch, row, column, 5\)"):
        FeatureGrid(5, SIZE)(torch.zeros(2, 3, 4, 6), torch.tensor([[3, 4]] * 2))


@pytest.mark.parametrize("height", [24, 17, 9, 8])
@pytest.mark.parametrize("filling", [0.0, 255.0, float("nan")])
def test_what_fills_up_an_image_changes_nothing(pictures, height, filling):
    model = captioner().eval()
    image = torch.rand(1, 3, height, 23) * 255
    sizes = torch.tensor([[height, 23]])
    wide = torch.full((1, 3, 40, 33), filling)
    wide[..., :height, :23] = image
    alone, _ = model(image, sizes, pictures[2][:1])
    filled, _ = model(wide, sizes, pictures[2][:1])
    assert_close(alone, filled)


@pytest.mark.parametrize("filling", [7.0, float("nan")])
def test_filled_up_features_sway_nothing(pictures, filling):
    model = captioner(FeatureGrid(9, SIZE)).eval()
    features = torch.randn(1, 4, 5, 9)
    features[:, 3:] = filling
    features[:, :, 2:] = filling
    sizes = torch.tensor([[3, 2]])
    alone, _ = model(features[:, :3, :2], sizes, pictures[2][:1])
    assert_close(model(features, sizes, pictures[2][:1])[0], alone)


def test_cells_are_those_within_the_rows_and_columns_of_each_image():
    there = cells(torch.tensor([[1, 2], [2, 1]]), 2, 3)
    assert there.tolist() == [[[True, True, False, False, False, False]],
                              [[True, False, False, True, False, False]]]  # fmt: skip


def test_soft_and_hard_differ_in_the_normaliser_alone(pictures):
    soft, hard = captioner(), captioner(normaliser=Mixed(Hard(), Softmax(), 0.0))
    assert soft.state_dict().keys() == hard.state_dict().keys()
    hard.load_state_dict(soft.state_dict())
    _, looks = hard(*pictures)
    drawn = torch.cat([seen.weights for seen in looks], dim=1)
    assert set(drawn.unique().tolist()) == {0.0, 1.0}
    assert_close(drawn.sum(dim=-1), torch.ones(3, 5))
    hard.load_state_dict(soft.state_dict())  # the first pass has moved the means of the batches
    hard.tell_by(Softmax())
    assert_close(hard.eval()(*pictures)[0], soft.eval()(*pictures)[0])


@pytest.mark.parametrize("search", [greedy, beam])
@pytest.mark.parametrize("normaliser", [Softmax(), Hard()], ids=["soft", "hard"])
def test_it_is_searched_as_a_translator_is(pictures, search, normaliser):
    model = captioner(normaliser=normaliser).eval()
    encoded = model.encoder(*pictures[:2])
    found = search(model.decoder, encoded, Marks(1, 2), longest=6)
    assert len(found) == 3
    for written in found:
        assert written.weights.shape == (len(written.words), 12)
        assert_close(written.weights.sum(dim=-1), torch.ones(len(written.words)))


def test_every_parameter_gets_a_gradient(pictures):
    model = captioner()
    model(*pictures)[0].square().sum().backward()
    without = [name for name, each in model.named_parameters() if each.grad is None]
    assert without == []


def test_its_looks_are_recorded(pictures):
    model = captioner()
    with record(model) as maps, torch.no_grad():
        _, looks = model(*pictures)
    seen = torch.cat([each.weights for each in looks], dim=1)
    assert_close(maps["decoder.stepper.look"].weights, seen)


def test_it_comes_back_from_a_folder(pictures, tmp_path):
    model = captioner().eval()
    model.save_pretrained(tmp_path)
    fresh = captioner()
    again = Captioner.from_pretrained(
        tmp_path, encoder=fresh.encoder, look=fresh.decoder.stepper.look
    )
    assert_close(again(*pictures)[0], model(*pictures)[0])


@pytest.mark.parametrize(
    ("normaliser", "chooses"),
    [
        (Softmax(), False),
        (Sparsemax(), False),
        (Hard(), True),
        (Mixed(Hard(), Softmax()), True),
        (StraightThrough(Softmax()), True),
    ],
    ids=repr,
)
def test_it_knows_whether_each_look_takes_one_cell(normaliser, chooses):
    assert captioner(normaliser=normaliser).chooses is chooses


@pytest.mark.parametrize("wrong", [(65, 64), (64, 72), (0, 8)])
def test_a_size_that_no_image_of_the_batch_can_have_is_refused(wrong):
    images, sizes = torch.zeros(2, 3, 64, 64), torch.tensor([[64, 64], wrong])
    with pytest.raises(ValueError, match=re.escape(f"64 x 64, but sizes[1] is {wrong}")):
        ConvolutionalGrid(8)(images, sizes)
    features = torch.zeros(2, 64, 64, 5)
    with pytest.raises(ValueError, match=re.escape(f"sizes[1] is {wrong}")):
        FeatureGrid(5, 8)(features, sizes)


def test_a_size_that_does_not_split_is_refused():
    with pytest.raises(ValueError, match="size must be a multiple of 2, but size=21"):
        ConvolutionalGrid(21)


def test_any_network_of_images_can_be_told_of(pictures):
    images, sizes, words = pictures
    network = torch.nn.Conv2d(3, SIZE, 8, stride=8)
    model = captioner(AnyGrid(network)).eval()
    encoded = model.encoder(images.float(), sizes)
    assert encoded.grid == (3, 4)
    assert encoded.mask.sum(dim=-1).squeeze(1).tolist() == [12, 12, 6]  # 16 x 24 pixels: 2 x 3
    there = network(images[2:, :, :16, :24].float()).flatten(2).mT
    assert_close(encoded.annotations[2, encoded.mask[2, 0]], there[0])
    assert_close(encoded.summary[2], there[0].mean(dim=0))
    _, looks = model(images.float(), sizes, words)
    assert not looks[0].weights[2, 0, ~encoded.mask[2, 0]].any()


def test_a_cell_that_an_image_reaches_into_is_there():
    grid = AnyGrid(torch.nn.Conv2d(3, SIZE, 8, stride=8))
    encoded = grid(torch.zeros(1, 3, 32, 32), torch.tensor([[9, 24]]))
    assert encoded.mask.view(4, 4).tolist() == [[True] * 3 + [False]] * 2 + [[False] * 4] * 2
