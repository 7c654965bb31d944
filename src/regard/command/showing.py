"""``regard show``."""

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from regard.command.costs import costs
from regard.command.efforts import hard, ponder
from regard.command.inputs import inputs_for
from regard.command.lengths import lengths
from regard.command.options import loaded, set_for_once
from regard.command.using import fix_draws
from regard.running import find, knobs_in, opened

if TYPE_CHECKING:
    import matplotlib.figure

    from regard.recipes import Runner
    from regard.viewing import PictureSheet, Sheet

PAGES = (".html", ".htm")
PICTURES = (".png", ".svg", ".pdf")


def show(given: Namespace) -> int:
    """Draw what a model looked at: a page of all inputs, or a picture of the first."""
    for wanted, draw in (
        (given.lengths, lengths),
        (given.costs, costs),
        (given.ponder, ponder),
        (given.difficulty, hard),
    ):
        if wanted:
            given.to = given.to or "regard.png"
            return draw(given)
    given.to = given.to or "regard.html"
    path = Path(given.to)
    kind = path.suffix.lower()
    if kind not in PAGES + PICTURES:
        raise ValueError(
            f"--to {given.to}: what is drawn is saved as one of {', '.join(PAGES + PICTURES)}"
        )
    folder = find(given.run)
    runner = loaded(opened(folder), folder, given.set)
    recipe = set_for_once(opened(folder), given.set)
    fix_draws(0)
    inputs = list(inputs_for(runner, given.inputs)) if given.inputs else recipe.examples()
    if not inputs:
        raise ValueError(f"there is nothing to draw in {' '.join(given.inputs)}")
    from regard.viewing import save

    if kind in PICTURES:
        if given.inputs and len(inputs) > 1:
            remark(f"a picture holds one input, the first of {len(inputs)}; a page (.html) all")
        (sheet,) = _sheets(runner, inputs[:1], strict=True)
        save(picture(sheet, cells=given.cells), path)
        print(path)
        return 0
    sheets = list(_sheets(runner, inputs))
    if not sheets:
        raise ValueError("none of the inputs could be drawn")
    _write_page(path, sheets, f"{knobs_in(folder)[0]}: where it looked")
    print(path)
    return 0 if len(sheets) == len(inputs) else 1


def _sheets(
    runner: "Runner", inputs: "Sequence[str]", *, strict: bool = False
) -> "Iterator[Sheet | PictureSheet]":
    """Of all inputs that can be drawn, with what is to be known; what is wrong with others is said.

    ``strict`` raises it instead.
    """
    from regard.viewing import Sheet

    for text in inputs:
        try:
            sheet = runner.sheet(text)
        except ValueError as problem:
            if strict:
                raise
            remark(str(problem))
            continue
        for known in sheet.remarks if isinstance(sheet, Sheet) else ():
            remark(known)
        yield sheet


def remark(text: str) -> None:
    """Say something beside what was asked for."""
    print(f"regard: {text}", file=sys.stderr)


def _write_page(path: Path, sheets: "Sequence[Sheet | PictureSheet]", title: str) -> None:
    from regard.viewing import PictureSheet, write_page, write_picture_page

    drawn = write_picture_page if isinstance(sheets[0], PictureSheet) else write_page
    drawn(path, sheets, title=title)  # type: ignore[arg-type]


def picture(sheet: "Sheet | PictureSheet", *, cells: bool = False) -> "matplotlib.figure.Figure":
    """As the kind of the sheet is drawn; else one map, a row of heads, or heads by layers."""
    from regard.viewing import (
        PictureSheet,
        PonderSheet,
        StorySheet,
        TapeSheet,
        show_grid,
        show_picture,
        show_ponder,
        show_story,
        show_tape,
    )
    from regard.viewing import show as show_maps

    if isinstance(sheet, PictureSheet):
        return show_picture(sheet, smooth=not cells)
    if isinstance(sheet, TapeSheet):
        return show_tape(sheet)
    if isinstance(sheet, PonderSheet):
        return show_ponder(sheet)
    if isinstance(sheet, StorySheet):
        return show_story(sheet)
    layered = sheet.weights.dim() == 4
    drawn = show_grid if layered else show_maps
    return drawn(sheet.weights, sheet.rows, sheet.columns, title=sheet.title)
