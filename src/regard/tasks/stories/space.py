"""What lies where from what, and the way from one to the other: tasks 4, 17 and 19."""

from random import Random
from typing import NamedTuple

from regard.tasks.stories.questions import Question
from regard.tasks.stories.telling import Asked, Tale, other
from regard.tasks.stories.wording import Wording

TWO_THIRDS = 2 / 3
WAYS = {"east": (1, 0), "north": (0, 1), "south": (0, -1), "west": (-1, 0)}
SIDES = {
    "above": (0, 1),
    "below": (0, -1),
    "to the left of": (-1, 0),
    "to the right of": (1, 0),
}
SHAPES = (
    "blue square",
    "pink rectangle",
    "red sphere",
    "red square",
    "triangle",
    "yellow square",
)
SHAPES_ASKED = 8  # questions of a story of task 17


class Told(NamedTuple):
    """A sentence: the first is on this side of the second."""

    first: str
    side: str
    second: str


def opposite(side: str, sides: dict[str, tuple[int, int]]) -> str:
    """The side that the second has from the first."""
    east, north = sides[side]
    return next(name for name in sides if sides[name] == (-east, -north))


def turned(told: Told, sides: dict[str, tuple[int, int]]) -> Told:
    """The same, said the other way round."""
    return Told(told.second, opposite(told.side, sides), told.first)


def what_lies_there(random: Random, wording: Wording) -> list[Question]:
    """Task 4: what is north of the kitchen, what is the kitchen south of? What a sentence says.

    Three places in a row. The middle one comes second in a sentence two times in three.
    """
    tale = Tale(random)
    north, middle, south = random.sample(wording.places(random, wording.home), 3)
    side = random.choice(tuple(WAYS))
    facts = [Told(north, side, middle), Told(south, opposite(side, WAYS), middle)]
    facts = [told if random.random() < TWO_THIRDS else turned(told, WAYS) for told in facts]
    for told in facts:
        tale.say(f"the {told.first} is {told.side} of the {told.second}")
    line = random.randrange(2)
    told = facts[line]
    text = random.choice(
        (
            f"what is {told.side} of the {told.second}",
            f"what is the {told.second} {opposite(told.side, WAYS)} of",
        )
    )
    tale.ask(Asked(text, told.first, (line,)))
    return tale.questions


def is_it_beside(random: Random, wording: Wording) -> list[Question]:
    """Task 17: is the sphere above the square? Two shapes beside a third, yes and no by halves.

    What is on neither side, because it is straight above or below, is on neither side: no. The
    third comes first in a sentence two times in three.
    """
    del wording  # the six shapes are the whole of its world
    tale = Tale(random)
    middle, *ends = random.sample(SHAPES, 3)
    sides = random.sample(tuple(SIDES), 2)
    facts = [Told(middle, side, end) for side, end in zip(sides, ends, strict=True)]
    facts = [told if random.random() < TWO_THIRDS else turned(told, SIDES) for told in facts]
    for told in facts:
        tale.say(f"the {told.first} is {told.side} the {told.second}")
    # From the middle an end lies opposite to the side that the middle has from it.
    at = [SIDES[opposite(side, SIDES)] for side in sides]
    questions: dict[bool, list[Asked]] = {True: [], False: []}
    for first, second in ((0, 1), (1, 0)):
        apart = [mine - yours for mine, yours in zip(at[first], at[second], strict=True)]
        for side, way in SIDES.items():
            true = sum(step * far for step, far in zip(way, apart, strict=True)) > 0
            text = f"is the {ends[first]} {side} the {ends[second]}"
            questions[true].append(Asked(text, "yes" if true else "no", (first, second)))
    for _ in range(SHAPES_ASKED):
        tale.ask(random.choice(questions[random.random() < 0.5]))
    return tale.questions


def which_way(random: Random, wording: Wording) -> list[Question]:
    """Task 19: how do you go from the kitchen to the garden? Two steps, such as "s,e".

    The other three places lie beside those of the way, each on a free side of one of them. The
    sentences are in any order; in the official files those of the way are rather late.
    """
    tale = Tale(random)
    start, middle, end, *others = random.sample(wording.places(random, wording.home), 6)
    first = random.choice(tuple(WAYS))
    second = other(random, WAYS, opposite(first, WAYS))
    taken = {
        (start, first),
        (middle, opposite(first, WAYS)),
        (middle, second),
        (end, opposite(second, WAYS)),
    }
    free = [
        (place, side)
        for place in (start, middle, end)
        for side in WAYS
        if (place, side) not in taken
    ]
    way = [Told(middle, first, start), Told(end, second, middle)]
    beside = [
        Told(place, side, host)
        for place, (host, side) in zip(others, random.sample(free, 3), strict=True)
    ]
    facts = [told if random.random() < 0.5 else turned(told, WAYS) for told in (*way, *beside)]
    order = random.sample(range(len(facts)), len(facts))
    for number in order:
        told = facts[number]
        tale.say(f"the {told.first} is {told.side} of the {told.second}")
    text = f"how do you go from the {start} to the {end}"
    tale.ask(Asked(text, f"{first[0]},{second[0]}", (order.index(0), order.index(1))))
    return tale.questions
