"""``regard show --lengths``: how well runs translate sentences, the longer they are."""

from argparse import Namespace

from regard.command.legends import apart
from regard.command.measures import numbers_of
from regard.running import find, knobs_in

BY_LENGTH, BLEU = "by length", "BLEU"  # as the recipes measure it


def lengths(given: Namespace) -> int:
    """Draw the BLEU of one run or several against the length of the sentences.

    Figure 2 of Neural Machine Translation by Jointly Learning to Align and Translate, Bahdanau,
    Cho, Bengio 2015.
    """
    from regard.viewing import draw_by_length, save
    from regard.viewing.figures import empty_figure

    runs = [given.run, *given.inputs]
    names = apart(runs, [knobs_in(find(run))[0] for run in runs])
    curves = {name: curve(run) for name, run in zip(names, runs, strict=True)}
    trained = {knobs_in(find(run))[1].get("longest") for run in runs}
    only = trained.pop() if len(trained) == 1 else None
    figure = empty_figure((6.5, 3.6))
    draw_by_length(figure.add_subplot(), curves, longest_trained=only)
    print(save(figure, given.to))
    return 0


def curve(run: str) -> dict[float, float]:
    """BLEU by the longest sentence of each bucket of lengths."""
    found = {
        float(each.scope.partition("-")[2].removesuffix(" words")): each.value
        for each in numbers_of(run)
        if (each.split, each.metric) == (BY_LENGTH, BLEU)
    }
    if not found:
        recipe, _ = knobs_in(find(run))
        raise ValueError(f"{run} is of the recipe {recipe}, which has no BLEU by length")
    return found
