"""Files appear whole or not at all, and the same picture is the same file."""

import stat

import pytest
import torch

from regard.viewing import save, show

BEGINNINGS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def picture(seed=0):
    return show(torch.rand(3, 5, generator=torch.Generator().manual_seed(seed)), title="weights")


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf", ".PNG"])
def test_the_ending_says_what_is_written(tmp_path, ending):
    path = save(picture(), tmp_path / f"weights{ending}")
    assert path == tmp_path / f"weights{ending}"
    assert path.read_bytes().startswith(BEGINNINGS[ending.lower()])
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["weights.jpg", "weights", "weights.svg.gz"])
def test_other_endings_are_refused_with_those_that_work(tmp_path, name):
    with pytest.raises(ValueError, match=r"saved as \.png, \.svg, \.pdf, but the name 'weights"):
        save(picture(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no folder .*nowhere' to save 'weights.png' in"):
        save(picture(), tmp_path / "nowhere" / "weights.png")


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_the_same_picture_gives_the_same_bytes(tmp_path, ending):
    first = save(picture(), tmp_path / f"first{ending}").read_bytes()
    assert save(picture(), tmp_path / f"second{ending}").read_bytes() == first
    assert save(picture(seed=1), tmp_path / f"third{ending}").read_bytes() != first


def test_a_failure_leaves_the_older_picture_and_nothing_else(tmp_path, monkeypatch):
    path = save(picture(), tmp_path / "weights.png")
    before, figure = path.read_bytes(), picture(seed=1)

    def fail(file, **_):
        file.write(b"half a picture")
        raise OSError("no space left")

    monkeypatch.setattr(figure, "savefig", fail)
    with pytest.raises(OSError, match="no space left"):
        save(figure, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_may_be_read_by_whom_other_files_may(tmp_path):
    other = tmp_path / "other"
    other.touch()
    path = save(picture(), tmp_path / "weights.png")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(other.stat().st_mode)


def test_markup_in_a_word_is_no_markup_in_the_file(tmp_path):
    figure = show(torch.rand(1, 1), ["--><script>alert(1)</script>"])
    assert b"<script" not in save(figure, tmp_path / "weights.svg").read_bytes()


def test_a_paragraph_is_a_vector_file_of_bearable_size(tmp_path):
    figure = show(torch.rand(200, 200).softmax(dim=-1))
    assert save(figure, tmp_path / "weights.svg").stat().st_size < 2_000_000


def test_a_picture_with_many_long_panels_is_still_an_image_that_can_be_opened(tmp_path):
    image = save(show(torch.rand(4, 3, 400)), tmp_path / "weights.png").read_bytes()
    width = int.from_bytes(image[16:20], "big")
    assert 6_000 < width < 8_200
