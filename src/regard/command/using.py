"""``regard run`` and ``regard evaluate``."""

import json
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from regard.command.inputs import in_batches, inputs_for, reads_lines, reads_standard_input
from regard.command.options import loaded, set_for_once
from regard.ledger import keep_evaluation
from regard.recipes import Detailed, Measured, Sampling, turn, values_of
from regard.recipes.measured import clauses
from regard.running import find, opened

TOGETHER = 256  # lines that are read before the first is answered, where nobody waits


def run(given: Namespace) -> int:
    """Answer every input with one line."""
    folder = find(given.run)
    runner = loaded(opened(folder), folder, given.set)
    fix_draws(given.seed)
    if given.sample is not None:
        if not isinstance(runner, Sampling):
            raise ValueError(f"--sample draws words, but {given.run} says none")
        runner = runner.sampling(given.sample, given.seed)
    at_once = 1 if sys.stdin.isatty() and reads_standard_input(given.inputs) else TOGETHER
    detailed = not given.json and not reads_lines(given.inputs)
    lines = inputs_for(runner, given.inputs)
    failed = False
    for some in in_batches(lines, at_once):
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


def evaluate(given: Namespace) -> int:
    """Measure a run on its test sets; the numbers are kept in the run folder."""
    folder = find(given.run)
    recipe = set_for_once(opened(folder), given.set)
    if given.test and "test" not in values_of(recipe):
        raise ValueError(
            f"--test is for recipes whose test sets are files of your own, but {given.run} has "
            "others; leave it out"
        )
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
        for note, metrics in clauses(found).items():
            print(f"  {', '.join(metrics)}: {note}")
    return 0


def _line(each: Measured) -> str:
    paper = "" if each.paper is None else f" (paper: {each.paper:g})"
    return f"{replace(each, note='')}{paper}"
