"""What is bigger and what fits into what: task 18."""

from collections.abc import Iterator
from random import Random

from regard.tasks.stories.questions import Question
from regard.tasks.stories.telling import QUESTIONS, RECENT, Asked, Tale
from regard.tasks.stories.wording import Wording

SMALL = ("chocolate", "box of chocolates")  # always the smallest, in this order
LARGE = ("box", "chest", "container", "suitcase")  # in any order


def does_it_fit(random: Random, wording: Wording) -> list[Question]:
    """Task 18: does the chocolate fit in the chest? By way of a third thing, in two facts.

    The first fact is any of the last five sentences and about the thing that is asked to be
    bigger; the second is the first sentence that goes on from it. So yes and no are as likely.
    """
    del wording  # the six things are the whole of its world
    tale = Tale(random)
    by_size = (*SMALL, *random.sample(LARGE, len(LARGE)))
    told: list[tuple[str, str]] = []  # the bigger and the smaller of each sentence
    options: list[Asked] = []
    while not options:
        for _ in range(RECENT):
            small, big = (by_size[rank] for rank in sorted(random.sample(range(len(by_size)), 2)))
            told.append((big, small))
            fits = f"the {small} fits inside the {big}"
            tale.say(random.choice((fits, f"the {big} is bigger than the {small}")))
        options = list(_options(told))
    for _ in range(QUESTIONS):
        tale.ask(random.choice(options))
    return tale.questions


def _options(told: list[tuple[str, str]]) -> Iterator[Asked]:
    bigger = [big for big, _ in told]
    smaller = [small for _, small in told]
    for line, (big, small) in list(enumerate(told))[-RECENT:]:
        if small in bigger:
            fact = bigger.index(small)
            yield from _ask(big, smaller[fact], "yes", (line, fact))
        if big in smaller:
            fact = smaller.index(big)
            yield from _ask(small, bigger[fact], "no", (line, fact))


def _ask(bigger: str, smaller: str, answer: str, facts: tuple[int, int]) -> Iterator[Asked]:
    """Both ways of asking whether one is bigger than the other."""
    yield Asked(f"does the {smaller} fit in the {bigger}", answer, facts)
    yield Asked(f"is the {bigger} bigger than the {smaller}", answer, facts)
