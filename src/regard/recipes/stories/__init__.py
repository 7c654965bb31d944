"""Questions over stories: every recipe is a network, stories and a course of restarts."""

from dataclasses import replace

from regard.recipes.stories import published
from regard.recipes.stories.course import LinearStart
from regard.recipes.stories.data import Babi, OwnStories, ToldStories
from regard.recipes.stories.lessons import Apart, Together
from regard.recipes.stories.recipe import StoryAnswering
from regard.recipes.stories.studying import EarlyStopping, TurningStudy
from regard.recipes.stories.systems import DMNPlusSystem, DMNSystem, MemN2NSystem

_SMALL, _WIDE = MemN2NSystem(), MemN2NSystem(size=50)
_CLEAR = MemN2NSystem(size=50, empty="one")  # whose hops look at sentences
_PRINTED = MemN2NSystem(encoding="paper")
_BEST = MemN2NSystem(encoding="paper", size=100, tying="layer-wise", update="rectified")
_PLUS = DMNPlusSystem(encoding="learned")
_JOINT = LinearStart(epochs=60, linear_epochs=30, halve_every=15)
_TAUGHT = EarlyStopping(guidance=1.0, gate_epochs=100, enough=0.002, decay="0")
_IN_TURN = TurningStudy(
    restarts=2, hard="2,14,16-19", enough=0.002, decay="0.00001,0.001", growing="16"
)
_TAUGHT_MUCH = replace(_TAUGHT, gate_epochs=30, epochs=40)  # of ten times as many

STORIES: dict[str, StoryAnswering] = {
    "memn2n-stories": StoryAnswering(
        "questions over made-up stories of 20 kinds, with hops over the sentences; no download",
        _CLEAR,
        ToldStories(Together(), told=10_000),
        LinearStart(epochs=60, linear_epochs=30, halve_every=15, restarts=1),
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
        _PRINTED,
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
    "dmn-babi": StoryAnswering(
        "bAbI with 10,000 questions a task and DMN, whose gates are taught the facts",
        DMNSystem(passes=5),
        Babi(Apart(), questions="10k"),
        _TAUGHT_MUCH,
        published.DMN,
    ),
    "dmnplus-babi": StoryAnswering(
        "bAbI with 10,000 questions a task and DMN+, which is taught the answers alone",
        _PLUS,
        Babi(Apart(), questions="10k", instead=200_000),
        _IN_TURN,
        published.DMN_PLUS,
    ),
    "dmn-stories": StoryAnswering(
        "made-up stories with a dynamic memory network, its gates taught the facts; no download",
        DMNSystem(passes=5),
        ToldStories(Apart()),
        _TAUGHT,
    ),
    "dmnplus-stories": StoryAnswering(
        "the same with DMN+, which is taught the answers alone",
        _PLUS,
        ToldStories(Apart()),
        EarlyStopping(),
    ),
    "memn2n-own": StoryAnswering(
        "your own stories in the format of bAbI, with hops over the sentences: --train FILE",
        _SMALL,
        OwnStories(Apart()),
        LinearStart(),
    ),
    "dmn-own": StoryAnswering(
        "the same with a dynamic memory network; its gates learn the facts that your files name",
        DMNSystem(passes=5),
        OwnStories(Apart()),
        _TAUGHT,
    ),
    "dmnplus-own": StoryAnswering(
        "the same with DMN+",
        _PLUS,
        OwnStories(Apart()),
        EarlyStopping(),
    ),
}
