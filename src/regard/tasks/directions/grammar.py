"""From a random number generator and a wished length to a sentence in both languages."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TypeVar

from regard.tasks.directions import clauses, names, nouns, rules
from regard.tasks.directions.phrases import EMPTY, Phrase, Rule

Item = TypeVar("Item")
Maker = Callable[[int], Phrase]


class Speaker:
    """Says sentences by the rules; each choice is drawn from one generator of random numbers.

    ``room`` is how many Korean words a phrase may take, as a guide: what has more room grows.
    """

    def __init__(self, random: Random) -> None:
        self.random = random

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items, each as likely."""
        return items[self.random.randrange(len(items))]

    def chance(self, share: float) -> bool:
        """Yes in this share of the cases."""
        return self.random.random() < share

    def bare(self) -> Phrase:
        """A place by itself: a name, or a noun with a word before it."""
        kind = self.random.random()
        if kind < 0.5:
            return self.pick(names.NAMED)
        return self.noun(nouns.COMMON) if kind < 0.95 else rules.HOUSE(person=self.person())

    def noun(self, choices: Sequence[Phrase]) -> Phrase:
        """A common noun, plain, described or determined."""
        noun, kind = self.pick(choices), self.random.random()
        if kind < 0.5:
            return rules.PLAIN(noun=noun)
        if kind < 0.8:
            return rules.DESCRIBED(adjective=self.pick(nouns.ADJECTIVES), noun=noun)
        return self.pick(rules.DETERMINED)(noun=noun)

    def head(self) -> Phrase:
        """A place such as is found beside another one."""
        return (
            self.pick(names.BRANDS + names.BANKS) if self.chance(0.3) else self.noun(nouns.COMMON)
        )

    def place(self, room: int) -> Phrase:
        """A place, seen from other places while there is room."""
        phrase = self.exit() if room > 2 and self.chance(0.1) else self.bare()
        if room > 5 and self.chance(0.2):
            phrase = rules.BETWEEN(first=self.bare(), second=self.bare(), head=self.head())
        while len(phrase.korean) + 2 <= room and self.chance(0.75):
            kind = self.random.random()
            if kind < 0.2:
                phrase = self.pick(rules.PARTS)(whole=phrase)
            elif kind < 0.3:
                floor = self.pick(nouns.FLOORS)
                phrase = rules.ON_FLOOR(anchor=phrase, floor=floor, head=self.head())
            else:
                phrase = self.pick(rules.RELATIONS)(anchor=phrase, head=self.head())
        return phrase

    def shop(self, room: int) -> Phrase:
        """A place where something is sold."""
        if room < 4:
            return self.selling()
        anchor = self.place(room - 3)
        return self.pick(rules.RELATIONS)(anchor=anchor, head=self.selling())

    def selling(self) -> Phrase:
        """A shop by itself."""
        return self.pick(names.BRANDS) if self.chance(0.4) else self.noun(nouns.SHOPS)

    def exit(self) -> Phrase:
        """One exit of a station."""
        return rules.EXIT(station=self.pick(names.STATIONS), number=self.pick(nouns.EXITS))

    def person(self) -> Phrase:
        """Somebody of the speaker's own."""
        return self.pick(nouns.PEOPLE)

    def time(self, room: int) -> Phrase:
        """A moment, a day, an hour, or an hour of a day."""
        kind = self.random.random()
        if kind < 0.2:
            return self.pick(rules.DAYS + rules.MOMENTS + rules.FIXED_TIMES)
        if kind < 0.5:
            return self.clock()
        if kind < 0.7:
            return self.pick(rules.WEEKDAY)(weekday=self.pick(nouns.WEEKDAYS))
        half = self.chance(0.5)
        day = self.pick(rules.DAYS) if half else self.part_of_day()
        if room < 4:
            return day
        clock = self.clock()
        return rules.ON_DAY(
            day=day,
            clock=rules.IN_HALF(half=self.pick(rules.HALVES), clock=clock) if half else clock,
        )

    def part_of_day(self) -> Phrase:
        """This evening, tomorrow morning."""
        rule = rules.TOMORROW_PART if self.chance(0.6) else rules.TODAY_PART
        return rule(part=self.pick(rules.DAY_PARTS))

    def clock(self) -> Phrase:
        """An hour, to the half or to a few minutes."""
        hour = self.pick(nouns.HOURS)
        if self.chance(0.25):
            return rules.PAST_CLOCK(hour=hour, minutes=self.pick(nouns.MINUTES))
        return self.pick(rules.CLOCKS)(hour=hour)

    def source(self, room: int) -> Phrase:
        """Where the way begins."""
        place = self.pick(rules.HERE) if self.chance(0.1) else self.place(room - 1)
        return rules.SOURCE(place=place)

    def goal(self, room: int) -> Phrase:
        """Where the way leads."""
        rule = rules.GOALS[0] if self.chance(0.6) else self.pick(rules.GOALS)
        return rule(place=self.place(room - 1))

    def via(self, room: int) -> Phrase:
        """What lies on the way."""
        kind = self.random.random()
        if kind < 0.25:
            return rules.ACROSS(bridge=self.pick(names.BRIDGES))
        if kind < 0.5 and room > 4:
            return rules.VIA_BOTH(first=self.bare(), second=self.bare())
        return self.pick(rules.VIAS)(place=self.place(room - 2))

    def means(self, room: int) -> Phrase:
        """How one travels."""
        kind = self.random.random()
        if kind < 0.2:
            return self.pick(rules.MEANS)
        if kind < 0.4:
            return rules.BY_LINE(line=self.pick(nouns.LINES))
        if kind < 0.55:
            return rules.BY_BUS(number=self.pick(nouns.BUSES))
        return rules.BY(vehicle=self.pick(nouns.VEHICLES))

    def companion(self, room: int) -> Phrase:
        """With whom one travels."""
        return rules.WITH(person=self.person())

    def manner(self, room: int) -> Phrase:
        """In which way one goes."""
        return self.pick(rules.MANNERS)

    def spot(self, room: int) -> Phrase:
        """Where one meets: at a place, or on one side of it."""
        rule = clauses.AT if self.chance(0.6) else self.pick(clauses.BESIDE)
        return rule(place=self.place(room - 2))

    def ride(self) -> Phrase:
        """What one gets on."""
        if self.chance(0.5):
            return rules.PLAIN(noun=self.pick(nouns.VEHICLES))
        return self.pick(nouns.LINES)

    def optional(self, room: int, makers: Mapping[str, Maker]) -> dict[str, Phrase]:
        """Some of the optional parts of a clause, as the room allows; the others are empty."""
        parts = dict.fromkeys(makers, EMPTY)
        for name in self.random.sample(sorted(makers), len(makers)):
            if room > 2 and self.chance(0.5):
                parts[name] = makers[name](self.random.randint(2, min(room, 6)))
                room -= len(parts[name].korean)
        return parts

    def going(self, choices: Sequence[Rule], room: int) -> Phrase:
        """A clause about going somewhere, or being brought there."""
        rule = self.pick(choices)
        makers = {
            "time": self.time,
            "companion": self.companion,
            "source": self.source,
            "via": self.via,
            "means": self.means,
            "manner": self.manner,
        }
        fitting = {name: make for name, make in makers.items() if f"{{{name}}}" in rule.korean}
        parts = self.optional(room - 4, fitting)
        if "{object}" in rule.korean:
            parts["object"] = self.pick(clauses.OBJECTS)
        left = room - 2 - sum(len(part.korean) for part in parts.values())
        return rule(goal=self.goal(left), **parts)

    def meeting(self, room: int) -> Phrase:
        """A clause about doing something somewhere, or stopping there."""
        parts = self.optional(room - 4, {"time": self.time, "companion": self.companion})
        left = room - 1 - sum(len(part.korean) for part in parts.values())
        if not parts["companion"].korean and self.chance(0.2):
            whom, spot = self.pick(clauses.OBJECTS), self.spot(left - 2)
            return self.pick(clauses.STOPPING)(spot=spot, time=parts["time"], object=whom)
        return self.pick(clauses.MEETING)(spot=self.spot(left), **parts)

    def measuring(self, room: int) -> Phrase:
        """A question about the way between two places."""
        parts = self.optional(room - 4, {"source": self.source, "means": self.means})
        left = room - 4 - sum(len(part.korean) for part in parts.values())
        until = rules.UNTIL(place=self.place(left))
        if self.chance(0.2):
            return self.pick(clauses.FAR)(source=parts["source"], until=until)
        return self.pick(clauses.MEASURING)(until=until, **parts)

    def about_a_place(self, room: int) -> Phrase:
        """A question, a request or a statement about one place, or about the way to it."""
        kind, place = self.random.random(), self.place(room - 4)
        whom = self.pick(clauses.OBJECTS)
        if kind < 0.25:
            goal, thing = rules.GOALS[0](place=place), self.pick(clauses.THINGS)
            return self.pick(clauses.TEACHING)(object=whom, goal=goal, thing=thing)
        if kind < 0.4:
            return self.pick(clauses.SHOWING)(object=whom, place=place)
        if kind < 0.6:
            return self.pick(clauses.STAYING)(subject=self.pick(clauses.SUBJECTS), place=place)
        return self.pick(clauses.PLACING)(place=place)

    def reason(self) -> Callable[[Phrase], Phrase]:
        """What is said of the rest of a sentence: because of rain, of pain, of a lack."""
        rule, table = self.pick(
            (
                (rules.BECAUSE_OF_WEATHER, rules.WEATHERS),
                (rules.BECAUSE_OF_PAIN, rules.PAINS),
                (rules.BECAUSE_OF_LACK, rules.LACKS),
            )
        )
        what = self.pick(table)
        return lambda rest: rule(what=what, rest=rest)
