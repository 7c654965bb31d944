"""Algorithms to be learned from examples, which are drawn without end.

The five tasks of Neural Turing Machines, Graves, Wayne, Danihelka 2014, section 4
(https://arxiv.org/abs/1410.5401): copy, repeat copy, associative recall, dynamic N-grams and
priority sort. A batch is drawn from a ``torch.Generator``; all its examples have one length.
"""

from regard.tasks.algorithms.copying import Copy, RepeatCopy
from regard.tasks.algorithms.drawing import Drawn, SequenceTask
from regard.tasks.algorithms.ngrams import NGrams, best_bits, best_guesses
from regard.tasks.algorithms.recalling import Recall
from regard.tasks.algorithms.sorting import PrioritySort

__all__ = [
    "Copy",
    "Drawn",
    "NGrams",
    "PrioritySort",
    "Recall",
    "RepeatCopy",
    "SequenceTask",
    "best_bits",
    "best_guesses",
]
