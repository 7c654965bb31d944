"""The words that stories are told in: bAbI's own, and more of them.

``BABI`` has the people, places, things and turns of phrase of the official files, and nothing
else: who learns from such stories knows every word of those files. ``WIDER`` has all of them and
more people, places and things, stories of one person up to four, the present tense of "Sam walks
into the kitchen. Sam picks up an apple." and short stories about colours, such as "Brian is a
lion. Julius is a lion. Julius is white. Bernhard is green." (both of Sukhbaatar et al. 2015,
section 4).
"""

from dataclasses import dataclass
from random import Random
from typing import NamedTuple


class Verbs(NamedTuple):
    """Ways of saying each of the four things that people do."""

    moves: tuple[str, ...]
    gets: tuple[str, ...]
    drops: tuple[str, ...]
    gives: tuple[str, ...]


class Cast(NamedTuple):
    """People who live in a story, and the places that it has."""

    people: tuple[str, ...]
    places: tuple[str, ...]


class Herd(NamedTuple):
    """Those that are of a kind and of a colour.

    ``size`` is the least and the most of them in a story, and ``untold`` the chance that nobody
    says of which kind one is that is not asked about.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    colours: tuple[str, ...]
    size: tuple[int, int]
    untold: float


PAST = Verbs(
    moves=("went to", "went back to", "moved to", "journeyed to", "travelled to"),
    gets=("picked up", "got", "took", "grabbed"),
    drops=("dropped", "left", "discarded", "put down"),
    gives=("gave", "handed", "passed"),
)
PRESENT = Verbs(
    moves=("walks into", "goes to", "moves to", "travels to"),
    gets=("picks up", "gets", "takes", "grabs"),
    drops=("drops", "leaves", "discards", "puts down"),
    gives=("gives", "hands", "passes"),
)
HE = ("daniel", "john", "bill", "fred", "jeff", "sam", "david")
SHE = ("mary", "sandra", "julie", "anna", "susan")


@dataclass(frozen=True)
class Wording:
    """What stories may be about and how they are told."""

    home: Cast  # of most tasks
    givers: Cast  # where things are handed on
    town: Cast  # where nothing is sure, or told in the order of time
    crowd: tuple[int, int]  # the least and the most people in a story
    things: tuple[str, ...]
    tenses: tuple[Verbs, ...]
    there: float  # the chance that what is taken is said to be taken "there"
    articles: tuple[tuple[str, str], ...]  # what stands before a thing when it is first seen
    herd: Herd

    def people(self, random: Random, cast: Cast, least: int = 1) -> tuple[str, ...]:
        """The people of one story, at least so many."""
        low, high = self.crowd
        return tuple(random.sample(cast.people, random.randint(max(low, least), high)))

    def places(self, random: Random, cast: Cast) -> tuple[str, ...]:
        """The six places of one story."""
        return tuple(random.sample(cast.places, 6))

    def carried(self, random: Random) -> tuple[str, ...]:
        """The three things of one story."""
        return tuple(random.sample(self.things, 3))

    def verbs(self, random: Random) -> Verbs:
        """The tense of one story."""
        return random.choice(self.tenses)


ROOMS = ("bathroom", "bedroom", "garden", "hallway", "kitchen", "office")
TOWN = ("bedroom", "cinema", "kitchen", "office", "park", "school")

BABI = Wording(
    home=Cast(("daniel", "john", "mary", "sandra"), ROOMS),
    givers=Cast(("bill", "fred", "jeff", "mary"), ROOMS),
    town=Cast(("bill", "fred", "julie", "mary"), TOWN),
    crowd=(4, 4),
    things=("apple", "football", "milk"),
    tenses=(PAST,),
    there=1.0,
    articles=(),
    herd=Herd(
        names=("bernhard", "brian", "greg", "julius", "lily"),
        kinds=("frog", "lion", "rhino", "swan"),
        colours=("gray", "green", "white", "yellow"),
        size=(5, 5),
        untold=0.0,
    ),
)

_EVERYWHERE = Cast((*HE, *SHE), (*ROOMS, "cinema", "park", "school", "den", "library"))

WIDER = Wording(
    home=_EVERYWHERE,
    givers=_EVERYWHERE,
    town=_EVERYWHERE,
    crowd=(1, 4),
    things=("apple", "football", "milk", "book", "orange"),
    tenses=(PAST, PRESENT),
    there=0.5,
    articles=(("apple", "an"), ("football", "a"), ("book", "a"), ("orange", "an")),
    herd=Herd(
        names=(*BABI.herd.names, "sam", "anna"),
        kinds=(*BABI.herd.kinds, "bear"),
        colours=(*BABI.herd.colours, "brown"),
        size=(2, 5),
        untold=0.25,
    ),
)
WORDINGS = {"babi": BABI, "wider": WIDER}
