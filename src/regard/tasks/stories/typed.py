"""A story and a question as a person types them."""

import re

from regard.tasks.stories.questions import Question, words_of
from regard.tasks.stories.reading import parse_stories
from regard.tasks.stories.writing import format_stories, spelled

TITLE = r"\b(?:Mr|Mrs|Ms|Dr|Prof|St)\.(?=\s)"  # its full stop ends no sentence
SENTENCE = re.compile(rf"(?:{TITLE}|[^.!?;\n])+[.!?;]?")
WIDE = str.maketrans("\u3002\uff01\uff1f\uff1b", ".!?;")  # of keyboards for Chinese and Japanese
EXAMPLE = "Mary went to the garden. John went to the office. Where is Mary?"


def typed_question(text: str) -> Question:
    """The question that ends a typed story; its answer is not known.

    Sentences end with a full stop, a semicolon or their line, the question with a question mark. A
    story on numbered lines with tabs, as in bAbI's files, brings its answer and supporting facts.

    >>> typed_question("Mary went to the garden. Where is Mary?").words
    ('where', 'is', 'mary')
    """
    text = text.translate(WIDE)
    if "\t" in text and text.lstrip()[:1].isdigit():
        return parse_stories(text.splitlines(), "the story")[-1]
    sentences = [found for found in SENTENCE.findall(text) if words_of(found)]
    if not sentences:
        raise ValueError(f"the story is empty; type sentences and a question, such as: {EXAMPLE}")
    *story, question = sentences
    if not question.endswith("?"):
        raise ValueError(
            f"there is no question at the end, but {question.strip()!r}; end with one and a "
            f"question mark, such as: {EXAMPLE}"
        )
    early = [sentence.strip() for sentence in story if sentence.endswith("?")]
    if early:
        raise ValueError(
            f"only the end of a story can be a question, but {early[0]!r} is before it; to ask in "
            "between, give a file of numbered lines, as bAbI's are"
        )
    if not story:
        raise ValueError(
            f"the story is empty: nothing is told before {question.strip()!r}; type sentences "
            f"first, such as: {EXAMPLE}"
        )
    return Question(tuple(map(words_of, story)), words_of(question))


def typed_text(question: Question) -> str:
    """A question with its story as a person would type it; ``typed_question`` reads it again.

    >>> typed_text(typed_question("mary went to the garden. where is mary?"))
    'Mary went to the garden. Where is Mary?'
    """
    told = [f"{spelled(sentence)}." for sentence in question.story]
    return " ".join([*told, f"{spelled(question.words)}?"])


def told_text(question: Question) -> str:
    """A question with its story, and with its supporting facts where they are known.

    Then it is numbered lines as in bAbI's files, else as a person would type it; ``typed_question``
    reads either again.
    """
    return "\n".join(format_stories([question])) if question.supporting else typed_text(question)
