"""Where people are said to be, not to be, or perhaps to be: tasks 9 and 10."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from random import Random

from regard.tasks.stories.questions import Question
from regard.tasks.stories.telling import Asked, Clause, Tale, other
from regard.tasks.stories.wording import Cast, Wording
from regard.tasks.stories.world import elsewhere

THERE, NOT_THERE, EITHER = "there", "not there", "either"
DENIALS = ("is no longer in", "is not in")


def is_somebody_not_there(random: Random, wording: Wording) -> list[Question]:
    """Task 9: is Mary in the kitchen? No, if she is said to be no longer there.

    One time in four a person is said not to be in the place that they have just left, and then
    only that place is asked about: of all others nobody could know.
    """
    rumour = _Denied(Tale(random), wording, wording.home)
    return rumour.tale.converse(rumour.live, rumour.ask_about)


def is_somebody_perhaps_there(random: Random, wording: Wording) -> list[Question]:
    """Task 10: is Mary in the kitchen? Maybe, if she is said to be there or in the park.

    The other place is any of the six: in the official files, too, people are "either in the park
    or the park" one time in six, and then "maybe" in the park.
    """
    rumour = _Open(Tale(random), wording, wording.town)
    return rumour.tale.converse(rumour.live, rumour.ask_about)


class _Rumour(ABC):
    """People who go from place to place, and what is said about it."""

    def __init__(self, tale: Tale, wording: Wording, cast: Cast) -> None:
        self.tale = tale
        self.random = random = tale.random
        self.people = wording.people(random, cast)
        self.places = wording.places(random, cast)
        self.moves = wording.verbs(random).moves
        self.at = {person: random.choice(self.places) for person in self.people}

    def live(self) -> None:
        """Somebody goes somewhere: told as it is, or by where they are, or not as plainly."""
        who = self.random.choice(self.people)
        left = self.at[who]
        self.at[who] = place = other(self.random, self.places, left)
        draw = self.random.random()
        if draw < 0.25:
            self.obscure(who, left, place)
            return
        verb = "is in" if draw < 0.5 else self.random.choice(self.moves)
        self.tale.say(f"{who} {verb} the {place}", Clause(THERE, who, place, self.tale.line))

    def ask_about(self, tale: Tale, clause: Clause) -> Iterator[Asked]:
        """Ask about the last that was said of somebody."""
        known = next(each for each in reversed(tale.clauses) if each.who == clause.who)
        place = known.what
        if known.act != NOT_THERE:
            place = elsewhere(self.random, self.places, place)
        agreed = {THERE: "yes", NOT_THERE: "no", EITHER: "maybe"}[known.act]
        answer = agreed if place in (known.what, known.to) else "no"
        yield Asked(f"is {clause.who} in the {place}", answer, (known.line,))

    @abstractmethod
    def obscure(self, who: str, left: str, place: str) -> None:
        """Tell it less plainly: where somebody was and is."""


class _Denied(_Rumour):
    """Somebody is said to be no longer where they were."""

    def obscure(self, who: str, left: str, place: str) -> None:
        del place
        said = self.random.choice(DENIALS)
        self.tale.say(f"{who} {said} the {left}", Clause(NOT_THERE, who, left, self.tale.line))


class _Open(_Rumour):
    """Somebody is said to be in one of two places."""

    def obscure(self, who: str, left: str, place: str) -> None:
        del left
        or_else = self.random.choice(self.places)
        first, second = self.random.sample((place, or_else), 2)
        text = f"{who} is either in the {first} or the {second}"
        self.tale.say(text, Clause(EITHER, who, place, self.tale.line, or_else))
