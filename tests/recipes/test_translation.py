"""Translation recipes from end to end, at sizes that train in seconds."""

import json

import pytest
import torch

import regard
from regard import running
from regard.recipes import RECIPES, turn, values_of
from regard.training import RunFolder

TINY = {"pairs": 60, "longest": 6, "epochs": 1, "batch": 16}
SMALL_SIZES = {
    "rnnsearch": {"word_size": 8, "state_size": 8, "hidden_size": 8},
    "seq2seq": {"word_size": 8, "state_size": 8, "hidden_size": 8},
    "luong": {"size": 8},
    "transformer": {"size": 8, "heads": 2, "inner_size": 8, "layers": 2},
}


def trained(name, folder, **knobs):
    recipe = turn(RECIPES[name], {**TINY, **SMALL_SIZES[name.split("-")[0]], **knobs})
    run = RunFolder.create(folder, {"recipe": name, **values_of(recipe)})
    recipe.train(run, "cpu", (), "the same again")
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    base = tmp_path_factory.mktemp("runs")
    return {system: trained(f"{system}-directions", base / system) for system in SMALL_SIZES}


@pytest.mark.parametrize("system", SMALL_SIZES)
def test_a_run_is_loaded_and_gives_the_words_and_weights_of_the_translation(runs, system):
    interpreter = regard.load(runs[system])
    found = interpreter("시청 으로 가자")
    assert str(found) == " ".join(found.words)
    assert len(found.weights) == len(found.target_labels) == len(found.numbers)
    torch.testing.assert_close(found.weights.sum(dim=1), torch.ones(len(found.weights)))
    assert found.aligned is (system != "seq2seq")


@pytest.mark.parametrize("system", SMALL_SIZES)
def test_a_sheet_has_a_row_for_each_word_and_the_end(runs, system):
    interpreter = regard.load(runs[system])
    sheet = interpreter.sheet("시청 으로 가자")
    assert sheet.weights.shape[-1] == (1 if system == "seq2seq" else 4)  # words and their end
    assert sheet.weights.shape[-2] == len(sheet.rows)
    assert sheet.weights.dim() == (4 if system == "transformer" else 2)


def test_a_translation_is_one_line_whatever_its_pieces_spell(runs):
    data = regard.load(runs["rnnsearch"]).data
    assert data.to_text(("a\nb", "\r", "c\u2028d")) == "a b c d"


def test_of_nothing_nothing_is_said_for_certain(runs):
    found = regard.load(runs["rnnsearch"])("")
    assert (found.text, found.log_probability) == ("", 0.0)


def test_long_sentences_to_select_a_transformer_by_do_not_stop_it(tmp_path):
    table, chosen = tmp_path / "pairs.tsv", tmp_path / "chosen.tsv"
    table.write_text("".join(f"a b{number}\tb{number} a\n" for number in range(30)))
    chosen.write_text(f"{'a ' * 600}\tb\na b\tb a\n")
    knobs = {"train": (str(table),), "valid": (str(chosen),), "entries": 300, "epochs": 1}
    sizes = SMALL_SIZES["transformer"]
    recipe = turn(RECIPES["transformer-pairs"], {**knobs, **sizes, "layers": 1})
    run = RunFolder.create(tmp_path / "run", {"recipe": "transformer-pairs", **values_of(recipe)})
    assert recipe.train(run, "cpu", (), "the same again").step > 0
    first, second = regard.load(tmp_path / "run").lines(["a " * 600, "b1 a"])
    assert len(first.source_labels) > 512
    assert len(second.source_labels) < 10


@pytest.mark.parametrize("rows", [1, 50])
def test_one_sentence_alone_cannot_be_split(tmp_path, rows):
    table = tmp_path / "one.tsv"
    table.write_text("a b\tb a\n" * rows)
    data = turn(RECIPES["rnnsearch-pairs"], {"train": (str(table),)}).data
    with pytest.raises(ValueError, match=r"one.tsv: nothing is left to train on.*--valid FILE"):
        data.training()


@pytest.mark.parametrize("system", ["rnnsearch", "luong"])
def test_the_weights_of_a_sheet_are_those_of_the_search(runs, system):
    interpreter = regard.load(runs[system])
    drawn = interpreter.sheet("시청 으로 가자").weights[:-1]
    torch.testing.assert_close(drawn, interpreter("시청 으로 가자").weights)


def test_the_order_of_lines_does_not_matter_to_their_translations(runs):
    interpreter = regard.load(runs["rnnsearch"])
    lines = ["시청 으로 가자", "서울역 근처 스타벅스 로 가자", "", "시청 은 어디 에 있어요 ?"]
    onwards = [each.text for each in interpreter.lines(lines)]
    backwards = [each.text for each in interpreter.lines(lines[::-1])]
    assert onwards == backwards[::-1]
    assert onwards[2] == ""


def test_a_translation_does_not_depend_on_the_sentences_beside_it(runs):
    interpreter = regard.load(runs["luong"])
    short, long = ("시청", "으로", "가자"), ("시청", "으로") * 12
    alone, beside = interpreter.translate([short])[0], interpreter.translate([short, long])[0]
    assert alone.text == beside.text
    assert alone.weights.shape == beside.weights.shape


def test_words_that_training_never_saw_are_said(runs):
    interpreter = regard.load(runs["rnnsearch"])
    known = interpreter.source.words[-1]
    found = interpreter(f"zebra {known} zebra")
    assert found.unknown == ("zebra",)
    assert "zebra" in found.source_labels  # as typed: several unknown ones can be told apart
    assert "<unknown>" not in found.source_labels
    assert "zebra" in found.remarks()[0]


def test_a_loaded_run_is_the_one_that_was_kept(runs):
    again = regard.load(runs["luong"]), regard.load(runs["luong"])
    first, second = (each("시청 으로 가자") for each in again)
    assert first.text == second.text
    assert first.log_probability == second.log_probability


def test_tests_hold_unseen_sentences_and_lengths_beyond_training():
    data = turn(RECIPES["rnnsearch-directions"], {**TINY, "longest": 5}).data
    unseen, longer = data.tests().values()
    trained_on = {pair.source for pair in data.training().train}
    assert not trained_on & {pair.source for pair in unseen}
    assert max(len(pair.source) for pair in unseen) <= 5
    assert {len(pair.source) for pair in longer} == {6, 7, 8, 9}


def test_evaluation_has_every_test_set_and_every_length(runs):
    recipe = running.opened(runs["rnnsearch"])
    found = recipe.evaluate(runs["rnnsearch"])
    by_length = [each for each in found if each.split == "by length"]
    assert {each.metric for each in found} == {"exact", "alignment error rate", "BLEU"}
    assert found[0].split == "test"
    assert found[0].metric == "exact"
    assert {each.scope for each in by_length} == {
        *("1-4 words", "5-8 words", "9-12 words", "13-16 words")
    }


def test_guidance_without_alignment_is_refused(tmp_path):
    table = tmp_path / "pairs.tsv"
    table.write_text("a b\tc d\nb a\td c\n" * 4, encoding="utf-8")
    knobs = {"train": (str(table),), "guidance": 0.5, "entries": 300}
    recipe = turn(RECIPES["rnnsearch-pairs"], knobs)
    run = RunFolder.create(tmp_path / "run", {"recipe": "rnnsearch-pairs", **values_of(recipe)})
    with pytest.raises(ValueError, match=r"guidance 0\.5 needs the true alignment"):
        recipe.train(run, "cpu", (), "")


def test_own_pairs_are_split_so_that_some_are_held_out(tmp_path):
    table = tmp_path / "pairs.tsv"
    lines = [f"word{number} b\tc{number} d" for number in range(40)]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    split = turn(RECIPES["rnnsearch-pairs"], {"train": (str(table),)}).data.training()
    assert len(split.valid) == 2
    assert len(split.train) == 38
    assert not {pair.source for pair in split.valid} & {pair.source for pair in split.train}


def test_the_same_knobs_and_seed_give_the_same_weights(runs, tmp_path):
    again = trained("rnnsearch-directions", tmp_path / "again")
    other = trained("rnnsearch-directions", tmp_path / "other", seed=1)
    weights = [(folder / "model.safetensors").read_bytes() for folder in (runs["rnnsearch"], again)]
    assert weights[0] == weights[1]
    assert weights[0] != (other / "model.safetensors").read_bytes()


def test_knobs_and_vocabularies_are_plain_json_beside_the_weights(runs):
    folder = runs["rnnsearch"]
    knobs = json.loads((folder / "knobs.json").read_text(encoding="utf-8"))
    assert knobs["recipe"] == "rnnsearch-directions"
    assert knobs["state_size"] == 8
    words = json.loads((folder / "source_entries.json").read_text(encoding="utf-8"))
    assert words["kind"] == "words"
