"""Captioned images: Flickr8k on a small copy and on the real one, and the user's own."""

import hashlib
import json
import os
import pickle

import numpy
import pytest

from regard.tasks.captioned import Captioned, caption_tokens, caption_words, words_alone
from regard.tasks.captions import flickr8k, read_caption_table, read_captions, read_karpathy
from regard.tasks.checksums import CHECKSUMS
from regard.tasks.pictures import FolderPictures

TABLE = (
    "dog.jpg\tA dog runs.\n"
    "pets/cat.jpg\tThe cat, asleep!\n"
    "dog.jpg\tTwo-legged dog's day\n"
    "boy.jpg\tA boy ?\n"
)
CAPTIONS = {
    "dog.jpg": (("a", "dog", "runs"), ("two-legged", "dog's", "day")),
    "pets/cat.jpg": (("the", "cat", "asleep"),),
    "boy.jpg": (("a", "boy"),),
}


def write(path, content):
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.fixture
def images(tmp_path):
    folder = tmp_path / "images"
    (folder / "pets").mkdir(parents=True)
    for name in CAPTIONS:
        write(folder / name, f"bytes of {name}")
    return folder


def everything(split):
    return dict(split.train + split.valid + split.test)


def test_tokens_stay_as_they_are_and_punctuation_alone_is_dropped():
    found = caption_tokens("A Dog 's t-shirt , \" No. 1 \" ; 4-wheeler & n't # .")
    assert found == ("a", "dog", "'s", "t-shirt", "no.", "1", "4-wheeler", "n't")
    assert caption_tokens(". , !") == ()


def test_words_lose_the_punctuation_at_their_ends():
    found = caption_words(
        "\u201cHello\u201d, (said) the dog's 50% No. 1\u2026 -- \uac1c\uac00\u3002"
    )
    assert found == ("hello", "said", "the", "dog's", "50%", "no", "1", "\uac1c\uac00")


def test_a_table_is_read_and_its_images_too(tmp_path, images):
    split = read_captions(write(tmp_path / "captions.tsv", TABLE), images)
    assert everything(split) == CAPTIONS
    assert [len(each) for each in split[:3]] == [1, 1, 1]
    assert split.pictures.read("pets/cat.jpg") == b"bytes of pets/cat.jpg"
    with pytest.raises(ValueError, match=r"there is no image .*cow\.jpg"):
        split.pictures.read("cow.jpg")


def test_numbered_captions_and_names_written_in_two_ways_are_of_one_image(tmp_path, images):
    table = TABLE + "boy.jpg#0\tOne\nboy.jpg#11\tTwo\n./boy.jpg\tThree\n"
    split = read_captions(write(tmp_path / "captions.tsv", table), str(images))
    assert everything(split)["boy.jpg"] == (("a", "boy"), ("one",), ("two",), ("three",))


def test_a_split_depends_on_names_and_seed_and_not_on_the_order(tmp_path):
    lines = [f"{number}.png\tnumber {number}\n" for number in range(101)]
    for number in range(101):
        write(tmp_path / f"{number}.png", "any")
    table = write(tmp_path / "captions.tsv", "".join(lines))
    first = read_caption_table(table, tmp_path, valid=0.2, test=0.3, seed=3)
    assert [len(each) for each in first[:3]] == [51, 20, 30]
    assert len(everything(first)) == 101
    write(table, "".join(reversed(lines)))
    again = read_caption_table(table, tmp_path, valid=0.2, test=0.3, seed=3)
    assert again[:3] == first[:3]
    assert read_caption_table(table, tmp_path, valid=0.2, test=0.3, seed=2).test != first.test
    assert read_caption_table(table, tmp_path, valid=0.0, test=0.3, seed=3)[1:3] == ([], first.test)


def test_a_split_that_leaves_nothing_to_train_on_is_refused(tmp_path, images):
    table = write(tmp_path / "captions.tsv", TABLE)
    with pytest.raises(ValueError, match="nothing is left to train on: test and valid take 3 of 3"):
        read_caption_table(table, images, valid=0.3, test=0.69)
    for valid, test in [(0.5, 0.5), (-0.1, 0.2), (0.1, float("nan"))]:
        with pytest.raises(ValueError, match=f"less than 1 together, but valid={valid} and test="):
            read_caption_table(table, images, valid=valid, test=test)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"captions\.tsv is empty"),
        (TABLE + "dog.jpg\n", r"line 5: each line is the name .* has 1 column: 'dog\.jpg'"),
        (TABLE + "dog.jpg\ta\tb\n", "line 5: .* but this one has 3 columns"),
        (TABLE + "\tA dog\n", "line 5: each line is the name of an image"),
        (TABLE + "dog.jpg\t. !\n", "line 5: the caption has no words"),
        (TABLE + "\n", "line 5: the line is empty"),
        ((TABLE + "dog.jpg\tcafé\n").encode("latin-1"), r"line 5: byte .* \(0xe9\) is not UTF-8"),
        (TABLE + "../dog.jpg\tA dog\n", r"line 5: an image is .* with no \.\. in it, .*dog\.jpg'"),
        (TABLE + "/dog.jpg\tA dog\n", r"line 5: an image is named by its path within .*'/dog\.jpg"),
        (TABLE + "pets/../../x\tA dog\n", "line 5: an image is named by its path within"),
        (TABLE + "C:\\dog.jpg\tA dog\n", "line 5: an image is named by its path within"),
        (TABLE + "pets\\..\\x\tA dog\n", "line 5: an image is named by its path within"),
    ],
)
def test_what_is_wrong_with_a_table_is_said_with_its_line(tmp_path, images, content, message):
    path = write(tmp_path / "captions.tsv", content)
    with pytest.raises(ValueError, match=message):
        read_captions(path, images)


def test_a_missing_table_and_a_missing_folder_are_named(tmp_path, images):
    write(tmp_path / "captions.tsv", TABLE)
    for name in ("caption.tsv", "caption.json"):
        with pytest.raises(ValueError, match=f"there is no file .*{name}"):
            read_captions(tmp_path / name, images)
    with pytest.raises(ValueError, match=r"no folder .*nowhere; name the one with the images"):
        read_captions(tmp_path / "captions.tsv", tmp_path / "nowhere")


def test_missing_images_are_counted_and_left_out_with_a_warning(tmp_path, images):
    table = TABLE + f"cow.jpg\tA cow\n{'x' * 999}.jpg\tA name too long\ncow.jpg\tA cow again\n"
    path = write(tmp_path / "captions.tsv", table)
    message = r"line 5: there is no image .*cow\.jpg; 2 of 5 images are missing and left out"
    with pytest.warns(UserWarning, match=message):
        split = read_captions(path, images)
    assert everything(split) == CAPTIONS
    write(path, "cow.jpg\tA cow\n")
    message = r"line 1: there is no image .* 1 of 1 images are missing, so nothing is left; name"
    with pytest.raises(ValueError, match=message):
        read_captions(path, images)


KARPATHY = [
    {"filename": "dog.jpg", "split": "train", "sentences": [{"tokens": ["A", "dog", "."]}]},
    {
        "filename": "cat.jpg",
        "filepath": "pets",
        "split": "restval",
        "sentences": [{"raw": "The cat, asleep!"}, {"tokens": ["cat"], "raw": "not this"}],
    },
    {"filename": "boy.jpg", "split": "test", "sentences": [{"raw": "A boy"}], "imgid": 3},
]


def test_a_karpathy_json_is_read_with_its_own_split(tmp_path, images):
    path = write(tmp_path / "dataset.json", json.dumps({"images": KARPATHY, "dataset": "mine"}))
    split = read_captions(path, images)
    dog = Captioned("dog.jpg", (("a", "dog"),))
    cat = Captioned("pets/cat.jpg", (("the", "cat", "asleep"), ("cat",)))
    assert split[:3] == ([dog, cat], [], [Captioned("boy.jpg", (("a", "boy"),))])
    assert split.pictures.read("pets/cat.jpg") == b"bytes of pets/cat.jpg"
    only_valid = [{**KARPATHY[2], "split": "val"}]
    write(path, json.dumps({"images": only_valid}))
    assert [len(each) for each in read_karpathy(path, images)[:3]] == [0, 1, 0]


def changed(**changes):
    return json.dumps({"images": [*KARPATHY, {**KARPATHY[0], "filename": "new.jpg", **changes}]})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"dataset\.json, line 1: not valid JSON"),
        ('{"images": [\n1,]}', r"dataset\.json, line 2: not valid JSON \(.*, column \d"),
        ('{"images":\n"caf\u00e9"}'.encode("latin-1"), "line 2: byte 0xe9 is not UTF-8"),
        ("[" * 100_000, "nested too deeply|not valid JSON"),
        ('{"pictures": []}', "needs a list \"images\" .* an object with 'pictures'"),
        ("[1, 2]", 'needs a list "images" .* it is a list of 2'),
        ('{"images": []}', 'needs a list "images" with one image or more'),
        ('{"images": [7]}', 'image 1: an image needs a "filename", but this is 7'),
        (changed(filename=7), 'image 4: an image needs a "filename"'),
        (changed(split="dev"), r"image 4 \(new\.jpg\): .* one of train, restval, .* it is 'dev'"),
        (changed(split=["train"]), r"image 4 \(new\.jpg\): \"split\" must be one of"),
        (changed(sentences=[]), '"sentences" must be a list of captions'),
        (changed(sentences=[{"text": "a"}]), "needs \"tokens\", .* an object with 'text'"),
        (changed(sentences=[{"tokens": [1]}]), 'a sentence needs "tokens"'),
        (changed(sentences=["a dog"]), "or \"raw\", a text, but this is 'a dog'"),
        (changed(sentences=[{"raw": "..."}]), r"image 4 \(new\.jpg\): the caption has no words"),
        (changed(filename="dog.jpg"), r"image 4: dog\.jpg is there already, in .*image 1"),
        (changed(filename="../x.jpg"), r"image 4 \(\.\./x\.jpg\): an image is named by its path"),
        (changed(filepath="/etc"), "image 4 .*: an image is named by its path within"),
    ],
)
def test_what_is_wrong_with_a_json_is_said(tmp_path, images, content, message):
    path = write(tmp_path / "dataset.json", content)
    with pytest.raises(ValueError, match=message):
        read_captions(path, images)


def test_an_image_that_a_json_names_and_is_not_there_is_left_out(tmp_path, images):
    path = write(tmp_path / "dataset.json", changed())
    with pytest.warns(UserWarning, match=r"image 4 \(new\.jpg\): there is no .* 1 of 4 images are"):
        assert len(everything(read_captions(path, images))) == 3


def test_reading_by_a_name_that_leads_out_of_the_folder_is_refused(tmp_path, images):
    write(tmp_path / "secret", "secret")
    for name in ("../secret", str(tmp_path / "secret"), "pets/../../secret", ""):
        with pytest.raises(ValueError, match="an image is named by its path within"):
            FolderPictures(images).read(name)


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Flickr8k with four images, in the layout of the real one, with its own checksums."""
    folder = tmp_path / "flickr8k"
    folder.mkdir()
    sets = {"train": ["a.jpg", "b.jpg"], "dev": ["c.jpg"], "test": ["d.jpg"]}
    lines = [
        f"{name}.jpg#{number}\tA {name} , {number} .\n" for name in "dcbae" for number in (0, 1)
    ]
    write(folder / "Flickr8k.token.txt", "".join(lines))
    for part, names in sets.items():
        write(folder / f"Flickr_8k.{part}Images.txt", "".join(f"{name}\n" for name in names))
        files = [f"bytes of {name}".encode() * (3 - place) for place, name in enumerate(names)]
        numpy.savez(
            folder / f"images_{part}.npz",
            names=numpy.array(names),
            offsets=numpy.cumsum([0, *map(len, files)]),
            data=numpy.frombuffer(b"".join(files), numpy.uint8),
        )
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
    monkeypatch.setitem(CHECKSUMS, "flickr8k", sums)
    return tmp_path


def test_flickr8k_has_its_own_sets_words_and_images(small):
    split = flickr8k(small)
    assert [[each.name for each in part] for part in split[:3]] == [
        ["a.jpg", "b.jpg"], ["c.jpg"], ["d.jpg"]
    ]  # fmt: skip
    assert split.valid[0].captions == (("a", "c", ",", "0", "."), ("a", "c", ",", "1", "."))
    for pictures in (split.pictures, pickle.loads(pickle.dumps(split.pictures))):
        assert pictures.read("a.jpg") == b"bytes of a.jpg" * 3
        assert pictures.read("b.jpg") == b"bytes of b.jpg" * 2
        assert pictures.read("d.jpg") == b"bytes of d.jpg" * 3
    with pytest.raises(ValueError, match=r"no image 'a\.jpeg' among 4; near it are a\.jpg"):
        split.pictures.read("a.jpeg")


def test_flickr8k_without_a_caption_or_with_another_file_is_refused(small, monkeypatch):
    path = write(small / "flickr8k" / "Flickr_8k.devImages.txt", "x.jpg\ny.jpg\n")
    with pytest.raises(ValueError, match=r"devImages\.txt is not the file that it should be"):
        flickr8k(small)
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setitem(CHECKSUMS["flickr8k"], path.name, checksum)
    with pytest.raises(ValueError, match=r"2 images have no captions, the first is x\.jpg"):
        flickr8k(small)


@pytest.mark.skipif(
    not os.environ.get("REGARD_DATA"),
    reason="REGARD_DATA is not set: the sets and images of the real Flickr8k are left out",
)
def test_the_real_flickr8k_has_its_sets_and_its_images_open():
    from regard.tasks.images import open_image

    split = flickr8k()
    assert [len(part) for part in split[:3]] == [6_000, 1_000, 1_000]
    assert len(everything(split)) == 8_000
    assert {len(captions) for captions in everything(split).values()} == {5}
    assert split.test[0].name == "3385593926_d3e9c21170.jpg"
    said = [word for captions in everything(split).values() for words in captions for word in words]
    assert 10.5 < len(words_alone(said)) / 40_000 < 11.5
    assert 0.8 < said.count(".") / 40_000 < 1
    assert "A" not in said
    for captioned in split.test[::97]:
        assert min(open_image(split.pictures.read(captioned.name), captioned.name).size) == 160
