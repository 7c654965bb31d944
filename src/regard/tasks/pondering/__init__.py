"""Questions that want thinking over, which are drawn without end.

The four generated tasks of Adaptive Computation Time for Recurrent Neural Networks, Graves 2016,
section 3 (https://arxiv.org/abs/1603.08983): parity, logic, addition and sorting. A batch is drawn
from a ``torch.Generator``; all its sequences have one length. Each task can be drawn as hard as one
wants, so that it can be seen who thinks longer about what is harder.
"""

from regard.tasks.pondering.addition import Addition
from regard.tasks.pondering.logic import GATES, Logic
from regard.tasks.pondering.parity import Parity
from regard.tasks.pondering.posing import PonderTask, Posed
from regard.tasks.pondering.sorting import SortNumbers

__all__ = ["GATES", "Addition", "Logic", "Parity", "PonderTask", "Posed", "SortNumbers"]
