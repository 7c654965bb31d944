"""Models and optimisers taken apart into tensors and numbers, and put together again."""

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

PLAIN = (bool, int, float, str, type(None))


class Weights(NamedTuple):
    """The tensors of a model, each once, and the further names that tied ones go by."""

    tensors: dict[str, Tensor]
    tied: dict[str, str]  # further name -> the name that the tensor is kept by


def unfit(found: object, owner: str) -> TypeError:
    """What to say of something that a checkpoint cannot hold."""
    return TypeError(
        f"{owner} is a {type(found).__name__}, but checkpoints hold tensors, numbers, words and "
        "None only; they are never pickled"
    )


def pack_model(model: nn.Module) -> Weights:
    """Copies of all parameters and buffers, on the CPU; what is tied is there once."""
    tensors: dict[str, Tensor] = {}
    tied: dict[str, str] = {}
    names: dict[tuple[Any, ...], str] = {}
    for name, tensor in model.state_dict().items():
        if not isinstance(tensor, Tensor):
            raise unfit(tensor, f"{name!r} in the state of the model")
        place = (tensor.data_ptr(), tensor.shape, tensor.stride(), tensor.dtype, tensor.device)
        if tensor.numel() and place in names:
            tied[name] = names[place]
        else:
            names[place] = name
            tensors[name] = _copy(tensor)
    return Weights(tensors, tied)


def unpack_model(model: nn.Module, weights: Weights, source: str) -> None:
    """Copy the tensors into a model of the same shape; what is tied stays tied."""
    now = pack_model(model).tied
    if now != weights.tied:
        raise ValueError(
            f"{source} does not fit this model: tied are {weights.tied or 'no names'} there and "
            f"{now or 'no names'} here; build the model with the knobs that it was trained with"
        )
    tensors = weights.tensors | {name: weights.tensors[kept] for name, kept in weights.tied.items()}
    try:
        model.load_state_dict(tensors)
    except RuntimeError as error:
        raise ValueError(
            f"{source} does not fit this model: {error}; build the model with the knobs that it "
            "was trained with"
        ) from error


def pack_optimiser(optimiser: Optimizer) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The state of any optimiser whose state is tensors and numbers, per parameter."""
    whole = optimiser.state_dict()
    tensors: dict[str, Tensor] = {}
    numbers: dict[str, Any] = {}
    for index, state in whole["state"].items():
        for name, value in state.items():
            if isinstance(value, Tensor):
                tensors[f"{index}.{name}"] = _copy(value)
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


def _copy(tensor: Tensor) -> Tensor:
    """A copy that shares no memory, as a safetensors file wants it."""
    return torch.empty(tensor.shape, dtype=tensor.dtype).copy_(tensor.detach())


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
