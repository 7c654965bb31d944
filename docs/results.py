"""Write RESULTS.md and the pictures of results from the ledger, ``results/*.json``."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from regard.command import main as command
from regard.ledger import Row, rows
from regard.recipes.measured import clauses
from regard.viewing import save
from regard.viewing.lengths import draw_by_length

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "RESULTS.md"
FIGURES = ROOT / "docs" / "figures"
HEAD = """# Results

The ledger, written by `make docs` from `results/*.json`; `regard results --json` prints it. The
command beside a table repeats the run that *ours* is from, the one with the best validation number;
the mean and the spread are over all seeds, which are all that were run, by the same command with
the other seeds. What a note tells beside that names its own way.

![BLEU by length of the sentence, with and without attention](docs/figures/by-length.png)

Figure 2 of Bahdanau, Cho, Bengio 2015 from our runs on the Korean directions, trained on up to 24
words. Without attention, the longer the sentence, the lower. With it, BLEU stays within two points
of 100 up to the longest sentences of training and falls from there on: longer sentences are walks
of more steps, and the first that are passed over stand further from the end of the walk than any
step did in training. Looks that know where the last one was, in a network that is kept from
counting and trained on more of the longer sentences, stay within three points of 100 up to twice
the training length.
"""
BY_LENGTH = "by length"
STORY = (  # of the lectures
    "Sam walks into the kitchen. Sam picks up an apple. Sam walks into the bedroom. "
    "Sam drops the apple. Where is the apple?"
)
SCENE = "#2"  # the test scene that the README shows
DIRECTIONS = {
    "RNNsearch, location-aware": "rnnsearch-located-directions",
    "RNNsearch": "rnnsearch-directions",
    "without attention": "seq2seq-directions",
}
SHOWN = {  # what is drawn of weights that come with the package
    "alignment": ["rnnsearch-directions"],
    "caption": ["captions-scenes", SCENE],
    "tape": ["ntm-copy", "40"],
    "tape-repeat-copy": ["ntm-repeat-copy", "10x3"],
    "tape-recall": ["ntm-recall", "6"],
    "tape-sort": ["ntm-sort", "20"],
    "ngrams": ["ntm-ngrams", "200"],
    "ponder-digits": ["act-addition", "123+4+56+789+30"],
    "ponder-numbers": ["act-sort", "10"],
    **{
        f"costs-{task}": [f"ntm-{task}", f"lstm-{task}", "--costs"]
        for task in ("copy", "repeat-copy", "recall", "ngrams", "sort")
    },
    "ponder-errors": [
        *(f"act-{task}" for task in ("parity", "logic", "addition", "sort")),
        "lstm-sort-numbers",
        "--ponder",
    ],
    **{f"ponder-{task}": [f"act-{task}", "--difficulty"] for task in ("logic", "addition", "sort")},
    "story": ["memn2n-stories", STORY],
}


def main() -> None:
    found = rows()
    PAGE.write_text(page(found), encoding="utf-8")
    print(PAGE.name)
    curves = {name: curve(found, recipe) for name, recipe in DIRECTIONS.items()}
    if all(curves.values()):
        save(lengths(curves, longest_trained()), FIGURES / "by-length.png")
    for name, what in SHOWN.items():
        command(["show", *what, "--to", str(FIGURES / f"{name}.png")])


def page(found: Sequence[Row]) -> str:
    """The whole page."""
    lines = [HEAD]
    for recipe in dict.fromkeys(row.recipe for row in found):
        mine = [row for row in found if row.recipe == recipe]
        lines += [f"## {recipe}", "", *table(mine), "", *facts(mine), ""]
    return "\n".join(lines)


def table(found: Sequence[Row]) -> list[str]:
    """The rows of one recipe."""
    lines = ["| data | test set | metric | paper | ours | mean ± std | seeds |", "|" + "---|" * 7]
    for row in found:
        ours = row.ours
        spread = "" if ours["std"] is None else f"{ours['mean']:.2f} ± {ours['std']:.2f}"
        scope = "" if row.scope == "all" else f", {row.scope}"
        paper = "" if row.paper is None else f"{row.paper:g}"
        lines.append(
            f"| {row.data} | {row.split}{scope} | {row.metric} ({row.unit}, {row.better} is "
            f"better) | {paper} | {ours['value']:.2f} | {spread} | {len(ours['seeds'])} |"
        )
    return lines


def facts(found: Sequence[Row]) -> list[str]:
    """How the numbers of one recipe came about."""
    first = found[0]
    return [
        f"- `{first.command}`, {first.minutes:g} minutes a run, commit {first.commit}",
        f"- selected by {first.selected_by}",
        *(f"- {note}" for note in notes(found)),
    ]


def notes(found: Sequence[Row]) -> list[str]:
    """Each clause of the rows' notes once, with what it is true of where that is not all."""
    every = list(dict.fromkeys(row.metric for row in found))
    return [
        clause if metrics == every else f"{', '.join(metrics)}: {clause}"
        for clause, metrics in clauses(found).items()
    ]


def curve(found: Sequence[Row], recipe: str) -> dict[int, float]:
    """BLEU by the longest sentence of each bucket."""
    return {
        int(row.scope.split("-")[1].removesuffix(" words")): row.ours["value"]
        for row in found
        if (row.recipe, row.split, row.metric) == (recipe, BY_LENGTH, "BLEU")
    }


def longest_trained() -> int:
    """The longest Korean sentence that the directions' recipes were trained on."""
    from regard.recipes import RECIPES, values_of

    return int(values_of(RECIPES["rnnsearch-directions"])["longest"])


def lengths(curves: dict[str, dict[int, float]], trained: int) -> Figure:
    """Figure 2 of Bahdanau's paper, from our runs."""
    figure = Figure(figsize=(6.5, 3.6), layout="constrained")
    draw_by_length(figure.add_subplot(), curves, longest_trained=trained)
    return figure


if __name__ == "__main__":
    main()
