"""The rules of the steps on the way, and of how a step leads to the next."""

from regard.tasks.directions.phrases import Rule

# The words before the verb, the verb between steps and at the end, the English.
STEPS = (
    ("{place} 에서 왼쪽 ~으로", "돌고 도세요", "turn=VERB left=왼쪽 at=에서 {place}"),
    ("{place} 에서 오른쪽 ~으로", "돌고 도세요", "turn=VERB right=오른쪽 at=에서 {place}"),
    ("{place} 까지 똑바로", "가고 가세요", "go=VERB straight=똑바로 as_far_as=까지 {place}"),
    ("{place} 까지", "걸어가고 걸어가세요", "walk=VERB as_far_as=까지 {place}"),
    ("{place} ~을/를", "지나고 지나세요", "go_past=VERB {place}"),
    ("{place} ~에", "들어가고 들어가세요", "enter=VERB {place}"),
    ("{place} ~을/를", "보고 보세요", "look_at=VERB {place}"),
    ("{place} 에서 잠깐", "쉬고 쉬세요", "rest=VERB for_a_while=잠깐 at=에서 {place}"),
    ("{place} 에서 사진 ~을", "찍고 찍으세요", "take=VERB photos=사진 at=에서 {place}"),
    ("{crossing} ~을/를", "건너고 건너세요", "cross=VERB {crossing}"),
    ("{road} ~을/를 따라", "가고 가세요", "go=VERB along=따라 {road}"),
    ("{minutes} 분 동안", "걷고 걸으세요", "walk=VERB for=동안 {minutes} minutes=분"),
    ("{floor} 까지", "올라가고 올라가세요",
     "go_up=VERB to=까지 the={floor} {floor} floor={floor}"),
    ("{floor} 까지", "내려가고 내려가세요",
     "go_down=VERB to=까지 the={floor} {floor} floor={floor}"),
    ("{stop} 에서", "내리고 내리세요", "get_off=VERB at=에서 {stop}"),
    ("{stop} 에서 {ride} ~을/를", "타고 타세요", "take=VERB {ride} at=에서 {stop}"),
    ("{stop} 에서 {line} (으)로", "갈아타고 갈아타세요",
     "transfer=VERB to=(으)로 {line} at=에서 {stop}"),
    ("{exit} 로", "나가고 나가세요", "leave=VERB by=로 {exit}"),
    ("{shop} 에서 {goods} ~을/를", "사고 사세요", "buy=VERB {goods} at=에서 {shop}"),
    ("{shop} 에서 {food} ~을/를", "먹고 드세요", "eat=VERB {food} at=에서 {shop}"),
    ("{shop} 에서 {drink} ~을/를", "마시고 마시세요", "drink=VERB {drink} at=에서 {shop}"),
    ("{place} 에서 {person} ~을/를", "만나고 만나세요", "meet=VERB {person} at=에서 {place}"),
    ("{place} 에서 {person} 을/를", "기다리고 기다리세요",
     "wait=VERB for=을/를 {person} at=에서 {place}"),
    ("{helper} ~에게 길 ~을", "물어보고 물어보세요", "ask=VERB {helper} the_way=길"),
)  # fmt: skip
PASSING, FINAL = (
    tuple(
        Rule(f"{before} {verbs.split()[form]}", english.replace("VERB", verbs.split()[form]))
        for before, verbs, english in STEPS
    )
    for form in (0, 1)
)

LINKS = (
    Rule("{step} , {next}", "{step} ,=, {next}"),
    Rule("{step} , 그리고 {next}", "{step} ,=, and=그리고 {next}"),
    Rule("{step} , 그다음 {next}", "{step} ,=, then=그다음 {next}"),
    Rule("{step} , 끝으로 {next}", "{step} ,=, finally=끝으로 {next}"),
)
FIRST = Rule("먼저 {rest}", "first {rest}")
