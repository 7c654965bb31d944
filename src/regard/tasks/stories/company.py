"""People who are spoken of as he, she and they, and who go together: tasks 11, 12 and 13."""

from collections.abc import Iterator
from random import Random

from regard.tasks.stories.questions import Question
from regard.tasks.stories.telling import STRIDE, Asked, Clause, Tale, other
from regard.tasks.stories.wording import PAST, SHE, Wording
from regard.tasks.stories.world import MOVE

LINKS = ("after that", "afterwards", "following that", "then")


def where_did_one_go(random: Random, wording: Wording) -> list[Question]:
    """Task 11: where is Mary? Where she went after that."""
    return _Walk(random, wording, together=1, again=True).converse()


def where_did_two_go(random: Random, wording: Wording) -> list[Question]:
    """Task 12: where is Mary? Where she and John went."""
    return _Walk(random, wording, together=2, again=False).converse()


def where_did_they_go(random: Random, wording: Wording) -> list[Question]:
    """Task 13: where is Mary? Where they went after that, she and John."""
    return _Walk(random, wording, together=2, again=True).converse()


class _Walk:
    """Some go somewhere, or somewhere and then elsewhere; both sentences are facts then.

    Each of those who go together makes a clause: what is asked about is one of the last five.
    """

    def __init__(self, random: Random, wording: Wording, together: int, again: bool) -> None:
        self.tale = Tale(random)
        self.random = random
        self.together = together
        self.again = again
        self.people = wording.people(random, wording.home, least=together)
        self.places = wording.places(random, wording.home)
        self.at = {person: random.choice(self.places) for person in self.people}

    def converse(self) -> list[Question]:
        """All questions of a story, two sentences before each."""
        return self.tale.converse(self.live, self.ask_about, 1 if self.again else STRIDE)

    def live(self) -> None:
        """Let some of them go, and go on."""
        who = self.random.sample(self.people, self.together)
        self.go(" and ".join(who), who)
        if self.again:
            pronoun = "they" if len(who) > 1 else "she" if who[0] in SHE else "he"
            self.go(f"{self.random.choice(LINKS)} {pronoun}", who)

    def go(self, subject: str, who: list[str]) -> None:
        """Let these people go where none of them is."""
        place = other(self.random, self.places, *(self.at[person] for person in who))
        self.at.update(dict.fromkeys(who, place))
        line = self.tale.line
        text = f"{subject} {self.random.choice(PAST.moves)} the {place}"
        self.tale.say(text, *(Clause(MOVE, person, place, line) for person in who))

    def ask_about(self, tale: Tale, clause: Clause) -> Iterator[Asked]:
        """Ask where somebody is."""
        last = tale.last(MOVE, clause.who)
        facts = (last.line - 1, last.line) if self.again else (last.line,)
        yield Asked(f"where is {clause.who}", last.what, facts)
