"""One encoder for several languages."""

import pytest
import torch

from regard.models import CommonEncoder, RNNSearch
from regard.recipes import RECIPES, turn, values_of
from regard.recipes.translation import data
from regard.running import load, opened
from regard.tasks import Pair
from regard.training import RunFolder

WORDS = {
    "en": ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
    "de": ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"],
    "fr": ["un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"],
}


def counted(source, target):
    """Three numbers in two languages."""
    rows = [(i, j, k) for i in range(4) for j in range(4) for k in range(4)]
    return [
        Pair(tuple(WORDS[source][n] for n in row), tuple(WORDS[target][n] for n in row))
        for row in rows
    ]


@pytest.fixture
def run(tmp_path, monkeypatch):
    def part(self, name):
        pairs = counted(self.source, self.target)
        return pairs if name == "train" else pairs[:8]

    monkeypatch.setattr(data.Multi30k, "_part", part)
    sizes = {"word_size": 8, "state_size": 8, "hidden_size": 8, "entries": 300}
    recipe = turn(RECIPES["common-multi30k"], {**sizes, "epochs": 1, "batch": 16})
    folder = RunFolder.create(tmp_path / "run", {"recipe": "common-multi30k", **values_of(recipe)})
    recipe.train(folder, "cpu", (), "the same again")
    return folder.path


def test_both_languages_are_written_from_one_encoder(run):
    recipe = opened(run)
    german, french = load(run), turn(recipe, {"target": "fr"}).load(run)
    for each in (german, french):
        assert each("one two three").weights.shape[1] >= 4
    assert torch.equal(german.model.encoder.embedding.weight, french.model.encoder.embedding.weight)
    assert german.target.to_json() != french.target.to_json()


def test_every_route_and_both_ways_of_retrieval_are_measured(run):
    found = opened(run).evaluate(run)
    scopes = [each.scope for each in found]
    assert scopes == ["en-de", "en-fr", "de-fr", "en finds de", "de finds en"]
    assert all(0 <= each.value <= 100 for each in found)


def test_a_batch_of_one_route_moves_the_encoder_and_that_decoder_only():
    def translator():
        return RNNSearch(
            source_vocabulary=11, target_vocabulary=7, word_size=3, state_size=5, hidden_size=2
        )

    first, second = translator(), translator()
    common = CommonEncoder(first.encoder, {"de": first.decoder, "fr": second.decoder})
    logits, _ = common.into("fr")(torch.tensor([[4, 5]]), torch.tensor([2]), torch.tensor([[1, 4]]))
    logits.sum().backward()
    assert common.encoder.embedding.weight.grad is not None
    assert common.decoders["fr"].embedding.weight.grad is not None
    assert common.decoders["de"].embedding.weight.grad is None


def test_an_unknown_decoder_is_named():
    common = CommonEncoder(torch.nn.Identity(), {"de": torch.nn.Identity()})
    with pytest.raises(ValueError, match="no decoder 'it'; there are de"):
        common.into("it")
