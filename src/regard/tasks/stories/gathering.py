"""Stories out of lines as they come: typed, or numbered as in bAbI's files."""

from collections.abc import Iterable, Iterator

from regard.tasks.stories.reading import Told
from regard.tasks.stories.typed import told_text


class Placed(str):
    """A story with its question, as a text that knows where it was read."""

    __slots__ = ("place",)
    place: str

    @classmethod
    def at(cls, text: str, source: str, lines: tuple[int, int]) -> "Placed":
        """The text of these lines, the first and the last."""
        first, last = lines
        where = f"line {first}" if first == last else f"lines {first} to {last}"
        made = cls(text)
        made.place = f"{source}, {where}" if source else where
        return made


def gather(lines: Iterable[str], source: str = "") -> Iterator[Placed]:
    """Each question with its story as one text, with supporting facts as ``told_text`` has them.

    Numbered lines are read as in bAbI's files; the answer of a question may be left out. Of lines
    without a number, a story ends with its question, or else with an empty line. A story is one or
    the other: a line without a number in a numbered story, or with a tab, is an error. An error
    names the line, and the ``source`` where it has a name.

    >>> list(gather(["1 Mary went to the garden.", "2 Where is Mary?"]))
    ['Mary went to the garden. Where is Mary?']
    >>> list(gather(["Mary went to the garden.", "Where is Mary?"]))[0].place
    'lines 1 to 2'
    """
    told = Told()
    waiting = False  # whether a numbered story has been told without a question since
    typed: list[str] = []  # a story without numbers, as far as it has been told
    found, begun, count = False, 0, 0
    for count, line in enumerate(lines, 1):
        place = f"{source}, line {count}" if source else f"line {count}"
        text = line.strip()
        if not text[:1].isdigit() and not (text and waiting) and "\t" not in text:
            begun = begun if typed else count
            if text:
                typed.append(text)
            if typed and (not text or text.endswith("?")):
                yield Placed.at(" ".join(typed), source, (begun, count if text else count - 1))
                typed, found = [], True
            continue
        if typed:
            raise ValueError(
                f"{place}: the story before it has no numbers and no question; number all lines "
                "of a story or none, and end it with a question and a question mark"
            )
        begins = text.split()[0] == "1"
        if waiting and begins:
            raise ValueError(f"{place}: the story before it has no question; end it with one")
        begun = count if begins else begun
        question = _heard(told, line, place)
        waiting = not question
        if question:
            yield Placed.at(question, source, (begun, count))
            found = True
    if typed:
        yield Placed.at(" ".join(typed), source, (begun, count))
    elif not found:
        raise ValueError(
            f"{source or 'the story'} {'has no question' if count else 'is empty'}; a story ends "
            "with a question and a question mark"
        )


def _heard(told: Told, line: str, place: str) -> str:
    """The question on a numbered line with its story; empty where it tells something."""
    answered = "\t" in line or not line.rstrip().endswith("?")
    try:
        question = told.hear(line if answered else f"{line.rstrip()}\t?")
    except ValueError as wrong:
        raise ValueError(f"{place}: {wrong}") from wrong
    return "" if question is None else told_text(question)
