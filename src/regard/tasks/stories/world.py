"""People who go about a house, take things, leave them and hand them on."""

from random import Random

from regard.tasks.stories.telling import Clause, Tale, other
from regard.tasks.stories.wording import Cast, Wording

MOVE, GET, DROP, GIVE = "move", "get", "drop", "give"
GOING = (MOVE,)
CARRYING = (MOVE, GET, DROP)
# In the official files people who can hand something on do so 3.5 times as often as they drop it.
HANDING = (MOVE, GET, DROP) * 2 + (GIVE,) * 7
LEFT_THERE = 0.2  # the chance that what is dropped is said to be dropped "there"


class World:
    """Where everybody and everything is; nobody is told where they are at first.

    Each thing that happens is drawn as in the official files: somebody, and something to do, and
    both anew as long as it cannot be done. So those who can do more do more.
    """

    def __init__(
        self,
        tale: Tale,
        wording: Wording,
        cast: Cast,
        acts: tuple[str, ...],
        there: float | None = None,
    ) -> None:
        self.random = random = tale.random
        self.tale = tale
        self.acts = acts
        self.verbs = wording.verbs(random)
        self.there = wording.there if there is None else there
        self.articles = dict(wording.articles)
        self.people = wording.people(random, cast, least=2 if GIVE in acts else 1)
        self.places = wording.places(random, cast)
        self.things = wording.carried(random)
        self.at = {person: random.choice(self.places) for person in self.people}
        self.lying: dict[str, str] = {thing: random.choice(self.places) for thing in self.things}
        self.held: dict[str, str] = {}

    def live(self) -> None:
        """Let somebody do something that can be done, and tell it."""
        while not self._try(self.random.choice(self.people), self.random.choice(self.acts)):
            pass

    def _try(self, who: str, act: str) -> bool:
        if act == MOVE:
            return self._move(who, self.random.choice(self.places))
        if act == GET:
            here = [thing for thing, place in self.lying.items() if place == self.at[who]]
            return bool(here) and self._get(who, self.random.choice(here))
        carried = [thing for thing, holder in self.held.items() if holder == who]
        if not carried:
            return False
        if act == DROP:
            return self._drop(who, self.random.choice(carried))
        near = [one for one in self.people if one != who and self.at[one] == self.at[who]]
        return bool(near) and self._give(who, self.random.choice(carried), self.random.choice(near))

    def _move(self, who: str, place: str) -> bool:
        if self.at[who] == place:
            return False
        self.at[who] = place
        verb = self.random.choice(self.verbs.moves)
        self._tell(f"{who} {verb} the {place}", MOVE, who, place)
        return True

    def _get(self, who: str, thing: str) -> bool:
        del self.lying[thing]
        self.held[thing] = who
        verb = self.random.choice(self.verbs.gets)
        there = " there" * (self.random.random() < self.there)
        article = "the"
        if not there and self.articles:
            article = self.random.choice(("the", self.articles.get(thing, "the")))
        self._tell(f"{who} {verb} {article} {thing}{there}", GET, who, thing)
        return True

    def _drop(self, who: str, thing: str) -> bool:
        del self.held[thing]
        self.lying[thing] = self.at[who]
        verb = self.random.choice(self.verbs.drops)
        there = " there" * (self.random.random() < LEFT_THERE)
        self._tell(f"{who} {verb} the {thing}{there}", DROP, who, thing)
        return True

    def _give(self, who: str, thing: str, to: str) -> bool:
        self.held[thing] = to
        verb = self.random.choice(self.verbs.gives)
        self._tell(f"{who} {verb} the {thing} to {to}", GIVE, who, thing, to)
        return True

    def _tell(self, text: str, act: str, who: str, what: str, to: str = "") -> None:
        self.tale.say(text, Clause(act, who, what, self.tale.line, to))


def elsewhere(random: Random, places: tuple[str, ...], place: str) -> str:
    """A place, the right one half of the time."""
    return place if random.random() < 0.5 else other(random, places, place)
