"""The guarantees that every part keeps, for parts of your own, too.

``regard.testing.check(ScoreCase("Mine", Mine, query_size=5, key_size=5))`` raises AssertionError
with the sentence that is not true.
"""

from regard.testing import tracing  # gives the cases their traced guarantees
from regard.testing.blends import BlendCase
from regard.testing.case import Case, check, sentence
from regard.testing.looks import LookCase
from regard.testing.normalisers import NormaliserCase
from regard.testing.scores import ScoreCase

__all__ = [
    "BlendCase",
    "Case",
    "LookCase",
    "NormaliserCase",
    "ScoreCase",
    "check",
    "sentence",
    "tracing",
]
