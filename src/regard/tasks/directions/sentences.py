"""Whole sentences: one clause, or steps on the way and a clause, with what stands around them."""

from random import Random

from regard.tasks.directions import clauses, names, nouns, rules, steps
from regard.tasks.directions.grammar import Speaker
from regard.tasks.directions.phrases import Phrase, Rule

LONG = 13  # a sentence with more room than this gets steps on the way


def sentence(random: Random, room: int) -> Phrase:
    """A sentence of about ``room`` Korean words, the English capitalised."""
    speaker = Speaker(random)
    call = random.choice(rules.CALLS) if room > 6 and speaker.chance(0.12) else None
    reason = speaker.reason() if room > 8 and speaker.chance(0.12) else None
    thanks = random.choice(rules.THANKS) if room > 6 and speaker.chance(0.08) else None
    room -= 2 * (call is not None) + 4 * (reason is not None) + 2 * (thanks is not None)
    long = room > LONG or (room > 8 and speaker.chance(0.2))
    phrase = walk(speaker, room) if long else clause(speaker, room)
    if reason is not None:
        phrase = reason(phrase)
    if call is not None:
        phrase = rules.CALLING(call=call, rest=phrase)
    if thanks is not None and phrase.korean[-1] != "?":
        phrase = rules.THANKING(rest=phrase, thanks=thanks)
    first = phrase.english[0]
    return phrase._replace(english=(first[:1].upper() + first[1:], *phrase.english[1:]))


def clause(speaker: Speaker, room: int) -> Phrase:
    """One clause by itself."""
    kind = speaker.random.random()
    if kind < 0.35:
        return speaker.going(clauses.TELLING_TO_GO, room)
    if kind < 0.5:
        return speaker.going(clauses.ASKING_TO_GO, room)
    if kind < 0.6:
        return speaker.going(clauses.RIDING, room)
    if kind < 0.75:
        return speaker.meeting(room)
    return speaker.measuring(room) if kind < 0.83 else speaker.about_a_place(room)


def walk(speaker: Speaker, room: int) -> Phrase:
    """Steps on the way, and a last step or what is wanted in the end."""
    phrases = [step(speaker, steps.PASSING)]
    while sum(len(phrase.korean) + 1 for phrase in phrases) + 9 < room:
        phrases.append(step(speaker, steps.PASSING))
    left = room - sum(len(phrase.korean) + 1 for phrase in phrases)
    wanted = speaker.chance(0.4)
    last = speaker.going(clauses.TELLING_TO_GO, left) if wanted else step(speaker, steps.FINAL)
    phrase = (speaker.pick(steps.LINKS[1:]) if wanted else speaker.pick(steps.LINKS))(
        step=phrases.pop(), next=last
    )
    for earlier in reversed(phrases):
        phrase = speaker.pick(steps.LINKS[:3])(step=earlier, next=phrase)
    return steps.FIRST(rest=phrase) if speaker.chance(0.3) else phrase


def step(speaker: Speaker, choices: tuple[Rule, ...]) -> Phrase:
    """One step, all its slots filled."""
    rule = speaker.pick(choices)
    room = speaker.random.choice((1, 1, 3, 4, 6))
    slots = [token[1:-1] for token in rule.korean if token.startswith("{")]
    return rule(**{slot: fill(speaker, slot, room) for slot in slots})


def fill(speaker: Speaker, slot: str, room: int) -> Phrase:
    """A phrase for one slot of a step."""
    if slot == "place":
        return speaker.place(room)
    if slot == "shop":
        return speaker.shop(room)
    if slot == "exit":
        return speaker.exit()
    return speaker.ride() if slot == "ride" else speaker.pick(CHOICES[slot])


CHOICES = {
    "crossing": nouns.CROSSINGS + names.BRIDGES,
    "road": names.ROADS,
    "minutes": nouns.MINUTES,
    "floor": nouns.FLOORS,
    "stop": names.STATIONS,
    "line": nouns.LINES,
    "goods": nouns.GOODS,
    "food": nouns.FOODS,
    "drink": nouns.DRINKS,
    "person": nouns.PEOPLE,
    "helper": nouns.HELPERS,
}
