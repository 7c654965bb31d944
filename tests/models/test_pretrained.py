"""A model in a folder comes back as it was, and what is not that model is refused in words."""

import json

import pytest
import torch
from torch import nn

from regard import Attention
from regard.models import (
    Around,
    EncoderDecoder,
    Luong,
    RNNSearch,
    Seq2Seq,
    Transformer,
    Translator,
)
from regard.scores import Dot, General

SIZES = {"source_vocabulary": 23, "target_vocabulary": 7}
GATED = {"word_size": 5, "state_size": 8, "hidden_size": 6, "dropout": 0.25}
HEADS = {"size": 8, "heads": 2, "inner_size": 11, "layers": 2, "longest": 13}
LAYERS = {"size": 8, "layers": 2, "dropout": 0.25}
NAMES = ["config.json", "model.safetensors"]


def general():
    return Attention(General(query_size=8, key_size=8))


def halves():
    whole = RNNSearch(**SIZES, **GATED)
    return {"encoder": whole.encoder, "decoder": whole.decoder}


KINDS = {  # the class, its numbers, its parts
    "RNNSearch": (RNNSearch, {**SIZES, **GATED}, dict),
    "Seq2Seq": (Seq2Seq, {**SIZES, **GATED}, dict),
    "Transformer": (Transformer, {**SIZES, **HEADS}, dict),
    "Luong": (Luong, {**SIZES, **LAYERS}, lambda: {"look": general()}),
    "Luong, local-m": (
        Luong, {**SIZES, **LAYERS}, lambda: {"look": general(), "scope": Around(2)}
    ),
    "EncoderDecoder": (EncoderDecoder, {}, halves),
}  # fmt: skip
every_kind = pytest.mark.parametrize(("kind", "numbers", "parts"), KINDS.values(), ids=KINDS)
SOURCE, LENGTHS = torch.randint(4, 23, (3, 9)), torch.tensor([9, 6, 2])
TARGET = torch.randint(3, 7, (3, 4))


@pytest.fixture
def searcher(tmp_path):
    """A folder with a small model."""
    RNNSearch(**SIZES, **GATED).save_pretrained(tmp_path)
    return tmp_path


@pytest.fixture
def local(tmp_path):
    """A folder with a model of two parts."""
    Luong(general(), **SIZES, **LAYERS, scope=Around(2)).save_pretrained(tmp_path)
    return tmp_path


@every_kind
def test_a_model_comes_back_with_the_same_scores(kind, numbers, parts, tmp_path):
    model = kind(**numbers, **parts()).eval()
    model.save_pretrained(tmp_path / "new" / "folder")
    other = kind.from_pretrained(tmp_path / "new" / "folder", **parts())
    assert type(other) is kind
    assert not any(module.training for module in other.modules())
    assert torch.equal(other(SOURCE, LENGTHS, TARGET)[0], model(SOURCE, LENGTHS, TARGET)[0])


@every_kind
def test_a_model_comes_back_with_the_numbers_it_was_made_with(kind, numbers, parts, tmp_path):
    model = kind(**numbers, **parts())
    model.save_pretrained(tmp_path)
    other = kind.from_pretrained(str(tmp_path), **parts())
    assert repr(other) == repr(model)
    assert numbers.items() <= other.arguments.items()
    assert other.arguments.keys() == model.arguments.keys()


def test_a_folder_holds_two_files_that_are_read_without_regard(local):
    assert sorted(path.name for path in local.iterdir()) == NAMES
    config = json.loads((local / "config.json").read_text())
    assert config == {
        "class": "Luong",
        "arguments": {**SIZES, **LAYERS, "both_ways": False},
        "parts": {"look": repr(general()), "scope": "Around(radius=2)"},
    }


def test_saving_again_replaces_the_model_before(searcher):
    model = RNNSearch(**SIZES, **GATED | {"word_size": 3}).eval()
    model.save_pretrained(searcher)
    other = RNNSearch.from_pretrained(searcher)
    assert torch.equal(other(SOURCE, LENGTHS, TARGET)[0], model(SOURCE, LENGTHS, TARGET)[0])
    assert sorted(path.name for path in searcher.iterdir()) == NAMES


def test_tied_weights_stay_one_parameter(tmp_path):
    Transformer(**SIZES, **HEADS).save_pretrained(tmp_path)
    decoder = Transformer.from_pretrained(tmp_path).decoder
    assert decoder.readout.weight is decoder.embedding.words.weight


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_the_dtype_is_kept_and_that_of_tables_that_are_not_saved(tmp_path, dtype):
    model = Transformer(**SIZES, **HEADS).eval().to(dtype)
    model.save_pretrained(tmp_path)
    other = Transformer.from_pretrained(tmp_path)
    assert {tensor.dtype for tensor in other.state_dict().values()} == {dtype}
    logits = other(SOURCE, LENGTHS, TARGET)[0]
    assert logits.dtype == dtype
    assert torch.equal(logits, model(SOURCE, LENGTHS, TARGET)[0])


def test_a_model_of_two_dtypes_is_refused_before_anything_is_written(tmp_path):
    model = RNNSearch(**SIZES, **GATED)
    model.encoder.bfloat16()
    with pytest.raises(
        ValueError, match=r"of RNNSearch are torch.bfloat16 and torch.float32, but a model is kept"
    ):
        model.save_pretrained(tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_another_class_is_refused_by_both_names(searcher):
    with pytest.raises(ValueError, match=r"holds a RNNSearch, not a Seq2Seq; load it by RNNSea"):
        Seq2Seq.from_pretrained(searcher)
    with pytest.raises(ValueError, match="holds a RNNSearch, not a Translator"):
        Translator.from_pretrained(searcher)


def test_another_part_is_refused_and_both_are_shown(local):
    with pytest.raises(ValueError, match="saved with other parts") as error:
        Luong.from_pretrained(local, look=Attention(Dot()), scope=Around(2))
    assert f"look was {general()!r}, now {Attention(Dot())!r};" in str(error.value)
    assert "scope" not in str(error.value)


@pytest.mark.parametrize(
    ("parts", "now"),
    [({}, "none"), ({"scope": None}, "none"), ({"scope": Around(3)}, r"Around\(radius=3\)")],
)
def test_a_part_that_is_missing_or_of_other_numbers_is_refused(local, parts, now):
    with pytest.raises(ValueError, match=rf"scope was Around\(radius=2\), now {now};"):
        Luong.from_pretrained(local, look=general(), **parts)


def test_a_part_that_the_model_had_not_is_refused(searcher):
    with pytest.raises(ValueError, match=r"scope was none, now Around\(radius=2\);"):
        RNNSearch.from_pretrained(searcher, scope=Around(2))


def test_a_part_may_be_given_as_none_where_there_was_none(tmp_path):
    Luong(general(), **SIZES, **LAYERS).save_pretrained(tmp_path)
    assert Luong.from_pretrained(tmp_path, look=general(), scope=None).arguments["scope"] is None


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_file_is_named(searcher, name):
    (searcher / name).unlink()
    with pytest.raises(ValueError, match=rf"there is no file '.*{name}'; .*save_pretrained"):
        RNNSearch.from_pretrained(searcher)


def test_a_name_that_is_no_folder_is_never_looked_up(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"there is no file 'owner.name.config.json'; give a fol"):
        RNNSearch.from_pretrained("owner/name")


def test_weights_that_were_cut_short_are_refused(searcher):
    path = searcher / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(ValueError, match=r"model.safetensors' is cut short or no safetensors file"):
        RNNSearch.from_pretrained(searcher)


@pytest.mark.parametrize("text", ["", '{"class": "RNNSe', "[]", "3", '{"class": "RNNSearch"}'])
def test_a_config_that_is_not_one_is_refused(searcher, text):
    (searcher / "config.json").write_text(text)
    with pytest.raises(ValueError, match=r"config.json' is cut short or not what save_pretrained"):
        RNNSearch.from_pretrained(searcher)


def test_weights_of_other_sizes_are_refused(searcher):
    path = searcher / "config.json"
    path.write_text(path.read_text().replace('"word_size": 5', '"word_size": 3'))
    with pytest.raises(ValueError, match=r"does not fit this model: [^;]*size mismatch for enc"):
        RNNSearch.from_pretrained(searcher)


def test_a_constructor_that_keeps_arguments_to_itself_is_told_to_hand_them_on(tmp_path):
    class Secretive(Translator):
        def __init__(self, size, places):
            super().__init__(size=size)
            self.encoder = nn.Linear(size, places)
            self.decoder = nn.Identity()

    with pytest.raises(ValueError, match=r"Secretive cannot be made again without places; hand"):
        Secretive(3, 5).save_pretrained(tmp_path / "new")
    assert not (tmp_path / "new").exists()
