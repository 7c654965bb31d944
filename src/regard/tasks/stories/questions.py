"""A question over a story, as words, and the words that questions are made of."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from regard.tasks.pairs import Words
from regard.tasks.vocabulary import Vocabulary

WORD = re.compile(r"\w+(?:['-]\w+)*")


class Question(NamedTuple):
    """What is asked after a story.

    ``story`` holds the sentences before the question in the order told, without other questions;
    ``supporting`` the places in it of the sentences that lead to the answer, counted from 0, in
    the order in which they are needed. An answer of several things ("milk,football", "n,s") is one
    answer. Where nobody has told the answer it is "".
    """

    story: tuple[Words, ...]
    words: Words
    answer: str = ""
    supporting: tuple[int, ...] = ()


def words_of(text: str) -> Words:
    """The words of a sentence in lower case, without its punctuation.

    >>> words_of("Where is Mary's apple?")
    ('where', 'is', "mary's", 'apple')
    """
    return tuple(WORD.findall(text.replace("\u2019", "'").lower()))


def answer_of(text: str) -> str:
    """An answer in lower case, its things joined by a comma alone.

    >>> answer_of(" Milk, football ")
    'milk,football'
    """
    return ",".join(" ".join(thing.split()) for thing in text.lower().split(","))


def story_vocabulary(questions: Iterable[Question]) -> Vocabulary:
    """All words of these stories, questions and answers; an answer is one word, commas and all.

    Each sentence counts once, however often it is told: stories are long and repeat themselves.
    """
    sentences: dict[Words, None] = {}
    for question in questions:
        sentences.update(dict.fromkeys((*question.story, question.words)))
        if question.answer:
            sentences[(question.answer,)] = None
    return Vocabulary.build(sentences)


def unknown_words(question: Question, vocabulary: Vocabulary) -> Words:
    """The words of the story and the question that are not in the vocabulary, each once."""
    said = (word for sentence in (*question.story, question.words) for word in sentence)
    return tuple(dict.fromkeys(word for word in said if word not in vocabulary))
