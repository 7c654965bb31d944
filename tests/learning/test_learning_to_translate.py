"""Every translator learns: in under a minute it beats guessing the likeliest sentence."""

from collections import Counter

import pytest

from regard import running
from regard.recipes import RECIPES, turn, values_of
from regard.training import RunFolder

pytestmark = pytest.mark.learning
KNOBS = {"pairs": 3_000, "longest": 5, "batch": 32}
SIZES = {
    "rnnsearch": {"word_size": 32, "state_size": 48, "hidden_size": 32, "rate": 0.01, "epochs": 3},
    "luong": {"size": 48, "rate": 0.01, "epochs": 12},
    "transformer": {
        "size": 32,
        "heads": 4,
        "inner_size": 64,
        "layers": 1,
        "warm_up": 60,
        "epochs": 8,
    },
}


@pytest.mark.parametrize("system", SIZES)
def test_a_translator_learns_short_directions(system, tmp_path):
    name = f"{system}-directions"
    recipe = turn(RECIPES[name], {**KNOBS, **SIZES[system], "guidance": 0.0})
    folder = RunFolder.create(tmp_path / "run", {"recipe": name, **values_of(recipe)})
    recipe.train(folder, "cpu", (), "")
    pairs = recipe.data.tests()["test"][:200]
    said = running.load(folder.path).translate([pair.source for pair in pairs])
    right = sum(each.words == pair.target for each, pair in zip(said, pairs, strict=True))
    guessed = Counter(pair.target for pair in pairs).most_common(1)[0][1]
    assert right > 10 * guessed
    assert right > 60
