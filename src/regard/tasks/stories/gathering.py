"""Stories out of lines as they come: one typed on a line, or numbered lines as in bAbI's files."""

from collections.abc import Iterable, Iterator

from regard.tasks.stories.reading import Told
from regard.tasks.stories.typed import typed_text


def gather(lines: Iterable[str]) -> Iterator[str]:
    """Each question with its story as one text; a line without a number is one by itself.

    The answer of a numbered question may be left out. An error names the line.

    >>> list(gather(["1 Mary went to the garden.", "2 Where is Mary?"]))
    ['Mary went to the garden. Where is Mary?']
    """
    told = Told()
    for count, line in enumerate(lines, 1):
        if not line.strip()[:1].isdigit():
            yield line
            continue
        answered = "\t" in line or not line.rstrip().endswith("?")
        try:
            question = told.hear(line if answered else f"{line.rstrip()}\t?")
        except ValueError as wrong:
            raise ValueError(f"line {count}: {wrong}") from wrong
        if question is not None:
            yield typed_text(question)
