"""The rules of places, times and adjuncts: Korean order on the left, English on the right.

Korean branches to the left and English to the right, so a chain of places comes out reversed:
시청 뒤 은행 옆 카페 is "the cafe next to the bank behind City Hall". Function words belong to the
word that makes them appear: "the" to the noun (most names have none), a preposition to its
particle or noun of relation, "let's" and "I" to the ending of the verb that says them. Particles
that English does not show (은/는, 이/가, 을/를) are silent.

No sentence has two readings: only the innermost place of a chain may lie between two others, and
those two, like the places of a list, are bare.
"""

from regard.tasks.directions.names import table
from regard.tasks.directions.phrases import Rule

# A noun with what may stand before it.
PLAIN = Rule("{noun}", "the={noun} {noun}")
DESCRIBED = Rule("{adjective} {noun}", "the={noun} {adjective} {noun}")
DETERMINED = (
    Rule("이 {noun}", "this {noun}"),
    Rule("저 {noun}", "that {noun}"),
    Rule("우리 {noun}", "our {noun}"),
    Rule("아무 {noun}", "any {noun}"),
    Rule("다른 {noun}", "another {noun}"),
    Rule("가까운 {noun}", "a nearby {noun}"),
)
EXIT = Rule("{station} {number} 출구", "exit {number} of {station}")
HOUSE = Rule("{person} 집", "the house of {person}")

# A place seen from another one.
REGIONS = (
    ("근처", "near"),
    ("옆", "next to"),
    ("앞", "in front of"),
    ("뒤", "behind"),
    ("건너편", "across from"),
    ("맞은편", "opposite"),
    ("안", "inside"),
    ("밖", "outside"),
    ("주변", "around"),
    ("북쪽", "north of"),
    ("남쪽", "south of"),
    ("동쪽", "east of"),
    ("서쪽", "west of"),
    ("지하", "in the basement of"),
)
RELATIONS = tuple(
    Rule(f"{{anchor}} {korean} {{head}}", f"{{head}} {english} {{anchor}}")
    for korean, english in REGIONS
)
ON_FLOOR = Rule(
    "{anchor} {floor} {head}", "{head} on_the={floor} {floor} floor_of={floor} {anchor}"
)
BETWEEN = Rule(
    "{first} 과/와 {second} 사이 {head}", "{head} between=사이 {first} and=과/와 {second}"
)
PARTS = tuple(
    Rule(f"{{whole}} {korean}", f"the {english} of {{whole}}")
    for korean, english in (
        ("정문", "main gate"),
        ("후문", "back gate"),
        ("입구", "entrance"),
        ("매표소", "ticket office"),
        ("주차장", "car park"),
        ("옥상", "roof"),
        ("로비", "lobby"),
    )
)

# Adjuncts of going.
HERE = table("여기 here\n거기 there")
SOURCE = Rule("{place} 에서", "from {place}")
GOALS = (
    Rule("{place} (으)로", "to {place}"),
    Rule("{place} 까지", "as far as {place}"),
    Rule("{place} ~을/를 향해", "towards {place}"),
)
UNTIL = Rule("{place} 까지", "to {place}")  # where the question is how long, how far, how much
VIAS = (
    Rule("{place} ~을/를 거쳐서", "via {place}"),
    Rule("{place} ~을/를 지나서", "past {place}"),
)
VIA_BOTH = Rule("{first} 과/와 {second} ~을/를 거쳐서", "via=거쳐서 {first} and=과/와 {second}")
ACROSS = Rule("{bridge} ~을/를 건너서", "across {bridge}")
BY = Rule("{vehicle} (으)로", "by {vehicle}")
BY_LINE = Rule("지하철 {line} (으)로", "by=(으)로 subway=지하철 {line}")
BY_BUS = Rule("{number} 버스 로", "by=로 bus=버스 {number}")
MEANS = table("걸어서 on foot\n뛰어서 at a run")
WITH = Rule("{person} 과/와", "with {person}")
MANNERS = table("빨리 quickly\n천천히 slowly\n조심히 carefully\n바로 directly\n조용히 quietly")

# Times.
DAYS = table("오늘 today\n내일 tomorrow\n모레 the day after tomorrow")
MOMENTS = table("지금 now\n이따가 a little later\n곧 soon")
DAY_PARTS = table("아침 morning\n저녁 evening")
HALVES = table("오전 in the morning\n오후 in the afternoon")
CLOCKS = (
    Rule("{hour} 시 에", "at=에 {hour} o'clock=시"),
    Rule("{hour} ~시 반 에", "at=에 half_past=반 {hour}"),
)
PAST_CLOCK = Rule("{hour} 시 {minutes} ~분 에", "at=에 {minutes} past=시 {hour}")
IN_HALF = Rule("{half} {clock}", "{clock} {half}")
ON_DAY = Rule("{day} {clock}", "{clock} {day}")
TOMORROW_PART = Rule("내일 {part}", "tomorrow {part}")
TODAY_PART = Rule("오늘 {part}", "this {part}")
WEEKDAY = (
    Rule("{weekday} 에", "on {weekday}"),
    Rule("다음 주 {weekday} 에", "on=에 {weekday} next=다음 week=주"),
    Rule("매주 {weekday} ~에", "every {weekday}"),
)
FIXED_TIMES = tuple(
    rule()
    for rule in (
        Rule("~오늘 밤 ~에", "tonight"),
        Rule("이번 주말 ~에", "this=이번 weekend=주말"),
        Rule("다음 주말 ~에", "next=다음 weekend=주말"),
        Rule("다음 달 ~에", "next=다음 month=달"),
        Rule("점심 시간 에", "at=에 lunch=점심 time=시간"),
    )
)

# What may stand before and after the sentence proper.
CALLS = table("""
실례합니다 excuse me
안녕하세요 hello
저기요 hey
기사님 driver
아저씨 sir
아주머니 madam
여보 darling
얘들아 children
여러분 everybody
민수야 Minsu
지영아 Jiyeong
현우야 Hyeonu
수빈아 Subin
""")
CALLING = Rule("{call} , {rest}", "{call} ,=, {rest}")
WEATHERS = table("비 raining\n눈 snowing")
PAINS = table("다리 my leg\n배 my stomach\n머리 my head\n발 my foot")
LACKS = table("시간 time\n돈 money\n자리 room")
BECAUSE_OF_WEATHER = Rule("{what} ~이/가 와서 , {rest}", "it_is=와서 {what} ,=, so=와서 {rest}")
BECAUSE_OF_PAIN = Rule("{what} ~이/가 아파서 , {rest}", "{what} hurts=아파서 ,=, so=아파서 {rest}")
BECAUSE_OF_LACK = Rule(
    "{what} ~이/가 없어서 , {rest}", "there_is_no=없어서 {what} ,=, so=없어서 {rest}"
)
THANKS = table("감사합니다 thank you\n고마워요 thanks")
THANKING = Rule("{rest} , {thanks}", "{rest} ,=, {thanks}")
