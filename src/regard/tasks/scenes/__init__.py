"""Small drawn scenes and their captions, made on the spot, with the true box of every word.

What the captioner learns on without a download: one to three things, shapes or digits, on a
plain ground, and one caption that is right, such as "a large green seven left of a small yellow
star". ``stencils`` holds the outlines, ``drawing`` paints them, ``telling`` says the caption's
rules, ``generating`` draws the lots.
"""

from regard.tasks.scenes.generating import Scene, Scenes, make_scenes, split_scenes
from regard.tasks.scenes.telling import WORDS, Box

__all__ = ["WORDS", "Box", "Scene", "Scenes", "make_scenes", "split_scenes"]
