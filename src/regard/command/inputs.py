"""What a command is given to work on: sentences, files of them, standard input."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from regard.recipes import Gathering

if TYPE_CHECKING:
    from regard.recipes import Runner

TEXT_FILES = (".txt", ".tsv", ".csv", ".json", ".md")
STANDARD_INPUT = "-"


def inputs_for(runner: "Runner", inputs: Sequence[str]) -> Iterator[str]:
    """The inputs as the runner takes them, one by one; none at all means standard input."""
    given = inputs or [STANDARD_INPUT]
    if isinstance(runner, Gathering):
        return _gathered(runner, given)
    return _names(given) if runner.names_files else read_inputs(given)


def in_batches(lines: Iterable[str], size: int) -> Iterator[list[str]]:
    """So many lines at once; where reading them ends with an error, what came before it first."""
    some: list[str] = []
    problem: ValueError | None = None
    try:
        for line in lines:
            some.append(line)
            if len(some) == size:
                yield some
                some = []
    except ValueError as wrong:
        problem = wrong
    if some:
        yield some
    if problem is not None:
        raise problem


def _gathered(runner: "Gathering", inputs: Iterable[str]) -> Iterator[str]:
    """The inputs of each source by itself, so that what is wrong is told with its name."""
    for text in inputs:
        if text == STANDARD_INPUT or _is_file(text):
            name = "standard input" if text == STANDARD_INPUT else text
            yield from runner.gather(read_inputs([text]), name)
        elif "\n" in text.strip():
            yield from runner.gather(text.strip().splitlines(), "")
        elif text and _is_folder(text):
            raise ValueError(f"{text} is a folder; give the files in it by their names")
        else:
            _check_text(text)
            yield text


def reads_lines(inputs: Sequence[str]) -> bool:
    """Whether inputs come from a file or a pipe, where nobody waits for details of each."""
    piped = reads_standard_input(inputs) and not sys.stdin.isatty()
    return piped or any(_is_file(text) for text in inputs)


def reads_standard_input(inputs: Sequence[str]) -> bool:
    """Whether the inputs are, or include, the lines of standard input."""
    return not inputs or STANDARD_INPUT in inputs


def read_inputs(inputs: Iterable[str]) -> Iterator[str]:
    """Lines of standard input for -, lines of a file for its name, else the text itself."""
    for text in inputs:
        if text == STANDARD_INPUT:
            yield from _decoded(sys.stdin.buffer, "standard input")
        elif _is_file(text):
            with Path(text).open("rb") as file:
                yield from _decoded(file, text)
        else:
            _check_text(text)
            yield text


def _names(inputs: Iterable[str]) -> Iterator[str]:
    """The names of files; - stands for the lines of standard input."""
    for text in inputs:
        yield from read_inputs([text]) if text == STANDARD_INPUT else (text,)


def _check_text(text: str) -> None:
    """Raise where a text is rather the name of a file, and a missing one, than a sentence."""
    spaced = any(letter.isspace() for letter in text)
    if not spaced and text.lower().endswith(TEXT_FILES):
        raise ValueError(f"there is no file {text}")


def _is_file(text: str) -> bool:
    """Whether a text is the name of a file; a long sentence is not even a possible name."""
    try:
        return Path(text).is_file()
    except OSError:
        return False


def _is_folder(text: str) -> bool:
    try:
        return Path(text).is_dir()
    except OSError:
        return False


def _decoded(lines: Iterable[bytes], name: str) -> Iterator[str]:
    """Each line by itself, so that what is wrong is told with its own number."""
    for number, line in enumerate(lines, 1):
        try:
            # A byte order mark, which some editors put first, is no letter of the first word.
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as problem:
            raise ValueError(
                f"{name}, line {number}: this is not UTF-8 text ({problem.reason}); convert it, "
                "for example with iconv"
            ) from problem
        yield text.rstrip("\r\n")
