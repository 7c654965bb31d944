"""Language models from end to end, at sizes that train in seconds."""

import json
import math

import pytest
import torch
from torch import nn

import regard
from regard import running
from regard.command import main
from regard.recipes import RECIPES, turn
from regard.recipes.language.experiment import before, perplexity
from regard.tasks.vocabulary import END

TEXT = "the cat saw the dog\nthe dog saw the cat\n" * 40


@pytest.fixture(scope="module")
def run(tmp_path_factory, trained):
    folder = tmp_path_factory.mktemp("language")
    for name in ("train", "valid", "test"):
        (folder / f"{name}.txt").write_text(TEXT)
    knobs = {
        "train": str(folder / "train.txt"), "valid": str(folder / "valid.txt"),
        "test": (str(folder / "test.txt"),), "hops": 2, "slots": 7, "size": 6, "straight": 3,
        "epochs": 3, "batch": 8, "rate": 0.02,
    }  # fmt: skip
    return trained(folder / "run", "memn2n-text", knobs)


class Counting(nn.Module):
    """Says of each of five words how likely it is by the number of words before it."""

    def __init__(self):
        super().__init__()
        self.some = nn.Parameter(torch.zeros(1))
        self.seen = []

    def forward(self, words):
        self.seen.append(words)
        logits = torch.zeros(len(words), 5)
        logits[:, 4] = words.shape[1]
        return logits, []


def test_the_words_before_a_place_are_given_and_the_word_there():
    words, following = before(torch.arange(10), torch.tensor([3, 9]), 3)
    assert words.tolist() == [[0, 1, 2], [6, 7, 8]]
    assert following.tolist() == [3, 9]


def test_perplexity_counts_every_word_with_at_most_so_many_before_it():
    model, stream = Counting(), torch.tensor([4, 0, 4, 1, 3])
    found = perplexity(model, stream, 3)
    assert [tuple(words.shape) for words in model.seen] == [(1, 1), (1, 2), (3, 3)]
    assert model.seen[0].tolist() == [[END]]
    assert model.seen[2].tolist() == [[END, 4, 0], [4, 0, 4], [0, 4, 1]]
    loss = 0.0
    for word, count in ((4, 1), (0, 2), (4, 3), (1, 3), (3, 3)):
        loss += math.log(4 + math.exp(count)) - (count if word == 4 else 0)
    assert found == pytest.approx(math.exp(loss / 5))


def test_it_learns_and_is_measured(run):
    test, valid = running.opened(run).evaluate(run)
    assert (test.split, valid.split) == ("test", "valid")
    assert test.value == pytest.approx(valid.value)
    assert 1 < test.value < 6  # of 9 entries
    assert test.paper is None


def test_the_next_word_is_told(run, capsys):
    assert main(["run", str(run), "the cat saw"]) == 0
    assert capsys.readouterr().out.startswith("the (")
    assert main(["run", str(run), "the zebra", "--json"]) == 0
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert told["remembered"] == ["<end>", "the", "<unknown>"]
    assert "does not know zebra" in printed.err


def test_the_hops_over_the_words_are_drawn(run, tmp_path):
    sheet = regard.load(run).sheet("the cat saw")
    assert sheet.weights.shape == (2, 4)
    assert main(["show", str(run), "the cat saw", "--to", str(tmp_path / "hops.png")]) == 0
    assert (tmp_path / "hops.png").stat().st_size > 1_000


def test_the_papers_number_is_that_of_the_same_sizes():
    treebank = RECIPES["memn2n-ptb"]
    assert treebank.published[treebank.system.hops, treebank.system.slots] == (118, 111)
    smaller = turn(treebank, {"hops": 6, "slots": 100})
    assert smaller.published[smaller.system.hops, smaller.system.slots] == (122, 115)


def test_own_text_must_be_given():
    with pytest.raises(ValueError, match="give your text: --train FILE"):
        RECIPES["memn2n-text"].data.part("train")
