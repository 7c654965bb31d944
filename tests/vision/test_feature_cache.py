"""Features on disk: worked out once, found again, shared by processes, and never of another."""

import json
import multiprocessing

import numpy
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard.vision import FeatureCache, LeftOut, features

NAMES = [f"image {number}.jpg" for number in range(13)]


class Small(nn.Module):
    """A fixed convolution: 2 rows of 3 cells, 5 channels."""

    fingerprint, grid, channels = "small-1", (2, 3), 5

    def __init__(self):
        super().__init__()
        self.layer = nn.Conv2d(3, 5, kernel_size=2, stride=2).requires_grad_(False)
        self.layer.weight.copy_(torch.linspace(-1, 1, 60).view(5, 3, 2, 2))
        self.layer.bias.zero_()
        self.images = 0

    def forward(self, images):
        self.images += len(images)
        return self.layer(images / 255).flatten(2).mT


def read(name):
    draw = torch.Generator().manual_seed(NAMES.index(name))
    return torch.randint(0, 256, (3, 4, 6), dtype=torch.uint8, generator=draw)


def expected(names):
    return Small()(torch.stack([read(name) for name in names]))


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(features, "PIECE", 5)


@pytest.fixture
def cache(tmp_path):
    return FeatureCache(tmp_path / "deep" / "features", "small-1")


def keep_half(folder, index):
    features.PIECE = 2
    FeatureCache(folder, "small-1").keep(NAMES, read, Small(), batch=2, part=(index, 2))


def test_features_come_back_in_the_order_asked_for(cache):
    assert cache.keep(NAMES, read, Small(), batch=3) == []
    some = [NAMES[11], NAMES[2], NAMES[7], NAMES[2]]
    assert cache.gather(some).dtype == torch.float32
    assert_close(cache.gather(some), expected(some), atol=2e-3, rtol=0)  # float16
    assert_close(cache[NAMES[12]], expected(NAMES)[12], atol=2e-3, rtol=0)
    assert (cache.grid, cache.channels, len(cache)) == ((2, 3), 5, 13)
    assert cache.gather([]).shape == (0, 6, 5)
    assert sorted(cache.names) == sorted(NAMES)


def test_the_files_are_half_precision_and_say_what_they_are(cache):
    cache.keep(NAMES[:3], read, Small())
    [array], [about] = cache.folder.glob("*.npy"), cache.folder.glob("*.json")
    stored = numpy.load(array, allow_pickle=False)
    assert (stored.dtype, stored.shape) == (numpy.float16, (3, 6, 5))
    about = json.loads(about.read_text(encoding="utf-8"))
    assert (about["fingerprint"], about["grid"], about["channels"]) == ("small-1", [2, 3], 5)
    assert list(about["images"]) == NAMES[:3]
    assert {len(digest) for digest in about["images"].values()} == {64}


def test_what_is_kept_is_not_worked_out_again(cache):
    encoder, told = Small(), []
    cache.keep(NAMES[:4], read, encoder)
    again = FeatureCache(cache.folder, "small-1")
    again.keep([*NAMES[2:11], NAMES[3]], read, encoder, 2, lambda *done: told.append(done))
    assert encoder.images == 11
    assert told == [(2, 7), (4, 7), (5, 7), (7, 7)]
    again.keep(NAMES[:11], read, encoder)
    assert encoder.images == 11
    assert_close(again.gather(NAMES[:11]), expected(NAMES[:11]), atol=2e-3, rtol=0)


def test_an_interrupted_call_loses_the_piece_under_way_alone(cache):
    def interrupted(name):
        if name == NAMES[8]:
            raise KeyboardInterrupt
        return read(name)

    with pytest.raises(KeyboardInterrupt):
        cache.keep(NAMES, interrupted, Small(), batch=2)
    encoder = Small()
    later = FeatureCache(cache.folder, "small-1")
    assert later.names == NAMES[:5]
    later.keep(NAMES, read, encoder)
    assert encoder.images == 8
    assert_close(later.gather(NAMES), expected(NAMES), atol=2e-3, rtol=0)


def test_a_piece_whose_description_was_not_written_is_not_there(cache, monkeypatch):
    def fail(path, content):
        if path.suffix == ".json":
            raise OSError("the disk is full")
        path.write_bytes(content)

    monkeypatch.setattr(features, "write_whole", fail)
    with pytest.raises(OSError, match="full"):
        cache.keep(NAMES, read, Small())
    monkeypatch.undo()
    assert len(list(cache.folder.glob("*.npy"))) == 1
    assert len(FeatureCache(cache.folder, "small-1")) == 0


def test_images_that_cannot_be_read_do_not_stop_the_others(cache):
    def picky(name):
        if name in (NAMES[1], NAMES[12], *NAMES[5:10]):  # the whole second piece, too
            raise ValueError(f"{name} is cut short")
        return read(name)

    left_out = cache.keep(NAMES, picky, Small(), batch=2)
    assert left_out[0] == LeftOut(NAMES[1], "image 1.jpg is cut short")
    assert [each.name for each in left_out] == [NAMES[1], *NAMES[5:10], NAMES[12]]
    others = [name for name in NAMES if name in cache]
    assert others == [NAMES[0], *NAMES[2:5], *NAMES[10:12]]
    assert_close(cache.gather(others), expected(others), atol=2e-3, rtol=0)
    assert cache.keep(NAMES, read, Small()) == []
    assert_close(cache.gather(NAMES), expected(NAMES), atol=2e-3, rtol=0)


def test_two_processes_share_the_work_on_one_folder(cache):
    other = multiprocessing.get_context("spawn").Process(target=keep_half, args=(cache.folder, 1))
    other.start()
    keep_half(cache.folder, 0)
    other.join()
    assert other.exitcode == 0
    encoder = Small()
    assert_close(cache.gather(NAMES), expected(NAMES), atol=2e-3, rtol=0)  # opened before they ran
    assert cache.keep(NAMES, read, encoder) == []
    assert encoder.images == 0
    rows = [len(numpy.load(path)) for path in cache.folder.glob("*.npy")]
    assert sorted(rows) == [1, 2, 2, 2, 2, 2, 2]  # 7 and 6 images in pieces of 2, none twice


def test_a_part_is_every_so_manyth_name_whatever_is_kept_already(cache):
    cache.keep(NAMES, read, Small(), part=(1, 3))
    assert cache.names == NAMES[1::3]
    cache.keep(NAMES, read, Small(), part=(1, 3))
    assert cache.names == NAMES[1::3]


def test_a_cache_of_another_encoder_is_refused(cache):
    cache.keep(NAMES, read, Small())
    with pytest.raises(ValueError, match=r"features'.*'small-2'.*'small-1'.*folder of its own"):
        FeatureCache(cache.folder, "small-2")
    other = Small()
    other.fingerprint = "small-3"
    with pytest.raises(ValueError, match=r"'small-1', but the encoder given to keep has 'small-3'"):
        cache.keep(NAMES, read, other)
    assert other.images == 0


def cut_array(folder):
    path = next(folder.glob("*.npy"))
    path.write_bytes(path.read_bytes()[:-7])


def empty_array(folder):
    next(folder.glob("*.npy")).write_bytes(b"")


def remove_array(folder):
    next(folder.glob("*.npy")).unlink()


def widen_array(folder):
    numpy.save(next(folder.glob("*.npy")), numpy.zeros((5, 6, 7), numpy.float16))


def pickle_array(folder):
    numpy.save(next(folder.glob("*.npy")), numpy.array([{"a": 1}], dtype=object))


def cut_description(folder):
    path = next(folder.glob("*.json"))
    path.write_bytes(path.read_bytes()[:40])


def lose_grid(folder):
    path = next(folder.glob("*.json"))
    about = json.loads(path.read_text())
    path.write_text(json.dumps(about | {"grid": 6}))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (cut_array, r"npy' is missing, cut short .*must hold float16 \(5, 6, 5\)"),
        (empty_array, r"npy' is missing, cut short"),
        (remove_array, r"npy' is missing, cut short"),
        (widen_array, r"holds float16 \(5, 6, 7\), but must hold float16 \(5, 6, 5\)"),
        (pickle_array, r"npy' is missing, cut short or not what keep wrote .*Python objects"),
        (cut_description, r"json' is cut short or not what keep wrote"),
        (lose_grid, r"json' is cut short or not what keep wrote"),
    ],
)
def test_spoilt_files_are_named_with_what_to_do(cache, spoil, message):
    cache.keep(NAMES[:5], read, Small())
    spoil(cache.folder)
    remedy = r".*; delete '\w{16}\.json' and '\w{16}\.npy', and keep works them out again"
    with pytest.raises(ValueError, match=message + remedy):
        FeatureCache(cache.folder, "small-1")


def test_images_that_changed_since_are_found(cache):
    cache.keep(NAMES[:7], read, Small())
    assert cache.changed(NAMES, read) == []
    assert cache.changed(NAMES, lambda name: read(name) ^ (name == NAMES[4])) == [NAMES[4]]


def test_names_that_are_not_kept_are_told(cache):
    with pytest.raises(ValueError, match="features' holds no features yet; call keep"):
        cache.grid  # noqa: B018
    cache.keep(NAMES[:3], read, Small())
    with pytest.raises(KeyError, match=r"no features of \['image 9.jpg'\], only of 3 other"):
        cache.gather([NAMES[0], NAMES[9]])
    assert NAMES[9] not in cache


class Loud(Small):
    def forward(self, images):
        return super().forward(images) * 1e6


class Narrow(Small):
    def forward(self, images):
        return super().forward(images)[..., :4]


@pytest.mark.parametrize(
    ("encoder", "message"),
    [(Loud, r"float16, up to 65504, but .*scale"), (Narrow, r"give \(5, 6, 5\).*gave \(5, 6, 4\)")],
)
def test_encoders_whose_features_cannot_be_kept_are_refused(cache, encoder, message):
    with pytest.raises(ValueError, match=message):
        cache.keep(NAMES, read, encoder())
    assert len(cache) == 0


def test_other_bad_arguments_are_refused(cache):
    for part in [(2, 2), (-1, 2), (0, 0)]:
        with pytest.raises(ValueError, match=r"part must be \(index, of\) .* take \(0, 2\)"):
            cache.keep(NAMES, read, Small(), part=part)
    with pytest.raises(ValueError, match="batch must be at least 1, but is 0"):
        cache.keep(NAMES, read, Small(), batch=0)
    with pytest.raises(TypeError, match=r"gave torch.float32 \(3, 4, 6\) for 'image 0.jpg'"):
        cache.keep(NAMES, lambda name: read(name).float(), Small())
    with pytest.raises(TypeError, match=r"one size, but gave \[\(3, 4, 5\), \(3, 4, 6\)\]"):
        cache.keep(NAMES, lambda name: read(name)[..., int(name == NAMES[1]) :], Small())
