"""Optimisers taken apart into tensors and numbers, and put together again."""

from typing import Any

from torch import Tensor
from torch.optim import Optimizer

from regard.parameters import copy, unfit

PLAIN = (bool, int, float, str, type(None))


def pack_optimiser(optimiser: Optimizer) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The state of any optimiser whose state is tensors and numbers, per parameter."""
    whole = optimiser.state_dict()
    tensors: dict[str, Tensor] = {}
    numbers: dict[str, Any] = {}
    for index, state in whole["state"].items():
        for name, value in state.items():
            if isinstance(value, Tensor):
                tensors[f"{index}.{name}"] = copy(value)
            elif isinstance(value, PLAIN):
                numbers.setdefault(str(index), {})[name] = value
            else:
                raise unfit(value, f"{name!r} in the state of {type(optimiser).__name__}")
    groups = [_plain_group(group, optimiser) for group in whole["param_groups"]]
    return tensors, {"kind": type(optimiser).__name__, "numbers": numbers, "groups": groups}


def unpack_optimiser(
    optimiser: Optimizer, tensors: dict[str, Tensor], rest: dict[str, Any]
) -> None:
    """Put the state back into an optimiser of the same kind over the same parameters."""
    if rest["kind"] != type(optimiser).__name__:
        raise ValueError(
            f"the checkpoint was made with {rest['kind']} and cannot go on with "
            f"{type(optimiser).__name__}; go on with the knobs that the run began with"
        )
    state: dict[int, dict[str, Any]] = {}
    for index, numbers in rest["numbers"].items():
        state.setdefault(int(index), {}).update(numbers)
    for place, tensor in tensors.items():
        index, name = place.split(".", 1)
        state.setdefault(int(index), {})[name] = tensor.clone()
    groups = [
        {name: _tuples(value) if name != "params" else value for name, value in group.items()}
        for group in rest["groups"]
    ]
    optimiser.load_state_dict({"state": state, "param_groups": groups})


def _plain_group(group: dict[str, Any], optimiser: Optimizer) -> dict[str, Any]:
    for name, value in group.items():
        parts = value if isinstance(value, list | tuple) else [value]
        for part in parts:
            if not isinstance(part, PLAIN):
                raise unfit(part, f"the setting {name!r} of {type(optimiser).__name__}")
    return group


def _tuples(value: Any) -> Any:
    """JSON knows lists only; optimisers give pairs, such as betas, as tuples."""
    return tuple(value) if isinstance(value, list) else value
