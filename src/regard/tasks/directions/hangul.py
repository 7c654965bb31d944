"""The last sound of a Korean word, and the particle that fits behind it.

>>> particle("(으)로", "역"), particle("(으)로", "카페"), particle("(으)로", "호텔")
('으로', '로', '로')
>>> particle("을/를", "역"), particle("을/를", "카페")
('을', '를')
"""

FIRST, LAST = "가", "힣"  # Unicode orders syllables by first consonant, vowel, final consonant
FINALS = 28  # 27 final consonants, and none
RIEUL = 8  # ㄹ among them: 로, which drops its 으 after a vowel, drops it here, too

# As written in grammars: the form after a final consonant, the form after a vowel.
PARTICLES = {
    "(으)로": ("으로", "로"),
    "은/는": ("은", "는"),
    "이/가": ("이", "가"),
    "을/를": ("을", "를"),
    "과/와": ("과", "와"),
}


def final_consonant(word: str) -> int:
    """The number of the last syllable's final consonant, 1 to 27; 0 where it ends in a vowel."""
    if not word or not FIRST <= word[-1] <= LAST:
        raise ValueError(
            f"a particle follows a word that ends in a Hangul syllable, but the word is {word!r}"
        )
    return (ord(word[-1]) - ord(FIRST)) % FINALS


def particle(name: str, word: str) -> str:
    """Choose the form of a particle that fits behind ``word``."""
    after_consonant, after_vowel = PARTICLES[name]
    final = final_consonant(word)
    if final == 0 or (name == "(으)로" and final == RIEUL):
        return after_vowel
    return after_consonant
