"""Letting recording see what selects but is not an attention."""

from jaxtyping import Float
from torch import Tensor, nn


class Watch(nn.Module):
    """Passes a distribution on as it is, so that recording can see it.

    For whatever selects without being a look: the head of a tape, halting over steps, a zoom box.
    ``kind`` says what is selected, ``axes`` names the axes of the distribution, the last being
    what it is spread over: ``Watch("tape", ("batch", "head", "slot"))``.
    """

    def __init__(self, kind: str, axes: tuple[str, ...]) -> None:
        super().__init__()
        if not axes or len(set(axes)) != len(axes):
            raise ValueError(f"axes must name every axis once, but axes={axes!r}")
        self.kind = kind
        self.axes = tuple(axes)

    def forward(self, distribution: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
        """The distribution itself."""
        if distribution.dim() != len(self.axes):
            raise ValueError(
                f"Watch({self.kind!r}) expects the axes {self.axes}, but got a distribution of "
                f"shape {tuple(distribution.shape)}"
            )
        return distribution

    def extra_repr(self) -> str:
        return f"{self.kind!r}, axes={self.axes}"
