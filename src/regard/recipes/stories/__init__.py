"""Questions over stories: every recipe is a network, stories and a course of restarts."""

from regard.recipes.stories import published
from regard.recipes.stories.course import LinearStart
from regard.recipes.stories.data import Babi, OwnStories, ToldStories
from regard.recipes.stories.lessons import Apart, Together
from regard.recipes.stories.recipe import StoryAnswering
from regard.recipes.stories.systems import MemN2NSystem

_SMALL, _WIDE = MemN2NSystem(), MemN2NSystem(size=50)
_BEST = MemN2NSystem(size=100, tying="layer-wise", update="rectified")
_JOINT = LinearStart(epochs=60, linear_epochs=30, halve_every=15)

STORIES: dict[str, StoryAnswering] = {
    "memn2n-stories": StoryAnswering(
        "questions over made-up stories of 20 kinds, with hops over the sentences; no download",
        _WIDE,
        ToldStories(Together()),
        LinearStart(epochs=60, linear_epochs=30, halve_every=15, restarts=2),
    ),
    "memn2n-babi": StoryAnswering(
        "bAbI with 1,000 questions a task, a memory network for each task",
        _SMALL,
        Babi(Apart()),
        LinearStart(),
        published.MEMN2N_1K,
    ),
    "memn2n-babi-joint": StoryAnswering(
        "the same with one memory network for all tasks",
        _WIDE,
        Babi(Together()),
        _JOINT,
        published.MEMN2N_1K_JOINT,
    ),
    "memn2n-babi-10k": StoryAnswering(
        "bAbI with 10,000 questions a task, a memory network for each task",
        _SMALL,
        Babi(Apart(), questions="10k"),
        LinearStart(),
        published.MEMN2N_10K,
    ),
    "memn2n-babi-best": StoryAnswering(
        "the same with the paper's best network: wider, the same embeddings in all hops, ReLU",
        _BEST,
        Babi(Apart(), questions="10k"),
        LinearStart(),
        published.MEMN2N_10K_BEST,
    ),
    "memn2n-own": StoryAnswering(
        "your own stories in the format of bAbI, with hops over the sentences: --train FILE",
        _SMALL,
        OwnStories(Apart()),
        LinearStart(),
    ),
}
