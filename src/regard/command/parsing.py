"""The words of the command line, and help that a newcomer understands."""

import re
from argparse import (
    SUPPRESS,
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from regard.command import data, listing, results, showing, training, using
from regard.command.options import add_knob
from regard.recipes import RECIPES, knobs_of

Action = Callable[[Namespace], int | None]
RUN_HELP = "a run folder, or the name of a recipe that comes trained (see: regard list)"
INPUT_HELP = "what the model takes, as regard run does; default: a few of its test set"
DESCRIPTION = """Train, use, measure and look at attention models.

a first tour:
  regard list                                     what there is
  regard train rnnsearch-directions               train a translator, in minutes
  regard run rnnsearch-directions "시청 으로 가자"    use it (or your own runs/...)
  regard show rnnsearch-directions --to page.html see what each word looked at
"""


class Parser(ArgumentParser):
    """Names the nearest option where one is not known."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(
            allow_abbrev=False, formatter_class=RawDescriptionHelpFormatter, **settings
        )

    def error(self, message: str) -> NoReturn:
        """Say what was not understood, in two lines."""
        wrong = re.search(r"argument (\w+): invalid choice: '(.*?)' \(choose from (.*)\)", message)
        if wrong:
            what, word, choices = wrong.groups()
            known = ["".join(name) for name in re.findall(r"'([^']*)'|([\w-]+)", choices)]
            near = get_close_matches(word, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"it is one of {_some(known)}"
            message = f"there is no {what} {word!r}; {hint}"
        self.exit(2, f"regard: {message}\nSee: {self.prog} --help\n")


def parse(arguments: Sequence[str]) -> Namespace:
    """What was asked for; ends the program where that is not clear."""
    parser = make_parser()
    _check_resuming(parser, arguments)
    given, left = parser.parse_known_args(arguments)
    if hasattr(given, "inputs") and not any(word.startswith("-") and word != "-" for word in left):
        given.inputs += left  # inputs that stand behind an option
        left = []
    if left:
        _refuse(parser, given, left)
    return given


def make_parser() -> Parser:
    """All commands with their options."""
    parser = Parser(prog="regard", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_list(commands)
    _add_train(commands)
    _add_run(commands)
    _add_evaluate(commands)
    _add_show(commands)
    _add_data(commands)
    _add_results(commands)
    return parser


def _command(commands: Any, name: str, action: Action, about: str, more: str = "") -> Parser:
    description = f"{about[0].upper()}{about[1:]}." + (f"\n\n{more}" if more else "")
    command: Parser = commands.add_parser(name, help=about, description=description)
    command.set_defaults(action=action, parser=command)
    return command


def _add_list(commands: Any) -> None:
    command = _command(
        commands, "list", listing.show, "every recipe, its result and the minutes it takes"
    )
    _add_json(command)


def _add_train(commands: Any) -> None:
    command = _command(
        commands,
        "train",
        training.go_on,
        "train a recipe, or go on with a run that was stopped",
        "The options of a recipe: regard train RECIPE --help",
    )
    command.add_argument("--resume", metavar="RUN", help="go on with this run, bit for bit")
    _add_device(command)
    recipes = command.add_subparsers(title="recipes", metavar="RECIPE")
    for name, recipe in RECIPES.items():
        each = _command(recipes, name, training.begin, recipe.summary)
        each.set_defaults(recipe=name)
        own = each.add_argument_group("the run")
        own.add_argument("--to", metavar="FOLDER", help="the run folder (default: runs/RECIPE)")
        own.add_argument(
            "--resume",
            metavar="RUN",
            default=SUPPRESS,
            help="go on with this run instead, with the knobs that it has",
        )
        own.add_argument("--seeds", type=_count, help="train so many runs, each from other seeds")
        own.add_argument("--jobs", type=_count, default=1, help="runs at once (with --seeds)")
        own.add_argument("--tensorboard", action="store_true", help="write TensorBoard scalars")
        _add_device(own)
        knobs = each.add_argument_group("knobs")
        for knob in knobs_of(recipe).values():
            add_knob(knobs, knob)


def _add_run(commands: Any) -> None:
    command = _command(
        commands,
        "run",
        using.run,
        "use a trained model: one line out for each line in",
        "INPUT is a sentence, a file of sentences, or - for standard input; of captions, the file "
        "of an image, or #0, #1 and so on for a test image; of stories, sentences with a question "
        "behind them, or a file of numbered ones; of tapes, a length. A story that is typed is "
        "answered with its looks, those of a file with --json.",
    )
    command.add_argument("run", metavar="RUN", help=RUN_HELP)
    command.add_argument("inputs", metavar="INPUT", nargs="*", help="default: standard input")
    command.add_argument(
        "--sample", type=float, metavar="TEMPERATURE", help="draw words; colder is safer"
    )
    command.add_argument(
        "--seed", type=int, default=0, help="seed of drawn words and looks (default: 0)"
    )
    _add_set(command)
    _add_json(command)


def _add_evaluate(commands: Any) -> None:
    command = _command(
        commands, "evaluate", using.evaluate, "measure a run on its test sets, paper beside ours"
    )
    command.add_argument("run", metavar="RUN", help=RUN_HELP)
    command.add_argument(
        "--test",
        nargs="+",
        metavar="FILE",
        help="files of your own to test on: pairs, stories, text, or captions and a folder",
    )
    _add_set(command)
    _add_json(command)


def _add_show(commands: Any) -> None:
    command = _command(
        commands,
        "show",
        showing.show,
        "draw what a model looked at",
        "Writes a page that opens offline (.html) or a picture (.png, .svg, .pdf).",
    )
    command.add_argument("run", metavar="RUN", help=RUN_HELP)
    command.add_argument("inputs", metavar="INPUT", nargs="*", help=INPUT_HELP)
    command.add_argument(
        "--to", metavar="FILE", help="default: regard.html, and regard.png of several runs"
    )
    command.add_argument(
        "--cells",
        action="store_true",
        help="over an image, draw the weights as cells instead of smooth; a page has both",
    )
    over_runs = command.add_mutually_exclusive_group()
    for option, about in (
        ("--lengths", "BLEU against the length of the sentences"),
        ("--costs", "how the validation number fell or rose"),
        ("--ponder", "errors against the steps that an input took, a dot for each run"),
        ("--difficulty", "steps and errors against how hard an input is"),
    ):
        over_runs.add_argument(
            option, action="store_true", help=f"draw {about} instead; further RUNs for INPUTs"
        )
    _add_set(command)


def _add_data(commands: Any) -> None:
    command = _command(commands, "data", data.listing, "the data sets: what is here, and get more")
    kinds = command.add_subparsers(title="commands", metavar="COMMAND", required=True)
    listing_command = _command(
        kinds, "list", data.listing, "every data set, and whether it is here"
    )
    _add_json(listing_command)
    get = _command(kinds, "get", data.get, "fetch a data set from where it comes from")
    get.add_argument("name", metavar="NAME", help="see: regard data list")
    check = _command(kinds, "check", data.check, "compare the files with their checksums")
    check.add_argument("name", metavar="NAME", nargs="?", help="default: all that are here")
    _add_json(check)


def _add_results(commands: Any) -> None:
    command = _command(
        commands,
        "results",
        results.show,
        "the ledger: the paper's numbers and ours, how selected, over which seeds",
    )
    command.add_argument("recipe", metavar="RECIPE", nargs="?", help="default: all")
    command.add_argument(
        "--add", nargs="+", metavar="RUN", help="enter evaluated runs of one recipe, one per seed"
    )
    command.add_argument("--note", default="", help="with --add: what to know about these numbers")
    _add_json(command)


def _add_set(command: Any) -> None:
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KNOB=VALUE",
        help="turn a knob for this once, such as beams=1; may be given again",
    )


def _add_json(command: Any) -> None:
    command.add_argument("--json", action="store_true", help="for programs to read")


def _add_device(command: Any) -> None:
    command.add_argument(
        "--device", default=SUPPRESS, help="cpu, cuda, cuda:1, mps, ... (default: cpu)"
    )


def _check_resuming(parser: Parser, arguments: Sequence[str]) -> None:
    """A knob behind ``train --resume RUN`` would have its value read as a recipe."""
    if list(arguments[:1]) != ["train"] or not {*arguments}.isdisjoint(RECIPES):
        return
    options = [word.split("=")[0] for word in arguments if word.startswith("-")]
    others = [word for word in options if word not in ("--resume", "--device", "--help", "-h")]
    if "--resume" in options and others:
        parser.error(
            f"--resume goes on with the knobs that the run has; leave out {', '.join(others)}"
        )


def _refuse(parser: Parser, given: Namespace, left: Sequence[str]) -> None:
    """Name what was not understood and the option that comes nearest."""
    command = getattr(given, "parser", parser)
    option = next((word for word in left if word.startswith("-")), left[0])
    known = list(command._option_string_actions)
    near = get_close_matches(option.split("=")[0], known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    name = option.removeprefix("--").split("=")[0].replace("-", "_")
    if hasattr(given, "set") and any(name in knobs_of(recipe) for recipe in RECIPES.values()):
        hint = f"; a knob is turned for once by --set {name}=VALUE"
    elif not near and hasattr(given, "inputs"):
        hint = "; an input that begins with - stands behind --"
    command.error(f"there is no option {option!r}{hint}")


def _some(names: Sequence[str]) -> str:
    """All names, or the first where they are many."""
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"must be a whole number from 1 on, but it is {text!r}")
    return int(text)


def _version() -> str:
    import regard

    return f"regard {regard.__version__}"
