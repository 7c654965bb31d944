"""A part that is to keep the library's guarantees, and the running of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import torch
from torch import Tensor

Guarantee = Callable[[Any], None]
SEED = 0


@dataclass(frozen=True)
class Case:
    """A part by name, how to make one, and what it cannot promise, with the reason.

    ``make`` gives a fresh part each time. ``without`` maps the name of a guarantee to the reason
    why the part's own equation rules it out; it is printed in the matrix of guarantees.
    """

    name: str
    make: Callable[[], Any]
    without: Mapping[str, str] = field(default_factory=dict)
    guarantees: ClassVar[tuple[Guarantee, ...]] = ()
    traced: ClassVar[tuple[Guarantee, ...]] = ()  # those of compiling: regard.testing.tracing

    def __post_init__(self) -> None:
        known = {guarantee.__name__ for guarantee in (*self.guarantees, *self.traced)}
        unknown = set(self.without) - known
        if unknown:
            raise ValueError(
                f"{self.name}: no such guarantee {sorted(unknown)}, only {sorted(known)}"
            )

    def part(self, dtype: torch.dtype = torch.float64) -> Any:
        """A fresh part with fixed parameters, in eval mode: where it draws, it takes the best."""
        torch.manual_seed(SEED)
        made = self.make().to(dtype).eval()
        for name, parameter in made.named_parameters():
            if name.endswith("bias"):  # one that starts at zero hides what it does
                torch.nn.init.normal_(parameter)
        return made

    def kept(self) -> tuple[Guarantee, ...]:
        """The guarantees that this part must keep."""
        return tuple(one for one in self.guarantees if one.__name__ not in self.without)

    def kept_traced(self) -> tuple[Guarantee, ...]:
        """The guarantees of compiling that this part must keep."""
        return tuple(one for one in self.traced if one.__name__ not in self.without)


def check(case: Case) -> None:
    """Raise AssertionError, naming the guarantee, where the part does not keep one."""
    for guarantee in (*case.kept(), *case.kept_traced()):
        try:
            guarantee(case)
        except AssertionError as failure:
            raise AssertionError(f"{case.name}: not true that {sentence(guarantee)}") from failure


def sentence(guarantee: Guarantee) -> str:
    """The guarantee's name as words."""
    return guarantee.__name__.replace("_", " ")


def numbers(*shape: int, seed: int = SEED, dtype: torch.dtype = torch.float64) -> Tensor:
    """The same normal numbers each time."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)


def close(actual: Tensor, expected: Tensor, tolerance: float | None = None) -> None:
    """``torch.testing.assert_close``; ``tolerance`` is both relative and absolute."""
    torch.testing.assert_close(actual, expected, rtol=tolerance, atol=tolerance)


def gradcheck(function: Callable[..., Tensor], *inputs: Tensor) -> None:
    """The analytical gradient against differences."""
    variables = tuple(one.detach().requires_grad_() for one in inputs)
    assert torch.autograd.gradcheck(function, variables, atol=1e-4, rtol=1e-3, fast_mode=True)
