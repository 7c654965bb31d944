"""Where people and things are, and where they were: tasks 1, 2, 3 and 6."""

from collections.abc import Iterator
from functools import partial
from random import Random

from regard.tasks.stories.questions import Question
from regard.tasks.stories.telling import Asked, Clause, Tale
from regard.tasks.stories.wording import Wording
from regard.tasks.stories.world import CARRYING, DROP, GET, GOING, MOVE, World, elsewhere

TAKEN_THERE = 0.2  # the chance of "there" in task 3; in the other tasks it is certain


def where_is_somebody(random: Random, wording: Wording) -> list[Question]:
    """Task 1: where is Mary? Where she went last."""
    world = World(Tale(random), wording, wording.home, GOING)
    return world.tale.converse(world.live, _ask_where_one_is)


def where_is_something(random: Random, wording: Wording) -> list[Question]:
    """Task 2: where is the apple? Where who has it went since, or was on dropping it."""
    world = World(Tale(random), wording, wording.home, CARRYING)
    return world.tale.converse(world.live, _ask_where_it_is)


def where_was_something(random: Random, wording: Wording) -> list[Question]:
    """Task 3: where was the apple before the kitchen? Where who carries it was before.

    Only where the same person carried it to both places, since it was last taken; and before the
    last time, where it was carried to the kitchen twice.
    """
    world = World(Tale(random), wording, wording.home, CARRYING, there=TAKEN_THERE)
    return world.tale.converse(world.live, _ask_where_it_was)


def is_somebody_there(random: Random, wording: Wording) -> list[Question]:
    """Task 6: is Mary in the kitchen? Yes half of the time."""
    world = World(Tale(random), wording, wording.home, CARRYING)
    return world.tale.converse(world.live, partial(_ask_whether, world.places))


def _ask_where_one_is(tale: Tale, clause: Clause) -> Iterator[Asked]:
    moved = tale.last(MOVE, clause.who)
    yield Asked(f"where is {clause.who}", moved.what, (moved.line,))


def _ask_where_it_is(tale: Tale, clause: Clause) -> Iterator[Asked]:
    if clause.act == MOVE:
        return
    last = _handled(tale, clause.what)[-1]
    lines = slice(last.line, None) if last.act == GET else slice(last.line)
    for move in _moves(tale, last.who, lines)[-1:]:
        yield Asked(f"where is the {clause.what}", move.what, (last.line, move.line))


def _ask_where_it_was(tale: Tale, clause: Clause) -> Iterator[Asked]:
    if clause.act == MOVE:
        return
    handled = _handled(tale, clause.what)
    last = handled[-1]
    taken = [each for each in handled if each.act == GET][-1]
    until = last.line if last.act == DROP else tale.line
    moves = _moves(tale, last.who, slice(taken.line, until))
    places = [move.what for move in moves]
    for place in places:
        latest = len(places) - 1 - places[::-1].index(place)
        if latest:
            before, at = moves[latest - 1], moves[latest]
            facts = (last.line, at.line, before.line)
            yield Asked(f"where was the {clause.what} before the {place}", before.what, facts)


def _ask_whether(places: tuple[str, ...], tale: Tale, clause: Clause) -> Iterator[Asked]:
    if clause.act == MOVE:
        moved = tale.last(MOVE, clause.who)
        place = elsewhere(tale.random, places, moved.what)
        answer = "yes" if place == moved.what else "no"
        yield Asked(f"is {clause.who} in the {place}", answer, (moved.line,))


def _handled(tale: Tale, thing: str) -> list[Clause]:
    """All that was done with a thing."""
    return [each for each in tale.clauses if each.act != MOVE and each.what == thing]


def _moves(tale: Tale, who: str, lines: slice) -> list[Clause]:
    """Where somebody went, in this part of the tale; each sentence of it is one clause."""
    return [each for each in tale.clauses[lines] if each.act == MOVE and each.who == who]
