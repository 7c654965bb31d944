"""Where a decoder may look at each of its steps."""

from abc import ABC, abstractmethod

import torch
from jaxtyping import Bool, Int
from torch import Tensor, nn

from regard.attention import Memory

Step = Int[Tensor, "batch row 1"]
Permission = Bool[Tensor, "batch row source"]


class Scope(nn.Module, ABC):
    """Narrows the source by the number of the step."""

    @abstractmethod
    def forward(self, step: Step, memory: Memory) -> Permission | None:
        """What may be seen of a source that is remembered; None means all of it."""


class Anywhere(Scope):
    """Global attention: the whole source at every step."""

    def forward(self, step: Step, memory: Memory) -> Permission | None:
        """Everything."""
        return None


class Around(Scope):
    """Local-m: at step t the source words at most ``radius`` from place t.

    p_t = t. Luong, Pham, Manning 2015, section 3.2. https://arxiv.org/abs/1508.04025
    A step beyond the end of a source stays at its last word; the paper is silent.
    """

    def __init__(self, radius: int) -> None:
        super().__init__()
        if radius < 1:
            raise ValueError(f"radius must be 1 or more, but radius={radius}")
        self.radius = radius

    def forward(self, step: Step, memory: Memory) -> Permission | None:
        """The words around place t."""
        places = torch.arange(memory.length, device=step.device)
        there = places if memory.mask is None else places * memory.mask
        centre = torch.minimum(step, there.amax(dim=-1, keepdim=True))  # filling comes last
        return (places - centre).abs() <= self.radius

    def extra_repr(self) -> str:
        return f"radius={self.radius}"
