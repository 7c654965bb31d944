"""``regard run`` and ``regard evaluate``."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from regard.command.options import set_for_once
from regard.ledger import keep_evaluation
from regard.recipes import Detailed, Gathering, Measured, turn
from regard.running import find, opened

TEXT_FILES = (".txt", ".tsv", ".csv", ".json", ".md")
TOGETHER = 256  # lines that are read before the first is answered, where nobody waits


def run(given: Namespace) -> int:
    """Answer every input with one line."""
    folder = find(given.run)
    recipe = set_for_once(opened(folder), given.set)
    runner: Any = recipe.load(folder)
    fix_draws(given.seed)
    if given.sample is not None:
        runner = runner.sampling(given.sample, given.seed)
    at_once = 1 if sys.stdin.isatty() and reads_standard_input(given.inputs) else TOGETHER
    detailed = not given.json and not reads_lines(given.inputs)
    lines = iter(named(given.inputs) if runner.names_files else read_inputs(given.inputs))
    if isinstance(runner, Gathering):
        lines = runner.gather(lines)
    failed = False
    while some := list(islice(lines, at_once)):
        for text, answer in zip(some, runner.lines(some), strict=True):
            if given.json:
                print(json.dumps({"input": text, **answer.to_json()}, ensure_ascii=False))
            else:
                print(answer, flush=detailed)
                if detailed and isinstance(answer, Detailed) and (details := answer.details()):
                    print(details, file=sys.stderr)
            for remark in answer.remarks():
                print(f"regard: {remark}", file=sys.stderr)
            failed = failed or bool(answer.trouble)
        sys.stdout.flush()
    return 1 if failed else 0


def fix_draws(seed: int) -> None:
    """The same command gives the same answer, where looks are drawn, too."""
    import torch

    torch.manual_seed(seed)


def named(inputs: list[str]) -> Iterator[str]:
    """The names of files; - stands for the lines of standard input."""
    for text in inputs or ["-"]:
        yield from read_inputs(["-"]) if text == "-" else (text,)


def reads_lines(inputs: list[str]) -> bool:
    """Whether inputs come from a file or a pipe, where nobody waits for details of each."""
    piped = reads_standard_input(inputs) and not sys.stdin.isatty()
    return piped or any(is_file(text) for text in inputs)


def reads_standard_input(inputs: list[str]) -> bool:
    """Whether the inputs are, or include, the lines of standard input."""
    return not inputs or "-" in inputs


def read_inputs(inputs: list[str]) -> Iterator[str]:
    """Lines of standard input for -, lines of a file for its name, else the text itself."""
    for text in inputs or ["-"]:
        if text == "-":
            sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
            yield from _stripped(sys.stdin, "standard input")
        elif is_file(text):
            with Path(text).open(encoding="utf-8") as file:
                yield from _stripped(file, text)
        else:
            check_text(text)
            yield text


def check_text(text: str) -> None:
    """Raise where a text is rather the name of a file, and a missing one, than a sentence."""
    spaced = any(letter.isspace() for letter in text)
    if not spaced and text.lower().endswith(TEXT_FILES) and not is_file(text):
        raise ValueError(f"there is no file {text}")


def is_file(text: str) -> bool:
    """Whether a text is the name of a file; a long sentence is not even a possible name."""
    try:
        return Path(text).is_file()
    except OSError:
        return False


def _stripped(lines: Iterable[str], name: str) -> Iterator[str]:
    number = 0
    try:
        for line in lines:
            number += 1
            yield line.rstrip("\r\n")
    except UnicodeDecodeError as problem:
        raise ValueError(
            f"{name}, after line {number}: this is not UTF-8 text ({problem.reason}); convert it, "
            "for example with iconv"
        ) from problem


def evaluate(given: Namespace) -> int:
    """Measure a run on its test sets; the numbers are kept in the run folder."""
    folder = find(given.run)
    recipe = set_for_once(opened(folder), given.set)
    if given.test:
        recipe = turn(recipe, {"test": tuple(given.test)})
    found = recipe.evaluate(folder)
    if not given.test and not given.set and Path(given.run).is_dir():
        keep_evaluation(folder, found)
    if given.json:
        print(json.dumps([each.to_json() for each in found], ensure_ascii=False))
    else:
        for each in found:
            print(_line(each))
        for note, metrics in _notes(found).items():
            print(f"  {', '.join(metrics)}: {note}")
    return 0


def _line(each: Measured) -> str:
    paper = "" if each.paper is None else f" (paper: {each.paper:g})"
    return f"{replace(each, note='')}{paper}"


def _notes(found: "list[Measured]") -> dict[str, list[str]]:
    """How numbers were counted, each way once, with the metrics that it is true of."""
    notes: dict[str, list[str]] = {}
    for each in found:
        if each.note and each.metric not in notes.setdefault(each.note, []):
            notes[each.note].append(each.metric)
    return notes
