"""Training steps of a memory network on bAbI, at the paper's sizes: 3 hops, batches of 32.

One task has 20 units, all tasks together 50. A step is a batch drawn with replacement, its times
jittered, forward, the summed loss, backward, each matrix clipped, and the update. A hundred steps
are measured at once (a training is thousands), and both draw from the same 320 examples. Where bAbI
is not there, nothing is measured.
"""

import torch
from torch import Tensor

from measuring import Comparison, Work
from regard import Attention
from regard.models.memn2n import LeakySoftmax, MemN2N
from regard.models.sentences import ReleasedPositionEncoding
from regard.models.stories import Stories
from regard.models.story_learning import learn, seeded
from regard.scores import Dot
from regard.tasks.folders import place
from regard.tasks.stories import babi, encode_questions, story_vocabulary
from story_peer import EagerMemory
from story_peer import learn as learn_eagerly

HOPS, BATCH, RATE, STEPS, EPOCHS = 3, 32, 0.005, 10, 10
EVERY = tuple(range(1, 21))


def ready(tasks: tuple[int, ...]) -> tuple[tuple[Tensor, Tensor, Tensor], int]:
    """Stories, questions and answers as tensors, and how many words there are."""
    questions = [question for task in tasks for question in babi(task)]
    vocabulary = story_vocabulary(questions)
    asked = encode_questions(questions, vocabulary)
    width = max(asked.stories.shape[2], asked.questions.shape[1])
    grown = [torch.nn.functional.pad(part, (0, width - part.shape[-1])) for part in asked[:2]]
    return (grown[0], grown[1], asked.answers), len(vocabulary)


def steps(tasks: tuple[int, ...], size: int) -> tuple[Work, Work]:
    """A hundred training steps of either."""
    torch.manual_seed(0)
    examples, words = ready(tasks)
    longest, slots = examples[0].shape[2], examples[0].shape[1]
    peer = EagerMemory(vocabulary=words, slots=slots, size=size, hops=HOPS, longest=longest)
    look = Attention(Dot(), LeakySoftmax(slots))
    model = MemN2N(ReleasedPositionEncoding(longest), look=look, vocabulary=words, slots=slots,
                   size=size, hops=HOPS)  # fmt: skip
    # An epoch is as many batches as there are examples: of ten batches' worth, spread evenly.
    every = torch.linspace(0, len(examples[2]) - 1, BATCH * STEPS).long()
    drawn = examples[0][every], examples[1][every], examples[2][every]
    stories, draws = Stories.of(*drawn), seeded(0)

    def eagerly() -> list[Tensor]:
        return [learn_eagerly(peer, drawn, RATE) for _ in range(EPOCHS * STEPS)]

    return eagerly, lambda: learn(model, stories, [RATE] * EPOCHS, draws)


def available() -> bool:
    """Whether bAbI is there."""
    return (place().path / "babi").is_dir()


EAGER = "eager, each hop embeds its memory"
OFF = (("REGARD_KERNELS", "off"),)
SIZES = {"task 1, 10 slots": ((1,), 20), "task 3, 50 slots": ((3,), 20), "all tasks": (EVERY, 50)}


def rows() -> list[Comparison]:
    """With the kernel and without, of each size; the paper's memory has 50 slots."""
    made = []
    for name, sizes in SIZES.items():
        for how, target, environment in (("", 30.0, ()), (", no kernel", 2.5, OFF)):
            made.append(
                Comparison(
                    f"MemN2N, {name}{how}",
                    EAGER,
                    lambda sizes=sizes: steps(*sizes),  # type: ignore[misc]
                    target,
                    environment=environment,
                )
            )
    return made


COMPARISONS = rows() if available() else []
