"""``regard show``."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from regard.command.options import set_for_once
from regard.running import find, knobs_in, opened

if TYPE_CHECKING:
    import matplotlib.figure

    from regard.viewing import Sheet

PAGES = (".html", ".htm")
PICTURES = (".png", ".svg", ".pdf")


def show(given: Namespace) -> int:
    """Draw what a model looked at: a page of all inputs, or a picture of the first."""
    path = Path(given.to)
    kind = path.suffix.lower()
    if kind not in PAGES + PICTURES:
        raise ValueError(
            f"--to {given.to}: what is drawn is saved as one of {', '.join(PAGES + PICTURES)}"
        )
    folder = find(given.run)
    recipe = set_for_once(opened(folder), given.set)
    runner = recipe.load(folder)
    inputs = given.inputs or recipe.examples()
    from regard.viewing import save, write_page

    if kind in PAGES:
        sheets = [runner.sheet(text) for text in inputs]
        write_page(path, sheets, title=f"{knobs_in(folder)[0]}: what each word looked at")
    else:
        save(picture(runner.sheet(inputs[0])), path)
    print(path)
    return 0


def picture(sheet: "Sheet") -> "matplotlib.figure.Figure":
    """One map, a row of heads, or heads by layers, as the sheet has them."""
    from regard.viewing import show as show_maps
    from regard.viewing import show_grid

    layered = sheet.weights.dim() == 4
    drawn = show_grid if layered else show_maps
    return drawn(sheet.weights, sheet.rows, sheet.columns, title=sheet.title)
