"""What happened when, not told in that order: task 14."""

from random import Random

from regard.tasks.stories.questions import Question
from regard.tasks.stories.telling import QUESTIONS, RECENT, STRIDE, Asked, Tale, displace, other
from regard.tasks.stories.wording import PAST, Wording

TIMES = ("yesterday", "this morning", "this afternoon", "this evening")
PEOPLE = 4  # fewer would run out of times before the questions are asked


def where_was_somebody(random: Random, wording: Wording) -> list[Question]:
    """Task 14: where was Mary before the park? Where she was at the time before.

    People go their ways in the order of time; what happened between two questions is then told in
    another order. Where somebody was in the park twice the last time is meant.
    """
    days = _Days(random, wording)
    while len(days.tale.questions) < QUESTIONS:
        for _ in range(STRIDE):
            days.live()
        if any(when for _, when in days.lived[-RECENT:]):
            days.tell_all()
            days.ask()
    return days.tale.questions


class _Days:
    """Where people went from yesterday until this evening."""

    def __init__(self, random: Random, wording: Wording) -> None:
        self.tale = Tale(random)
        self.random = random
        self.places = wording.places(random, wording.town)
        people = wording.people(random, wording.town, least=PEOPLE)
        self.ways: dict[str, list[str]] = {person: [] for person in people}
        self.lived: list[tuple[str, int]] = []  # who and when, in the order in which it happened
        self.lines: dict[tuple[str, int], int] = {}  # who and when -> the sentence that tells it

    def live(self) -> None:
        """Let somebody go somewhere at their next time."""
        free = [person for person, way in self.ways.items() if len(way) < len(TIMES)]
        who = self.random.choice(free)
        way = self.ways[who]
        self.lived.append((who, len(way)))
        way.append(other(self.random, self.places, *way[-1:]))

    def tell_all(self) -> None:
        """Tell what is not told yet."""
        untold = [each for each in self.lived if each not in self.lines]
        displace(self.random, untold)
        for who, when in untold:
            self.lines[who, when] = self.tale.line
            verb = self.random.choice(PAST.moves)
            text = f"{who} {verb} the {self.ways[who][when]}"
            late = self.random.random() < 0.5
            self.tale.say(f"{text} {TIMES[when]}" if late else f"{TIMES[when]} {text}")

    def ask(self) -> None:
        """Ask about one of the last things that happened, other than yesterday."""
        recent = [(who, when) for who, when in self.lived[-RECENT:] if when]
        who, when = self.random.choice(recent)
        way = self.ways[who]
        place = way[when]
        latest = len(way) - 1 - way[::-1].index(place)
        facts = (self.lines[who, latest], self.lines[who, latest - 1])
        self.tale.ask(Asked(f"where was {who} before the {place}", way[latest - 1], facts))
