"""What all looks have in common."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from torch import nn

from regard.attention.attended import Attended


class Look(nn.Module, ABC):
    """A module that looks and returns ``Attended``; recording finds it by this kind."""

    axes: ClassVar[tuple[str, ...]] = ("query", "key")  # the last axes of its weights

    @abstractmethod
    def forward(self, *args: Any, **kwargs: Any) -> Attended:
        """Look, and return what was seen."""
