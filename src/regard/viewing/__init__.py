"""Viewing: pictures of recorded weights and of masks. Bright = looked at, or may be looked at.

Takes tensors and labels, never a model. ``write_page`` puts maps into one HTML file that needs
nothing but a browser. Drawing needs matplotlib, which comes with the extra
``pip install "regard[view]"``; no display is needed, and no global state is kept.
"""

from regard.viewing.curves import draw_curves
from regard.viewing.dots import draw_dots
from regard.viewing.figures import show, show_mask
from regard.viewing.grids import show_grid
from regard.viewing.lengths import draw_by_length
from regard.viewing.page import page, write_page
from regard.viewing.panels import draw, draw_mask
from regard.viewing.picture_page import picture_page, write_picture_page
from regard.viewing.pictures import PictureSheet, show_picture
from regard.viewing.ponders import PonderSheet, show_ponder
from regard.viewing.saving import save
from regard.viewing.sheets import Sheet
from regard.viewing.stories import StorySheet, show_story
from regard.viewing.tapes import Mark, Supposed, TapeSheet, show_tape

__all__ = [
    "Mark",
    "PictureSheet",
    "PonderSheet",
    "Sheet",
    "StorySheet",
    "Supposed",
    "TapeSheet",
    "draw",
    "draw_by_length",
    "draw_curves",
    "draw_dots",
    "draw_mask",
    "page",
    "picture_page",
    "save",
    "show",
    "show_grid",
    "show_mask",
    "show_picture",
    "show_ponder",
    "show_story",
    "show_tape",
    "write_page",
    "write_picture_page",
]
