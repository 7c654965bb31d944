"""What is true of a kind and of those that are of it: tasks 15 and 16."""

from random import Random

from regard.tasks.stories.questions import Question
from regard.tasks.stories.telling import Asked, Tale, other
from regard.tasks.stories.wording import Herd, Wording

PLURALS = {"cat": "cats", "mouse": "mice", "sheep": "sheep", "wolf": "wolves"}
NAMES = ("emily", "gertrude", "jessica", "winona")
FEARS_ASKED = 4  # questions of a story of task 15
AMBIGUOUS = 3  # of one kind, the one that is asked about among them: the files have no such story


def afraid_of_what(random: Random, wording: Wording) -> list[Question]:
    """Task 15: what is Gertrude afraid of? What her kind is afraid of.

    Nobody is of a kind before it is told what the kind is afraid of.
    """
    del wording  # the four animals are the whole of its world
    tale = Tale(random)
    animals = tuple(PLURALS)
    fears: dict[str, tuple[str, int]] = {}  # kind -> the kind that it fears, and where it is told
    kinds: dict[str, tuple[str, int]] = {}  # name -> its kind, and where that is told
    while len(fears) < len(animals) or len(kinds) < len(NAMES):
        kind, name = random.choice(animals), random.choice(NAMES)
        if random.random() < 0.5:
            if kind not in fears:
                fears[kind] = other(random, animals, kind), tale.line
                tale.say(f"{PLURALS[kind]} are afraid of {PLURALS[fears[kind][0]]}")
        elif kind in fears and name not in kinds:
            kinds[name] = kind, tale.line
            tale.say(f"{name} is a {kind}")
    for _ in range(FEARS_ASKED):
        name = random.choice(NAMES)
        kind, told = kinds[name]
        feared, why = fears[kind]
        tale.ask(Asked(f"what is {name} afraid of", feared, (told, why)))
    return tale.questions


def which_colour(random: Random, wording: Wording) -> list[Question]:
    """Task 16: what color is Greg? That of another one of his kind.

    Of each it is told of which kind they are and later their colour, all of it mixed; only the
    last colour is asked for. A kind takes another colour whenever one more is said to be of it, so
    that those of one kind need not have one colour; as in the official files the answer is then
    that of the one who was last said to be of the kind.
    """
    while True:
        tale = Tale(random)
        asked = _mix(tale, wording.herd)
        if asked is not None:
            tale.ask(asked)
            return tale.questions


def _mix(tale: Tale, herd: Herd) -> Asked | None:
    random = tale.random
    names = random.sample(herd.names, random.randint(*herd.size))
    kinds = {name: random.choice(herd.kinds) for name in names}
    colours: dict[str, str] = {}  # kind -> the colour that it has now
    shown: dict[str, str] = {}  # name -> its colour
    lines: dict[tuple[str, str], int] = {}
    steps = {name: ["kind", "colour"] for name in names}
    while sum(map(len, steps.values())) > 1:
        who = random.choice([name for name in names if steps[name]])
        fact = steps[who].pop(0)
        if fact == "kind":
            colours[kinds[who]] = random.choice(herd.colours)
        else:
            shown[who] = colours[kinds[who]]
        lines[who, fact] = len(lines)
    asked = next(name for name in names if steps[name])
    same = [name for name in names if name != asked and kinds[name] == kinds[asked]]
    if not same or len(same) + 1 == AMBIGUOUS:
        return None
    like = max(same, key=lambda name: lines[name, "kind"])
    for who, fact in lines:
        needed = fact == "colour" or who in (asked, *same)
        if needed or random.random() >= herd.untold:
            lines[who, fact] = tale.line
            tale.say(f"{who} is a {kinds[who]}" if fact == "kind" else f"{who} is {shown[who]}")
    facts = (lines[asked, "kind"], lines[like, "kind"], lines[like, "colour"])
    return Asked(f"what color is {asked}", shown[like], facts)
