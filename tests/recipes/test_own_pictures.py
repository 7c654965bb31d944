"""A folder of images and a file of captions, from end to end, with a small network's features."""

import json

import pytest
import torch

from regard.command import main
from regard.recipes import RECIPES, turn
from regard.recipes.captioning import measuring, photographs
from regard.tasks.images import ImageError

pillow = pytest.importorskip("PIL.Image")
COLOURS = {"red": (220, 20, 30), "green": (20, 160, 40), "blue": (30, 60, 220)}
TINY = ["--epochs", "1", "--batch", "4", "--smallest-count", "1", "--beams", "2"]
SIZES = ["annotation-size", "word-size", "state-size", "hidden-size"]


class Network(torch.nn.Module):
    """Means of the colours over two by two fields."""

    fingerprint, grid, channels = "means", (2, 2), 3

    def forward(self, images):
        means = torch.nn.functional.adaptive_avg_pool2d(images.float(), 2)
        return means.flatten(2).mT


@pytest.fixture
def pictures(tmp_path, monkeypatch):
    monkeypatch.setattr(photographs, "_network", Network)
    monkeypatch.setattr(photographs, "CHANNELS", 3)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "images"
    folder.mkdir()
    lines = []
    for number in range(12):
        name, colour = list(COLOURS.items())[number % 3]
        pillow.new("RGB", (40 + number, 30), colour).save(folder / f"{number}.png")
        lines.append(f"{number}.png\tA {name} wall.")
    (tmp_path / "captions.tsv").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def recipe_of(folder, captions="captions.tsv"):
    files = {"captions": str(folder / captions), "images": str(folder / "images")}
    return turn(RECIPES["captions-pictures"], files)


@pytest.mark.filterwarnings("default:METEOR and CIDEr are left out")
def test_own_pictures_are_trained_told_measured_and_drawn(pictures, capsys, monkeypatch, tmp_path):
    run, sizes = pictures / "run", [word for size in SIZES for word in (f"--{size}", "8")]
    monkeypatch.chdir(pictures)
    files = ["--captions", "captions.tsv", "--images", "images"]
    arguments = ["train", "captions-pictures", *files, *TINY, *sizes, "--to", run]
    assert main([str(word) for word in arguments]) == 0
    monkeypatch.chdir(tmp_path.parent)  # a run goes on from any folder
    lines = (run / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    judged = json.loads(lines[-1])["validation"]
    assert next(iter(judged)) == "BLEU-4"  # one caption each, and still not by exactness
    capsys.readouterr()
    (pictures / "bad.png").write_text("no image")
    names = [str(pictures / "images" / "0.png"), str(pictures / "bad.png"), "#0", "#77", ""]
    assert main(["run", str(run), *names]) == 1
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == 5
    assert "bad.png" in shown.err
    assert "#77: there are 1 test images" in shown.err
    assert "an empty name is no file of an image" in shown.err
    monkeypatch.setattr(measuring, "find_spec", lambda _: None)
    assert main(["evaluate", str(run)]) == 0
    shown = capsys.readouterr()
    assert "test: BLEU-1" in shown.out
    assert "METEOR and CIDEr are left out" in shown.err
    assert main(["show", str(run), names[0], names[1], "--to", str(pictures / "a.html")]) == 1
    assert "bad.png" in capsys.readouterr().err


def test_other_captions_may_be_the_test(pictures):
    (pictures / "more").mkdir()
    pillow.new("RGB", (40, 30), COLOURS["red"]).save(pictures / "more" / "x.png")
    (pictures / "test.tsv").write_text("x.png\tA wall.\nx.png\tA red thing.\n", encoding="utf-8")
    recipe = recipe_of(pictures)
    own = recipe.data.tests()["test"]
    other = turn(recipe, {"test": (str(pictures / "test.tsv"), str(pictures / "more"))})
    found = other.data.tests()["test"]
    assert found.captions == ((("a", "wall"), ("a", "red", "thing")),)
    assert len(own) == 1
    assert other.data.albums().train.captions == recipe.data.albums().train.captions
    assert other.data.albums().tests["test"].captions == found.captions
    assert other.data.examples() == ["#0"]
    shown = other.data.read("#0").image
    assert (shown[0] > 200).all()  # red, and not the first of the images to learn from
    three = turn(recipe, {"test": ("a", "b", "c")})
    with pytest.raises(ValueError, match="and the folder of its images, but there are 3"):
        three.data.tests()


def test_a_json_says_what_is_to_be_tested(pictures):
    names = {"train": 0, "val": 1, "test": 2}
    images = [
        {"filename": f"{number}.png", "split": part, "sentences": [{"raw": f"a {part} wall"}]}
        for part, number in names.items()
    ]
    (pictures / "all.json").write_text(json.dumps({"images": images}), encoding="utf-8")
    recipe = turn(recipe_of(pictures), {"test": (str(pictures / "all.json"),)})
    assert recipe.data.tests()["test"].captions == ((("a", "test", "wall"),),)
    (pictures / "none.json").write_text(json.dumps({"images": images[:2]}), encoding="utf-8")
    recipe = turn(recipe, {"test": (str(pictures / "none.json"),)})
    with pytest.raises(ValueError, match="no image is of the split"):
        recipe.data.tests()
    recipe = recipe_of(pictures, "none.json")
    with pytest.raises(ValueError, match="there is no image to test on; each of the three parts"):
        recipe.data.albums()


def test_own_pictures_may_be_told_with_hard_attention():
    soft, hard = (RECIPES[f"captions-pictures{end}"] for end in ("", "-hard"))
    assert hard.data == soft.data
    assert hard.system.kind == RECIPES["captions-flickr8k-hard"].system.kind


def test_an_image_that_was_replaced_has_new_features(pictures):
    data = recipe_of(pictures).data
    album = data.albums().train
    place = 0
    before = album.given([place]).inputs
    name = album.name(place).split()[0]
    pillow.new("RGB", (50, 50), (250, 250, 250)).save(pictures / "images" / name)
    album = data.albums().train
    again = next(at for at in range(len(album)) if album.name(at).startswith(name))
    after = album.given([again]).inputs
    assert (after == 250).all()
    assert not torch.equal(before, after)


def test_training_sees_mirror_images_with_the_same_captions_and_tests_do_not(pictures):
    for path in (pictures / "images").iterdir():
        image = pillow.new("RGB", (30, 30), (0, 0, 0))
        image.paste((200, 100, 50), (0, 0, 15, 30))  # the left half is bright
        image.save(path)
    recipe = recipe_of(pictures)
    once, twice = (turn(recipe, {"views": views}).data.albums() for views in (1, 2))
    assert twice.train.captions == once.train.captions
    own = once.train.given([3]).inputs[0]
    for album in (twice.train, once.train.in_epoch(2), twice.valid, twice.tests["test"]):
        assert torch.equal(album.given([0]).inputs[0], own)
    first, second = (twice.train.in_epoch(number).given([2, 3]).inputs for number in (1, 2))
    assert torch.equal(first, second.flip(0))  # in turn, and half of the images in each epoch
    mirrored = second[0] if torch.equal(second[1], own) else second[1]
    assert own[0, 0, 0] > 190  # red, down and across the grid
    assert own[0, 1, 0] < 10
    assert torch.equal(mirrored, own.flip(1))
    with pytest.raises(ValueError, match="views"):
        turn(recipe, {"views": 3})


def test_examples_are_no_more_than_there_are_test_images(pictures):
    assert recipe_of(pictures).data.examples() == ["#0"]


def test_a_name_that_only_begins_like_a_number_is_a_file(pictures):
    data = recipe_of(pictures).data
    with pytest.raises(ImageError, match="#abc"):
        data.read("#abc")


def test_a_part_without_images_is_refused_before_training(pictures):
    images = [
        {"filename": f"{n}.png", "split": "train", "sentences": [{"raw": "a wall"}]}
        for n in range(3)
    ]
    (pictures / "all.json").write_text(json.dumps({"images": images}), encoding="utf-8")
    with pytest.raises(ValueError, match="no image to test on; each of the three parts"):
        recipe_of(pictures, "all.json").data.albums()
