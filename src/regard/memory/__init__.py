"""Memory that is written: a tape whose heads read and write by attention.

Neural Turing Machines, Graves, Wayne, Danihelka 2014. https://arxiv.org/abs/1410.5401
``addressing`` says where a head goes, ``tape`` what it does there; each is a plain function with
its equation.
"""

from regard.memory.addressing import content, interpolate, prepare, sharpen, shift
from regard.memory.heads import Heads, WriteHeads, Writing
from regard.memory.tape import read, write

__all__ = [
    "Heads",
    "WriteHeads",
    "Writing",
    "content",
    "interpolate",
    "prepare",
    "read",
    "sharpen",
    "shift",
    "write",
]
