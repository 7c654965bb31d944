"""Why people do what they do: task 20."""

from random import Random

from regard.tasks.stories.questions import Question
from regard.tasks.stories.telling import Asked, Tale
from regard.tasks.stories.wording import PAST, Wording

PEOPLE = ("antoine", "jason", "sumit", "yann")
MOTIVES = {  # how one feels -> where one goes, what one takes there
    "bored": ("garden", "football"),
    "hungry": ("kitchen", "apple"),
    "thirsty": ("kitchen", "milk"),
    "tired": ("bedroom", "pajamas"),
}
FEELS, GOES, TAKES, DONE = range(4)


def why_did_they(random: Random, wording: Wording) -> list[Question]:
    """Task 20: where will they go, and why did they go there and take that? Because of a feeling.

    Each sentence is followed by a question about it. Of each thing there is one: who comes after
    somebody with the same motive takes nothing.
    """
    del wording  # the four motives are the whole of its world
    tale = Tale(random)
    feelings = {person: random.choice(tuple(MOTIVES)) for person in PEOPLE}
    steps = dict.fromkeys(PEOPLE, FEELS)
    lines: dict[str, int] = {}
    taken: set[str] = set()
    while busy := [
        one
        for one in PEOPLE
        if steps[one] < TAKES or (steps[one] == TAKES and feelings[one] not in taken)
    ]:
        who = random.choice(busy)
        feeling = feelings[who]
        place, thing = MOTIVES[feeling]
        if steps[who] == FEELS:
            lines[who] = tale.line
            tale.say(f"{who} is {feeling}")
            asked = Asked(f"where will {who} go", place, (lines[who],))
        elif steps[who] == GOES:
            tale.say(f"{who} {random.choice(PAST.moves)} the {place}")
            asked = Asked(f"why did {who} go to the {place}", feeling, (lines[who],))
        else:
            taken.add(feeling)
            tale.say(f"{who} {random.choice(PAST.gets)} the {thing} there")
            asked = Asked(f"why did {who} get the {thing}", feeling, (lines[who],))
        tale.ask(asked)
        steps[who] += 1
    return tale.questions
