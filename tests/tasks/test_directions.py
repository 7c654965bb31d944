"""Korean directions: what holds for every sentence that the grammar makes."""

import random
from itertools import cycle, islice, pairwise

import pytest

from regard.tasks import Vocabulary, directions
from regard.tasks.directions import LECTURE, clauses, generate, names, nouns, rules, split, steps
from regard.tasks.directions.hangul import final_consonant, particle
from regard.tasks.directions.phrases import EMPTY, Rule, word
from regard.tasks.directions.sentences import sentence

PAIRS = generate(4_001, seed=5)


def find(name, table):
    return next(phrase for phrase in table if phrase.korean == (name,))


def text(words):
    return " ".join(words)


def test_the_grammar_makes_the_lectures_sentence_with_its_alignment():
    near, to, let_us_go = rules.RELATIONS[0], rules.GOALS[0], clauses.TELLING_TO_GO[0]
    starbucks = near(anchor=find("서울역", names.NAMED), head=find("스타벅스", names.BRANDS))
    optional = ("time", "companion", "source", "via", "means", "manner")
    phrase = let_us_go(goal=to(place=starbucks), **dict.fromkeys(optional, EMPTY))
    assert text(phrase.korean) == "서울역 근처 스타벅스 로 가자" == text(LECTURE.source)
    assert text(phrase.english) == "let's go to Starbucks near Seoul station"
    assert text(LECTURE.target) == "Let's go to Starbucks near Seoul station"
    assert phrase.links == LECTURE.alignment


def test_places_nest_to_the_left_in_korean_and_to_the_right_in_english():
    def the(name):
        return rules.PLAIN(noun=find(name, nouns.COMMON))

    behind = next(rule for rule in rules.RELATIONS if "뒤" in rule.korean)
    beside = next(rule for rule in rules.RELATIONS if "옆" in rule.korean)
    bank = behind(anchor=find("시청", names.NAMED), head=the("은행"))
    cafe = beside(anchor=bank, head=the("카페"))
    assert text(cafe.korean) == "시청 뒤 은행 옆 카페"
    assert text(cafe.english) == "the cafe next to the bank behind City Hall"
    # the cafe / next to / the bank / behind / City Hall
    origins = [4, 4, 3, 3, 2, 2, 1, 0, 0]
    assert cafe.links == set(enumerate(origins))


def test_every_english_word_comes_from_exactly_one_korean_word():
    for pair in PAIRS:
        assert sorted(to for to, _ in pair.alignment) == list(range(len(pair.target)))
        assert all(0 <= origin < len(pair.source) for _, origin in pair.alignment)


def test_every_korean_word_makes_an_english_word_appear_or_is_declared_silent():
    draw = random.Random(3)
    for _ in range(1_009):
        phrase = sentence(draw, room=draw.randint(3, 31))
        speaking = {origin for _, origin in phrase.links}
        assert speaking | phrase.silent == set(range(len(phrase.korean)))
        assert not speaking & phrase.silent


def test_a_rule_with_an_undeclared_word_is_refused():
    with pytest.raises(ValueError, match="make an English one appear or be marked ~silent"):
        Rule("{place} 은/는 어디 에 있어요", "where=어디 is=있어요 {place}")
    with pytest.raises(ValueError, match="each slot and each Korean word must appear once"):
        Rule("{place} 로 {way}", "to {place}")
    with pytest.raises(ValueError, match="each slot and each Korean word must appear once"):
        Rule("{place} 로", "to=으로 {place}")


def test_the_particle_fits_the_word_before_it():
    # 역 ends in ㄱ, 카페 in a vowel, 호텔 in ㄹ, after which 으 is dropped, too
    assert [particle("(으)로", place) for place in ("역", "카페", "호텔")] == ["으로", "로", "로"]
    assert [particle("과/와", place) for place in ("역", "카페", "호텔")] == ["과", "와", "과"]
    assert [final_consonant(syllable) for syllable in "가각힣"] == [0, 1, 27]
    with pytest.raises(ValueError, match="ends in a Hangul syllable, but the word is 'COEX'"):
        particle("을/를", "COEX")


@pytest.mark.parametrize(
    ("after_consonant", "after_vowel"), [("으로", "로"), ("을", "를"), ("은", "는"), ("과", "와")]
)
def test_every_particle_of_every_sentence_is_the_right_one(after_consonant, after_vowel):
    found = set()
    for pair in PAIRS:
        for before, form in pairwise(pair.source):
            if form not in (after_consonant, after_vowel):
                continue
            final = (ord(before[-1]) - 0xAC00) % 28
            closed = final != 0 and not (after_vowel == "로" and final == 8)
            assert form == (after_consonant if closed else after_vowel), pair.source
            found.add(form)
    assert found == {after_consonant, after_vowel}


def test_one_sentence_has_one_translation_and_the_other_way_round():
    assert len({pair.source for pair in PAIRS}) == len({pair[:2] for pair in PAIRS})
    assert len({pair.target for pair in PAIRS}) == len({pair[:2] for pair in PAIRS})


def test_one_sentence_has_one_translation_where_few_words_make_every_ambiguity_show(monkeypatch):
    tables = [
        (module, name)
        for module in (names, nouns, rules)
        for name, value in vars(module).items()
        if isinstance(value, tuple) and name not in ("REGIONS", "HERE")
    ]
    for module, name in tables:
        monkeypatch.setattr(module, name, getattr(module, name)[:2])
    monkeypatch.setattr(names, "NAMED", names.STATIONS)
    monkeypatch.setattr(nouns, "COMMON", nouns.SHOPS)
    draw = random.Random(11)
    phrases = {sentence(draw, room=draw.randint(3, 13))[:3] for _ in range(6_007)}
    assert len(phrases) > 2_000
    assert len({korean for korean, _, _ in phrases}) == len(phrases)
    assert len({english for _, english, _ in phrases}) == len(phrases)


def alternatives():
    for module in (rules, clauses, steps):
        for name, value in vars(module).items():
            if isinstance(value, tuple) and value and isinstance(value[0], Rule):
                yield pytest.param(value, id=name)


@pytest.mark.parametrize("choices", list(alternatives()))
def test_rules_that_stand_for_each_other_differ_in_both_languages(choices):
    assert len({tuple(rule.korean) for rule in choices}) == len(choices)
    said = {tuple(words or owner for words, owner in rule.english) for rule in choices}
    assert len(said) == len(choices)


def test_each_language_has_several_hundred_words():
    for side in (0, 1):
        assert 400 < len(Vocabulary.build(pair[side] for pair in PAIRS)) < 700


def test_the_grammar_knows_its_own_words_and_says_nearly_all_of_them_soon():
    said = {word for pair in PAIRS for word in pair.source}
    assert said <= directions.known_words()
    assert len(directions.known_words() - said) < 7  # the others take more sentences


def test_no_two_places_share_a_name():
    for table in (names.NAMED + nouns.COMMON + names.BRIDGES, nouns.ADJECTIVES, nouns.PEOPLE):
        for side in ("korean", "english"):
            assert len({getattr(phrase, side) for phrase in table}) == len(table)


def test_lengths_go_from_a_few_words_to_more_than_forty():
    lengths = sorted(len(pair.source) for pair in PAIRS)
    assert lengths[0] == 3
    assert 6 < lengths[len(lengths) // 2] < 12
    assert sum(length > 40 for length in lengths) > 40


@pytest.mark.parametrize(("shortest", "longest"), [(None, 3), (None, 17), (31, None), (23, 29)])
def test_lengths_stay_within_what_was_asked_for(shortest, longest):
    lengths = [len(pair.source) for pair in generate(101, 2, longest=longest, shortest=shortest)]
    assert len(lengths) == 101
    assert all((shortest or 0) <= length <= (longest or 1_000) for length in lengths)


@pytest.mark.parametrize(("shortest", "longest"), [(None, 2), (11, 7), (0, 7)])
def test_impossible_lengths_are_refused(shortest, longest):
    with pytest.raises(ValueError, match=r"shortest=(None|11|0)"):
        generate(1, 0, longest=longest, shortest=shortest)


def test_the_same_seed_gives_the_same_pairs_and_another_seed_others():
    assert generate(13, seed=5) == PAIRS[:13]
    assert generate(13, seed=6) != PAIRS[:13]
    for elsewhere in (0, 1):
        random.seed(elsewhere)  # nobody else's numbers are used
        assert list(islice(directions.endless(5), 13)) == PAIRS[:13]


def test_the_three_sets_share_no_sentence_and_none_has_the_lectures():
    sets = split(1_009, 103, 211, seed=3, longest=5)
    assert [len(pairs) for pairs in sets] == [1_009, 103, 211]
    for side in (0, 1):
        sentences = [pair[side] for pairs in sets for pair in pairs]
        assert len(set(sentences)) == len(sentences)
        assert LECTURE[side] not in sentences


def test_the_lectures_sentence_is_left_out_when_it_comes_up(monkeypatch):
    stream = iter([PAIRS[0], LECTURE, *PAIRS[1:7]])
    monkeypatch.setattr(directions.generating, "endless", lambda *_: stream)
    sets = split(2, 2, 2, seed=0)
    assert LECTURE not in [pair for pairs in sets for pair in pairs]


def test_more_training_leaves_validation_and_test_as_they_were():
    small, large = split(11, 5, 7, seed=3), split(101, 5, 7, seed=3)
    assert small[1:] == large[1:]
    assert small.train == large.train[:11]


def test_training_by_longer_sentences_leaves_validation_and_test_as_they_were():
    usual, longer = (split(300, 50, 70, seed=3, longest=24, usual=words) for words in (8, 40))
    assert usual[1:] == longer[1:]
    words = [sum(len(pair.source) for pair in each.train) / 300 for each in (usual, longer)]
    assert words[1] > words[0] + 3
    told = {pair.source for pair in (*longer.valid, *longer.test)}
    assert told.isdisjoint(pair.source for pair in longer.train)


def test_a_split_that_cannot_be_filled_says_so(monkeypatch):
    monkeypatch.setattr(directions.generating, "endless", lambda *_: cycle(PAIRS[:5]))
    with pytest.raises(ValueError, match=r"no new sentence came up after 6 .* ask for fewer pairs"):
        split(7, 0, 0, seed=0)


def test_a_sentence_begins_with_a_capital_letter():
    assert all(pair.target[0][0].isupper() for pair in PAIRS)


@pytest.mark.parametrize("seed", [2, 3])
def test_text_without_spaces_falls_into_the_words_that_it_was_made_of(seed):
    pairs = generate(211, seed, longest=11)
    words = [directions.to_words(" ".join(pair.source)) for pair in pairs]
    assert words == [pair.source for pair in pairs]


def test_typed_text_is_split_as_the_grammar_does():
    typed = "서울역 근처 스타벅스로 가자."
    assert directions.to_words(typed) == LECTURE.source
    assert directions.to_words("저는 평양에 있어요") == ("저", "는", "평양에", "있어요")


def test_a_word_stands_for_all_its_english_words():
    assert word("서울역", "Seoul station").links == {(0, 0), (1, 0)}
