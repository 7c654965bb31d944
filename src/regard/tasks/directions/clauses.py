"""The rules of whole clauses: what is asked, wished or told.

Korean puts the verb and its ending last, English puts what they say first: the ending decides
between "let's go", "I would like to go" and "how do I get". Verbs and endings combine freely, so
that each word of a clause has its own part in the English: in 걸어가고 싶어요, "I would like to
walk", the verb comes from the first word and all the rest from the second.
"""

from regard.tasks.directions.names import table
from regard.tasks.directions.nouns import PEOPLE
from regard.tasks.directions.phrases import Rule
from regard.tasks.directions.rules import REGIONS

# Going somewhere: everything that may stand around the verb.
BEFORE = "{time} {companion} {source} {via} {means} {goal} {manner}"
AFTER = "{manner} {source} {goal} {via} {means} {companion} {time}"
GOING = (("", "go went"), ("돌아", "return returned"), ("걸어", "walk walked"), ("뛰어", "run ran"))
ON_FOOT = ("걸어", "뛰어")  # by no other means

TELLING = (
    ("가자", "let's_VERB=가자 REST"),
    ("갑시다", "let_us_VERB=갑시다 REST"),
    ("가세요", "please_VERB=가세요 REST"),
    ("가", "VERB=가 REST"),
    ("갈게요", "I_will_VERB=갈게요 REST"),
    ("갔어요", "I_PAST=갔어요 REST"),
    ("가고 싶어", "I_want_to=싶어 VERB=가고 REST"),
    ("가고 싶어요", "I_would_like_to=싶어요 VERB=가고 REST"),
    ("가고 싶었어요", "I_wanted_to=싶었어요 VERB=가고 REST"),
    ("가야 해요", "I_have_to=해요 VERB=가야 REST"),
    ("가야 했어요", "I_had_to=했어요 VERB=가야 REST"),
    ("가 주세요", "kindly=주세요 VERB=가 REST"),
    ("가지 마세요", "please_do_not=마세요 VERB=가지 REST"),
    ("가지 말자", "let's_not=말자 VERB=가지 REST"),
    ("못 가요", "I_cannot=못 VERB=가요 REST"),
    ("안 가요", "I_do_not=안 VERB=가요 REST"),
    ("자주 가요", "I_often=자주 VERB=가요 REST"),
)
ASKING = (
    ("갈까요 ?", "shall_we_VERB=갈까요 REST ?=?"),
    ("갈래요 ?", "will_you_VERB=갈래요 REST ?=?"),
    ("가도 돼요 ?", "may_I=돼요 VERB=가도 REST ?=?"),
    ("가도 될까요 ?", "could_I=될까요 VERB=가도 REST ?=?"),
    ("어떻게 가요 ?", "how_do_I=어떻게 VERB=가요 REST ?=?"),
    ("언제 가요 ?", "when_do_we=언제 VERB=가요 REST ?=?"),
    ("왜 가요 ?", "why_do_you=왜 VERB=가요 REST ?=?"),
)


def conjugated(prefix: str, english: str, korean: str, told: str) -> Rule:
    """The rule of one verb of going with one ending: 걸어 and 가고 싶어 make 걸어가고 싶어."""
    verb, past = english.split()
    if "어떻게" in korean and verb == "go":
        verb = "get"  # how do I get there
    form = next(word for word in korean.split() if word[0] in "가갈갑갔")
    korean = korean.replace(form, prefix + form)
    told = told.replace(f"={form}", f"={prefix}{form}")
    told = told.replace("VERB", verb).replace("PAST", past).replace("REST", AFTER)
    unwanted = "{means} " if prefix in ON_FOOT else "no slot"
    return Rule(f"{BEFORE} {korean}".replace(unwanted, ""), told.replace(unwanted, ""))


TELLING_TO_GO, ASKING_TO_GO = (
    tuple(conjugated(*verb, *ending) for verb in GOING for ending in endings)
    for endings in (TELLING, ASKING)
)

# Requests: what is done for somebody, plainly or very politely.
OBJECTS = PEOPLE + table("저 me\n우리 us")
PLEASE = (("주세요", "please=주세요 REST"), ("주시겠어요 ?", "could_you=주시겠어요 REST ?=?"))


def requests(before: str, *stems: tuple[str, str]) -> tuple[Rule, ...]:
    """Each stem, with its English, with each way to ask for it."""
    return tuple(
        Rule(f"{before} {stem} {korean}", english.replace("REST", told))
        for stem, told in stems
        for korean, english in PLEASE
    )


RIDING = requests(
    BEFORE.replace("{companion}", "{object} ~을/를"),
    ("데려다", "bring=데려다 {object} " + AFTER.replace("{companion} ", "")),
    ("안내해", "guide=안내해 {object} " + AFTER.replace("{companion} ", "")),
)
SHOWING = requests(
    "{object} ~에게 지도 에서 {place} ~을/를",
    ("보여", "show=보여 {object} {place} on=에서 the_map=지도"),
    ("찾아", "find=찾아 {object} {place} on=에서 the_map=지도"),
)
THINGS = table("길 the way\n버스 the bus\n기차 the train\n지름길 the short cut")
TEACHING = requests(
    "{object} ~에게 {goal} ~가는 {thing} ~을/를",
    ("알려", "tell=알려 {object} {thing} {goal}"),
    ("가르쳐", "teach=가르쳐 {object} {thing} {goal}"),
)

# From one place to another: how long, how far.
MEASURING = tuple(
    Rule(
        f"{{source}} {{until}} {{means}} {asked} {verb} ?",
        f"{question} {tense}_it_take={verb} {{source}} {{until}} {{means}} ?=?",
    )
    for asked, question in (
        ("얼마나", "how_long=얼마나"),
        ("몇 분", "how_many=몇 minutes=분"),
        ("몇 시간", "how_many=몇 hours=시간"),
    )
    for verb, tense in (("걸려요", "does"), ("걸렸어요", "did"), ("걸릴까요", "will"))
)
FAR = tuple(
    Rule(f"{{source}} {{until}} {korean} ?", f"{english}={korean} {{source}} {{until}} ?=?")
    for korean, english in (("멀어요", "is_it_far"), ("가까워요", "is_it_close"))
)

# One place.
SUBJECTS = table("저 I\n우리 we\n친구들 my friends\n부모님 my parents\n아이들 the children")
STAYING = tuple(
    Rule(
        f"{{subject}} ~은/는 {{place}} 에 {korean}",
        f"{{subject}} {english}={korean} at=에 {{place}}",
    )
    for korean, english in (("살아요", "live"), ("머물러요", "stay"), ("도착했어요", "arrived"))
)
PLACING = (
    *(
        Rule(f"{{place}} ~은/는 어디 {korean} ?", f"where=어디 {english}={korean} {{place}} ?=?")
        for korean, english in (("있어요", "is"), ("있었어요", "was"))
    ),
    *(
        Rule(f"{{place}} ~을/를 {verb} {korean}", f"{english}={korean} {doing}={verb} {{place}}")
        for verb, doing in (("찾고", "looking_for"), ("구경하고", "visiting"))
        for korean, english in (("있어요", "I_am"), ("있었어요", "I_was"))
    ),
    *(
        Rule(
            f"{{place}} ~에 가려면 {asked} {verb} ?",
            f"{question}_do_I={asked} {english}={verb} to_reach=가려면 {{place}} ?=?",
        )
        for asked, question in (("어디서", "where"), ("언제", "when"))
        for verb, english in (("내려요", "get_off"), ("갈아타요", "transfer"), ("돌아요", "turn"))
    ),
)

# Meeting at a place, or on one side of it.
AT = Rule("{place} 에서", "at {place}")
BESIDE = tuple(
    Rule(f"{{place}} {korean} ~에서", f"{english} {{place}}") for korean, english in REGIONS
)
MEETING = tuple(
    Rule(
        f"{{time}} {{companion}} {{spot}} {korean}",
        english.replace("VERB", verb).replace("REST", "{spot} {companion} {time}"),
    )
    for verb, together, politely, promise, question, wish in (
        ("meet", "만나자", "만납시다", "만날게요", "만날까요", "만나고"),
        ("wait", "기다리자", "기다립시다", "기다릴게요", "기다릴까요", "기다리고"),
        ("rest", "쉬자", "쉽시다", "쉴게요", "쉴까요", "쉬고"),
        ("play", "놀자", "놉시다", "놀게요", "놀까요", "놀고"),
        ("study", "공부하자", "공부합시다", "공부할게요", "공부할까요", "공부하고"),
    )
    for korean, english in (
        (together, f"let's_VERB={together} REST"),
        (politely, f"let_us_VERB={politely} REST"),
        (promise, f"I_will_VERB={promise} REST"),
        (f"{question} ?", f"shall_we_VERB={question} REST ?=?"),
        (f"{wish} 싶어", f"I_want_to=싶어 VERB={wish} REST"),
        (f"{wish} 싶어요", f"I_would_like_to=싶어요 VERB={wish} REST"),
    )
)
STOPPING = requests(
    "{time} {object} ~을/를 {spot}", ("내려", "drop=내려 {object} off=내려 {spot} {time}")
) + requests("{time} {spot}", ("세워", "stop=세워 {spot} {time}"))
