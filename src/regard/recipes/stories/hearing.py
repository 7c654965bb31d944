"""What a network cannot hear of stories that it has not learned, and what it makes of them."""

from collections.abc import Iterable, Iterator, Sequence

from regard.recipes.stories.material import Entry
from regard.tasks.stories import Question, unknown_words
from regard.tasks.vocabulary import Vocabulary

FEW = 5  # examples that are named


def cut(questions: Sequence[Question], most: int | None) -> list[Question]:
    """The same with the first ``most`` words of each sentence; all of them where it is None.

    >>> cut([Question((("ann", "went", "out"),), ("who", "went"))], 2)[0].story
    (('ann', 'went'),)
    """
    return [
        each._replace(
            story=tuple(sentence[:most] for sentence in each.story), words=each.words[:most]
        )
        for each in questions
    ]


def unheard(questions: Sequence[Question], entry: Entry, most: int | None) -> Iterator[str]:
    """What a reader should know of an error on these questions."""
    vocabulary = entry.vocabulary
    answers = [each.answer for each in questions if each.answer not in vocabulary]
    if answers:
        yield (
            f"{len(answers)} of {len(questions)} answers are none that the network has ever heard, "
            f"and count as wrong: {_first(answers)}"
        )
    words = _unknown(questions, vocabulary)
    if words:
        yield (
            f"the network does not know {len(words)} of the words, and reads as if nothing stood "
            f"there: {_first(words)}"
        )
    sentences = {sentence for each in questions for sentence in (*each.story, each.words)}
    long = sorted(" ".join(one) for one in sentences if most is not None and len(one) > most)
    if long:
        yield (
            f"{len(long)} of {len(sentences)} different sentences have more words than any that "
            f"the network has heard, which reads the first {most} of each: "
            f"{_first(map(repr, long))}"
        )


def _unknown(questions: Sequence[Question], vocabulary: Vocabulary) -> list[str]:
    found = (word for each in questions for word in unknown_words(each, vocabulary))
    return list(dict.fromkeys(found))


def _first(words: Iterable[str]) -> str:
    """The first few, each once."""
    every = list(dict.fromkeys(words))
    return ", ".join([*every[:FEW], *(["..."] if len(every) > FEW else [])])
