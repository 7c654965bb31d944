"""Who has what and from whom: tasks 5, 7 and 8."""

from collections.abc import Iterator
from random import Random

from regard.tasks.stories.questions import Question
from regard.tasks.stories.telling import Asked, Clause, Tale
from regard.tasks.stories.wording import Wording
from regard.tasks.stories.world import CARRYING, GET, GIVE, HANDING, MOVE, World

NUMBERS = ("none", "one", "two", "three")


def who_gave_what(random: Random, wording: Wording) -> list[Question]:
    """Task 5: who gave what to whom. The last time that the thing changed hands.

    Asked by giver and taker alone it is their last exchange. (In the official files it is now and
    then, 20 of 3,358 times, an earlier one.)
    """
    world = World(Tale(random), wording, wording.givers, HANDING)
    return world.tale.converse(world.live, _ask_about_gift)


def how_many_things(random: Random, wording: Wording) -> list[Question]:
    """Task 7: how many objects is Mary carrying? All that she took and gave away says it."""
    world = World(Tale(random), wording, wording.home, HANDING)
    return world.tale.converse(world.live, _ask_how_many)


def which_things(random: Random, wording: Wording) -> list[Question]:
    """Task 8: what is Mary carrying? Her things in the order in which she first took each."""
    world = World(Tale(random), wording, wording.home, CARRYING)
    return world.tale.converse(world.live, _ask_which)


def _ask_about_gift(tale: Tale, clause: Clause) -> Iterator[Asked]:
    if clause.act != GIVE:
        return
    gifts = [each for each in tale.clauses if each.act == GIVE]
    gift = [each for each in gifts if each.what == clause.what][-1]
    giver, thing, taker = gift.who, gift.what, gift.to
    between = [each for each in gifts if (each.who, each.to) == (giver, taker)][-1]
    what = Asked(f"what did {giver} give to {taker}", between.what, (between.line,))
    yield from (what, what)  # twice as often as each of the others
    for text, answer in (
        (f"who gave the {thing}", giver),
        (f"who received the {thing}", taker),
        (f"who gave the {thing} to {taker}", giver),
        (f"who did {giver} give the {thing} to", taker),
    ):
        yield Asked(text, answer, (gift.line,))


def _ask_how_many(tale: Tale, clause: Clause) -> Iterator[Asked]:
    if clause.act != MOVE:
        dealings = _dealings(tale, clause.who)
        count = NUMBERS[len(_carried(dealings, clause.who))]
        facts = tuple(each.line for each in dealings)
        yield Asked(f"how many objects is {clause.who} carrying", count, facts)


def _ask_which(tale: Tale, clause: Clause) -> Iterator[Asked]:
    if clause.act != MOVE:
        dealings = _dealings(tale, clause.who)
        carried = _carried(dealings, clause.who)
        order = list(dict.fromkeys(each.what for each in dealings))
        answer = ",".join(thing for thing in order if thing in carried) or "nothing"
        facts = tuple(each.line for thing in order for each in dealings if each.what == thing)
        yield Asked(f"what is {clause.who} carrying", answer, facts)


def _dealings(tale: Tale, who: str) -> list[Clause]:
    """All that changed what somebody has."""
    return [each for each in tale.clauses if each.act != MOVE and who in (each.who, each.to)]


def _carried(dealings: list[Clause], who: str) -> set[str]:
    """What somebody has, as far as it was told."""
    carried: set[str] = set()
    for each in dealings:
        if each.act == GET or each.to == who:
            carried.add(each.what)
        else:
            carried.discard(each.what)
    return carried
