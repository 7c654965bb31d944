"""Seeing every look of a model from outside, while it runs as it is."""

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, overload

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.parallel import DataParallel, DistributedDataParallel
from torch.optim.swa_utils import AveragedModel

from regard.attention import Attended, Look, Watch
from regard.attention.checking import check_kind

Names = Iterable[str] | None
# What torch's own wrappers call the module that they wrap.
WRAPPED = ("_orig_mod", "_checkpoint_wrapped_module", "_fsdp_wrapped_module")
WRAPPERS = (DataParallel, DistributedDataParallel, AveragedModel)
Hook = Callable[[nn.Module, Any, Any], None]


class Recorded(NamedTuple):
    """One look, kept: a detached copy of its weights, with its axes named."""

    weights: Float[Tensor, "..."]
    axes: tuple[str, ...]
    kind: str


class Looks(Sequence[Recorded]):
    """The looks of one module, in the order of its calls."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._looks: list[Recorded] = []

    @overload
    def __getitem__(self, index: int) -> Recorded: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Recorded]: ...
    def __getitem__(self, index: int | slice) -> Recorded | Sequence[Recorded]:
        return self._looks[index]

    def __len__(self) -> int:
        return len(self._looks)

    def add(self, look: Recorded) -> None:
        """Keep one more look."""
        self._looks.append(look)

    @property
    def weights(self) -> Float[Tensor, "..."]:
        """All looks as one tensor, joined on the query axis; missing keys are zero.

        What has no query axis, such as a tape's head, is stacked on a new axis before the last,
        one row per call.
        """
        looks = self._looks
        widest = max(look.weights.shape[-1] for look in looks)
        padded = [
            nn.functional.pad(look.weights, (0, widest - look.weights.shape[-1])) for look in looks
        ]
        rows = [
            part if "query" in look.axes else part.unsqueeze(-2)
            for part, look in zip(padded, looks, strict=True)
        ]
        if len({(*part.shape[:-2], part.dim()) for part in rows}) > 1:
            raise ValueError(
                f"the looks of {self.name!r} differ in their leading axes: "
                f"{[tuple(look.weights.shape) for look in looks]}; take them one by one, "
                f"maps[{self.name!r}][0].weights"
            )
        return torch.cat(rows, dim=-2)

    @property
    def axes(self) -> tuple[str, ...]:
        """The names of the axes of ``weights``."""
        own = self._looks[0].axes
        return own if "query" in own else (*own[:-1], "step", own[-1])

    @property
    def kind(self) -> str:
        """What selected: "attention", or the kind of a ``Watch``."""
        return self._looks[0].kind

    def __repr__(self) -> str:
        return f"Looks({self.name!r}: {len(self)} of kind {self.kind!r})"


class Maps(Mapping[str, Looks]):
    """What was recorded, by the name of the module that looked."""

    def __init__(self) -> None:
        self._looks: dict[str, Looks] = {}

    def __getitem__(self, name: str) -> Looks:
        if name not in self._looks:
            near = difflib.get_close_matches(name, self._looks, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise KeyError(f"no look was recorded as {name!r}, only {list(self._looks)}{hint}")
        return self._looks[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._looks)

    def __len__(self) -> int:
        return len(self._looks)

    def add(self, name: str, look: Recorded) -> None:
        """Keep one more look under a name."""
        self._looks.setdefault(name, Looks(name)).add(look)

    def __repr__(self) -> str:
        return f"Maps({ {name: len(looks) for name, looks in self._looks.items()} })"


@contextmanager
def record(
    model: nn.Module,
    names: Names = None,
    *,
    heads: Sequence[int] | None = None,
    rows: Sequence[int] | None = None,
) -> Iterator[Maps]:
    """Record every look of ``model`` while the block runs.

    ``with record(model) as maps: model(x)``, then ``maps["decoder.attention"].weights``. Only the
    ``names``, ``heads`` and query ``rows`` asked for are worked out and kept, as detached copies.
    The model itself runs as ever: a look on a fused kernel stays on it. Compiled models run eagerly
    inside the block, since hooks added after compiling would never be called.
    """
    check_kind("model", model, nn.Module, "a model that contains looks")
    for name, chosen in (("heads", heads), ("rows", rows)):
        if isinstance(chosen, int):
            raise TypeError(f"{name} must be a list of numbers, such as [{chosen}], not {chosen}")
    found = dict(_watched(model, "", set()))
    wanted = _check_names(names, found)
    maps = Maps()
    handles = [
        found[name].register_forward_hook(_recorder(maps, name, heads, rows)) for name in wanted
    ]
    try:
        with torch.compiler.set_stance("force_eager"):
            yield maps
    finally:
        for handle in handles:
            handle.remove()


def _recorder(
    maps: Maps, name: str, heads: Sequence[int] | None, rows: Sequence[int] | None
) -> Hook:
    """A hook that keeps what a module selected."""

    @torch.no_grad()
    def keep(module: nn.Module, _: Any, output: Any) -> None:
        if isinstance(output, Attended):
            asked = heads if isinstance(module, Look) and "head" in module.axes else None
            weights = output.source.examine(asked, rows).weights
            axes, kind = _named_axes(module, weights), "attention"
        elif isinstance(module, Watch):
            weights, axes, kind = output, module.axes, module.kind
        else:
            return
        maps.add(name, Recorded(weights.detach().clone(), axes, kind))

    return keep


def _named_axes(module: nn.Module, weights: Tensor) -> tuple[str, ...]:
    last = module.axes if isinstance(module, Look) else ("query", "key")
    leading = weights.dim() - len(last)
    batch = ("batch",) if leading == 1 else tuple(f"batch {i}" for i in range(1, leading + 1))
    return (*batch, *last)


def _watched(
    module: nn.Module, name: str, known: set[nn.Module]
) -> Iterator[tuple[str, nn.Module]]:
    """The outermost looks and watches with their names, wrappers of other libraries left out.

    A module that stands in several places is found once, under its first name.
    """
    if module in known:
        return
    known.add(module)
    if isinstance(module, Look | Watch):
        yield name, module
        return
    for child_name, child in module.named_children():
        wrapped = child_name in WRAPPED or (isinstance(module, WRAPPERS) and child_name == "module")
        parts = [part for part in (name, "" if wrapped else child_name) if part]
        yield from _watched(child, ".".join(parts), known)


def _check_names(names: Names, found: dict[str, nn.Module]) -> list[str]:
    if names is None:
        return list(found)
    if isinstance(names, str):
        names = [names]
    for name in (names := list(names)):
        if name not in found:
            near = difflib.get_close_matches(name, found, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"the model has no look named {name!r}, only {list(found)}{hint}")
    return names
