"""Stories without end, of all twenty kinds, in the words and by the habits of bAbI.

The official files were made by a simulation that was never published; how often what happens in
them, and what is asked when, was counted in the files and is written down beside each kind. The
same seed gives the same stories on every machine.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

from regard.tasks.stories.belongings import how_many_things, which_things, who_gave_what
from regard.tasks.stories.company import where_did_one_go, where_did_they_go, where_did_two_go
from regard.tasks.stories.hearsay import is_somebody_not_there, is_somebody_perhaps_there
from regard.tasks.stories.kinds import afraid_of_what, which_colour
from regard.tasks.stories.motives import why_did_they
from regard.tasks.stories.naming import story_task
from regard.tasks.stories.questions import Question
from regard.tasks.stories.sizes import does_it_fit
from regard.tasks.stories.space import is_it_beside, what_lies_there, which_way
from regard.tasks.stories.times import where_was_somebody
from regard.tasks.stories.whereabouts import (
    is_somebody_there,
    where_is_somebody,
    where_is_something,
    where_was_something,
)
from regard.tasks.stories.wording import BABI, Wording

Teller = Callable[[Random, Wording], list[Question]]  # one story, all its questions

TELLERS: dict[int, Teller] = {
    1: where_is_somebody,
    2: where_is_something,
    3: where_was_something,
    4: what_lies_there,
    5: who_gave_what,
    6: is_somebody_there,
    7: how_many_things,
    8: which_things,
    9: is_somebody_not_there,
    10: is_somebody_perhaps_there,
    11: where_did_one_go,
    12: where_did_two_go,
    13: where_did_they_go,
    14: where_was_somebody,
    15: afraid_of_what,
    16: which_colour,
    17: is_it_beside,
    18: does_it_fit,
    19: which_way,
    20: why_did_they,
}


def tell_stories(task: int, count: int, seed: int, wording: Wording = BABI) -> list[Question]:
    """So many questions over stories of one of the twenty tasks; the last story may be cut short.

    More questions of one seed begin with the same ones. ``wording`` is ``BABI`` for the words of
    the official files, or ``WIDER`` for more of them.
    """
    if count < 0:
        raise ValueError(f"count is a number of questions, 0 or more, but count={count}")
    return list(islice(endless_stories(task, seed, wording), count))


def endless_stories(task: int, seed: int, wording: Wording = BABI) -> Iterator[Question]:
    """Questions over stories of one of the twenty tasks, story after story."""
    number = story_task(task).number
    random = Random(f"story {number} {seed}")  # of a text: no two tasks share their draws
    while True:
        yield from TELLERS[number](random, wording)
