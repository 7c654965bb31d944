"""Korean directions and their English, made on the spot, with the true alignment of the words.

The lectures' case: 서울역 근처 스타벅스 로 가자, "Let's go to Starbucks near Seoul station". The
grammar is data (``names``, ``nouns``, ``rules``, ``clauses``); every phrase carries both languages
and its alignment, so the alignment of a sentence comes out by construction. One Korean sentence
has one English one, and the other way round.
"""

from regard.tasks.directions.generating import LECTURE, endless, generate, split
from regard.tasks.directions.writing import known_words, to_words

__all__ = ["LECTURE", "endless", "generate", "known_words", "split", "to_words"]
