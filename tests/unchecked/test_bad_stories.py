"""Networks that answer questions say what cannot be a story; stories of nothing are answered."""

import pytest
import torch

from regard import Attention
from regard.losses import gate_supervision
from regard.models import DMN, DMNPlus, MemN2N
from regard.models.sentences import PositionEncoding
from regard.scores import Dot

STORY, ASKED = torch.randint(1, 9, (2, 4, 5)), torch.randint(1, 9, (2, 3))
NETWORKS = {
    "MemN2N": lambda: MemN2N(PositionEncoding(), vocabulary=9, slots=6, size=7, hops=2),
    "DMN": lambda: DMN(vocabulary=9, answers=9, size=7),
    "DMN+": lambda: DMNPlus(vocabulary=9, answers=9, size=7),
}


@pytest.fixture(params=NETWORKS)
def network(request):
    torch.manual_seed(0)
    return NETWORKS[request.param]()


@pytest.mark.parametrize(
    ("story", "asked", "message"),
    [
        (STORY + 8, ASKED, "the story has the word .*, but vocabulary=9: words are 1 to 8"),
        (STORY, ASKED - 9, "the question has the word -.*, but vocabulary=9"),
        (STORY[:1], ASKED, "1 stories and 2 questions"),
        (STORY[0], ASKED[0], r"the story must be \(batch, sentence, word\), but its shape is"),
        (STORY, ASKED[0], r"the question must be \(batch, word\)"),
        (STORY.float(), ASKED, "the story holds the numbers of words, but it is torch.float32"),
    ],
)
def test_what_cannot_be_a_story_is_named(network, story, asked, message):
    with pytest.raises((ValueError, TypeError), match=message):
        network(story, asked)


@pytest.mark.parametrize(
    ("story", "asked"),
    [
        (STORY[:0], ASKED[:0]),
        (STORY[:, :0], ASKED),
        (STORY[:, :, :0], ASKED),
        (STORY, ASKED[:, :0]),
    ],
)
def test_nothing_is_answered_too(network, story, asked):
    answers, _ = network(story, asked)
    assert answers.shape == (len(asked), 9)
    assert answers.isfinite().all()


@pytest.mark.parametrize(
    ("times", "message"),
    [
        (torch.ones(2, 3).long(), r"one number for each sentence, \(2, 4\), but its shape"),
        (torch.full((2, 4), -1), "the time -1; 1 is the latest, 0 is none"),
    ],
)
def test_times_that_cannot_be_are_named(times, message):
    with pytest.raises(ValueError, match=message):
        NETWORKS["MemN2N"]()(STORY, ASKED, times)


def test_facts_of_another_number_of_stories_are_refused():
    seen = Attention(Dot())(torch.randn(2, 1, 7), torch.randn(2, 4, 7))
    with pytest.raises(ValueError, match="it has 1 and there are 2 stories"):
        gate_supervision([seen], torch.tensor([[0]]))
