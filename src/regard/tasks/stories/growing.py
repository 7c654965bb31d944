"""Stories that grow harder, for a question that nobody begins to learn from whole stories.

Task 16 takes three facts: of which kind is Greg, who else is of it, and which colour has that one?
None of the three is of use without the others, and a network that passes over whole stories stays
where it was, or learns them by heart. Of few animals, each with its colour told right behind its
kind, two looks are enough, and soon found; the third is found as colours move away from kinds.
"""

from itertools import islice, pairwise
from random import Random

from regard.tasks.stories.generating import endless_stories
from regard.tasks.stories.questions import Question
from regard.tasks.stories.wording import BABI, Wording

GROWING = (16,)
COMPANY = ((0.06, 1), (0.1, 2))  # up to this share of the stories, so many others are told of
# How many are out of order after which share of the stories. The third look is found where half of
# them are, and wants time: of 200,000 stories with all out of order from 0.6 on, it was not found.
MIXED = ((0.12, 0.0), (0.2, 0.5), (0.6, 0.5), (0.8, 1.0))


def growing_stories(task: int, count: int, seed: int, wording: Wording = BABI) -> list[Question]:
    """So many questions over made-up stories, the first ones short and in order.

    At the end they are those of ``tell_stories``. Task 16 alone is told so.
    """
    check_growing(task)
    random = Random(f"growing {task} {seed}")
    whole = islice(endless_stories(task, seed, wording), count)
    return [_eased(question, place / count, random) for place, question in enumerate(whole)]


def check_growing(task: int) -> None:
    """Raise where a task has no stories that grow harder."""
    if task not in GROWING:
        told = ", ".join(map(str, GROWING))
        raise ValueError(f"stories that grow harder are told of task {told} alone, not of {task}")


def _eased(question: Question, done: float, random: Random) -> Question:
    """The question as it is told where so much of the beginning is done."""
    company = next((others for share, others in COMPANY if done < share), None)
    return simplified(question, company, tidy=random.random() >= mixed(done))


def mixed(done: float) -> float:
    """The share of stories that are told out of order where so much of the beginning is done.

    >>> [round(mixed(done), 2) for done in (0.1, 0.16, 0.4, 0.7, 0.9)]
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    for (start, low), (end, high) in pairwise(((0.0, 0.0), *MIXED, (1.0, 1.0))):
        if done < end:
            return low + (high - low) * (done - start) / (end - start)
    return 1.0


def simplified(question: Question, company: int | None, *, tidy: bool) -> Question:
    """A question of task 16 with so many others at most beside the two that it is about.

    Those of other kinds stay first. Where it is ``tidy``, each one's colour follows its kind.
    """
    asked, like = (question.story[fact][0] for fact in question.supporting[:2])
    kinds = {each[0]: each[-1] for each in question.story if len(each) > 3}  # Greg is a swan
    others = [name for name in kinds if name not in (asked, like)]
    others.sort(key=lambda name: kinds[name] == kinds[asked])
    kept = {asked, like, *others[:company]}
    story = [sentence for sentence in question.story if sentence[0] in kept]
    if tidy:
        places = {name: place for place, name in enumerate(kinds)}
        story.sort(key=lambda sentence: places[sentence[0]])  # of each, the kind is told first
    facts = (question.story[fact] for fact in question.supporting)
    return question._replace(
        story=tuple(story), supporting=tuple(story.index(fact) for fact in facts)
    )
