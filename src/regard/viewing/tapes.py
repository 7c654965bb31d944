"""The picture of a machine with a tape: what went in and out, and where its heads were."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxtyping import Bool, Float
from torch import Tensor

from regard.viewing.figures import empty_figure, put_title
from regard.viewing.sheets import Sheet

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

UNSEEN = 0.02  # a slot that no head ever gave more weight is left out at the edges of the tape
SHARES = (2, 4, 5)  # of the height: bits, words of the tape, slots


@dataclass(frozen=True, eq=False, kw_only=True)
class TapeSheet(Sheet):
    """One sequence of a machine: as a sheet the weights of all heads, and what they moved.

    ``weights`` is (head, step, slot), those that write first. Several heads are laid over each
    other in the picture: words are summed, weights too.
    """

    inputs: Float[Tensor, "step given"]
    outputs: Float[Tensor, "step bit"]  # from 0 to 1
    counts: Bool[Tensor, " step"]  # steps that are answered
    added: Float[Tensor, "step word"]
    read: Float[Tensor, "step word"]


def show_tape(sheet: TapeSheet) -> "matplotlib.figure.Figure":
    """Inputs, added words and write weights on the left; outputs, read words, read weights right.

    Figure 6 of Neural Turing Machines, Graves, Wayne, Danihelka 2014, time from left to right.
    https://arxiv.org/abs/1410.5401 On the left are the steps before the first answer, on the right
    those that are answered; where every step is answered, both have them all. Black is 0 and white
    is 1; words go from their lowest number to their highest. Slots that no head went to are left
    out at both ends.
    """
    writing, reading = sheet.weights.detach().float().cpu().chunk(2)
    band = _band(sheet.weights)
    before = ~sheet.counts if bool((~sheet.counts).any()) else sheet.counts
    left = (sheet.inputs, sheet.added, writing.sum(dim=0)[:, band])
    right = (sheet.outputs, sheet.read, reading.sum(dim=0)[:, band])
    figure = empty_figure((8.0, 6.5))
    figure.set_layout_engine("constrained")  # panels fill their places, whatever their shape
    places = figure.subplots(3, 2, height_ratios=SHARES)
    names = (("inputs", "adds", "write weights"), ("outputs", "reads", "read weights"))
    for column, (steps, panels) in enumerate(((before, left), (sheet.counts, right))):
        for row, (panel, name) in enumerate(zip(panels, names[column], strict=True)):
            _draw(places[row, column], panel[steps], name, fixed=row != 1)
    put_title(figure, sheet.title)
    for column, words in enumerate(("time: what is given", "time: what is answered")):
        places[-1, column].set_xlabel(words, fontsize=8)
    for place in places[-1]:
        place.set_yticks([0, band.stop - band.start - 1], [str(band.start), str(band.stop - 1)])
        place.set_ylabel("slot", fontsize=8)
    return figure


def _band(weights: Float[Tensor, "head step slot"]) -> slice:
    """From the first to the last slot that some head went to."""
    seen = (weights.amax(dim=(0, 1)) > UNSEEN).nonzero().flatten().tolist()
    return slice(seen[0], seen[-1] + 1) if seen else slice(0, weights.shape[-1])


def _draw(
    axes: "matplotlib.axes.Axes", panel: Float[Tensor, "step row"], name: str, *, fixed: bool
) -> None:
    lowest, highest = (0.0, 1.0) if fixed else (float(panel.min()), float(panel.max()))
    axes.imshow(
        panel.detach().cpu().float().mT.numpy(),
        cmap="gray",
        vmin=lowest,
        vmax=highest,
        aspect="auto",
        interpolation="nearest",
    )
    axes.set_title(name, fontsize=8, loc="left")
    axes.set_xticks([])
    axes.set_yticks([])
