"""The picture of a machine with a tape: what went in and out, and where its heads were."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from regard.viewing.curves import COLOURS, LINES
from regard.viewing.figures import empty_figure, put_title
from regard.viewing.sheets import Sheet

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

UNSEEN = 0.02  # a slot that no head ever gave more weight may be left out
WORDS, SLOTS = 4.0, 5.0  # shares of the height; bits have 2, or 1 where there is only one


class Mark(NamedTuple):
    """Steps that are pointed at, and why; those of one name look alike."""

    name: str
    first: int
    last: int  # belongs to them


class Supposed(NamedTuple):
    """Where somebody would expect writes."""

    name: str  # by what rule, and how well it fits
    writes: Float[Tensor, "step slot"]


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
    marks: Sequence[Mark] = ()
    supposed: Supposed | None = None


class Panel(NamedTuple):
    """A part of the picture: rows over some steps."""

    name: str
    rows: Float[Tensor, "step row"]
    steps: Bool[Tensor, " step"]
    share: float  # of the height

    @classmethod
    def of_bits(cls, name: str, rows: Tensor, steps: Tensor) -> "Panel":
        """Numbers from 0 to 1. A row that leaves them is turned so that grey is its zero."""
        largest = rows.abs().amax(dim=0).clamp_min(1e-9)
        outside = (rows < 0).any(dim=0) | (rows > 1).any(dim=0)
        shown = torch.where(outside, 0.5 + 0.5 * rows / largest, rows)
        return cls(name, shown, steps, min(2.0, rows.shape[1]))


def show_tape(sheet: TapeSheet) -> "matplotlib.figure.Figure":
    """Inputs, added words and write weights on the left; outputs, read words, read weights right.

    Figures 6, 9 and 12 of Neural Turing Machines, Graves, Wayne, Danihelka 2014, time from left to
    right. https://arxiv.org/abs/1410.5401 On the left are the steps before the first answer, on the
    right those that are answered; where writes are supposed to go somewhere, that stands beside
    them, as in figure 17. Where every step is answered, all lies in one column, as in figure 15.
    Black is 0 and white is 1; words go from their lowest number to their highest. The longest
    stretch of the tape, which goes round, that no head went to is left out.
    """
    weights, after = sheet.weights.detach().float().cpu(), sheet.counts.cpu()
    writers, readers = weights.chunk(2)
    writing, reading = writers.sum(dim=0), readers.sum(dim=0)
    always = bool(after.all())
    before = after if always else ~after
    # Of each head by itself: several that are everywhere at once would add up to being somewhere.
    band = _band(torch.cat([writers[:, before], readers[:, after]], dim=1).flatten(0, 1))
    inputs = Panel.of_bits("inputs", sheet.inputs, before)
    adds = Panel("adds", sheet.added, before, WORDS)
    writes = Panel("write weights", writing[:, band], before, SLOTS)
    outputs = Panel.of_bits("predictions" if always else "outputs", sheet.outputs, after)
    reads = Panel("reads", sheet.read, after, WORDS)
    looks = Panel("read weights", reading[:, band], after, SLOTS)
    if always:
        rows = [[adds], [writes], [outputs], [inputs], [looks]]
    elif sheet.supposed is None:
        rows = [[inputs, outputs], [adds, reads], [writes, looks]]
    else:
        supposed = Panel(sheet.supposed.name, sheet.supposed.writes[:, band], before, SLOTS)
        rows = [[inputs, outputs], [adds, reads], [supposed, writes, looks]]
    figure = _lay_out(rows, sheet.marks, band)
    put_title(figure, sheet.title)
    return figure


def _band(shown: Float[Tensor, "_ slot"]) -> Int[Tensor, " shown"]:
    """The slots in their order round the tape, without the longest stretch that nobody went to."""
    slots = shown.shape[-1]
    seen = (shown.amax(dim=0) > UNSEEN).nonzero().flatten().tolist()
    gaps = [
        ((following - slot - 1) % slots, following)
        for slot, following in zip(seen, seen[1:] + seen[:1], strict=True)
    ]
    longest, first = max(gaps, key=lambda gap: (gap[0], -gap[1]), default=(0, 0))
    return torch.arange(first, first + slots - longest) % slots


def _lay_out(
    rows: list[list[Panel]], marks: Sequence[Mark], band: Int[Tensor, " shown"]
) -> "matplotlib.figure.Figure":
    """One line of panels below the other, each line as high as its share."""
    shares = [line[0].share for line in rows]
    figure = empty_figure((8.0, 0.55 * sum(shares) + 0.5))
    figure.set_layout_engine("constrained")  # panels fill their places, whatever their shape
    finest = math.lcm(*map(len, rows))  # one grid for all, so that panels stand below each other
    grid = figure.add_gridspec(len(rows), finest, height_ratios=shares)
    for down, line in enumerate(rows):
        wide = finest // len(line)
        for across, panel in enumerate(line):
            axes = figure.add_subplot(grid[down, across * wide : (across + 1) * wide])
            _draw(axes, panel)
            _point(axes, panel, marks)
            if panel.share == SLOTS:
                ticks = _slot_ticks(band.tolist())
                axes.set_yticks(list(ticks), list(ticks.values()))
                round_the_end = int(band[0]) > int(band[-1])
                axes.set_ylabel("slot, round the end" if round_the_end else "slot", fontsize=8)
            if down == len(rows) - 1:
                steps = panel.steps.nonzero().flatten().tolist()
                axes.set_xticks([0, len(steps) - 1], [str(steps[0] + 1), str(steps[-1] + 1)])
                axes.set_xlabel("time", fontsize=8)
    return figure


def _slot_ticks(band: Sequence[int]) -> dict[float, str]:
    """The first and the last slot, and where the tape goes round its end; none over another.

    >>> _slot_ticks([*range(90, 128), *range(20)])
    {0.0: '90', 57.0: '19', 37.5: '127|0'}
    """
    last = len(band) - 1
    ticks = {0.0: str(band[0]), float(last): str(band[-1])}
    seams = [place + 0.5 for place in range(last) if band[place + 1] < band[place]]
    for seam in seams:
        near = [place for place in ticks if abs(place - seam) < last / 8]
        for place in near:
            del ticks[place]
        ticks[seam] = f"{band[int(seam)]}|{band[int(seam) + 1]}"
    return ticks


def _draw(axes: "matplotlib.axes.Axes", panel: Panel) -> None:
    rows = panel.rows.detach().cpu().float()[panel.steps]
    words = panel.share == WORDS
    axes.imshow(
        rows.mT.numpy(),
        cmap="gray",
        vmin=float(rows.min()) if words else 0.0,
        vmax=float(rows.max()) if words else 1.0,
        aspect="auto",
        interpolation="nearest",
    )
    axes.set_title(panel.name, fontsize=8, loc="left")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.tick_params(labelsize=7)


def _point(axes: "matplotlib.axes.Axes", panel: Panel, marks: Sequence[Mark]) -> None:
    """Frame the marked steps that the panel has, or point at a single one from above.

    The panel of inputs says what that means. Where all steps are marked, nothing is.
    """
    from matplotlib.patches import Rectangle

    steps = panel.steps.nonzero().flatten().tolist()
    names = list(dict.fromkeys(mark.name for mark in marks))
    known: dict[str, Any] = {}
    for mark in marks:
        inside = [place for place, step in enumerate(steps) if mark.first <= step <= mark.last]
        if len(inside) in (0, len(steps)):
            continue
        number = names.index(mark.name)
        colour = COLOURS[number % len(COLOURS)]
        if mark.first == mark.last:
            above: dict[str, Any] = {"transform": axes.get_xaxis_transform(), "clip_on": False}
            style: dict[str, Any] = {"marker": 7, "markersize": 4, "linestyle": "none"}
            (known[mark.name],) = axes.plot(inside, [1.0], color=colour, **style, **above)
            continue
        frame = Rectangle((inside[0] - 0.5, -0.5), len(inside), panel.rows.shape[1])
        line: dict[str, Any] = {"linestyle": LINES[number % len(LINES)], "linewidth": 1.2}
        frame.set(fill=False, clip_on=False, edgecolor=colour, **line)
        known[mark.name] = axes.add_patch(frame)
    if known and panel.name == "inputs":
        place: dict[str, Any] = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0)}
        axes.legend(
            known.values(), known.keys(), **place, ncols=len(known), frameon=False, fontsize=7
        )
