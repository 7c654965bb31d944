"""Viewing: pictures of recorded weights and of masks. Bright = looked at, or may be looked at.

Takes tensors and labels, never a model. Drawing needs matplotlib, which comes with the extra
``pip install "regard[view]"``; no display is needed, and no global state is kept.
"""

from regard.viewing.figures import show, show_mask
from regard.viewing.panels import draw, draw_mask
from regard.viewing.saving import save

__all__ = ["draw", "draw_mask", "save", "show", "show_mask"]
