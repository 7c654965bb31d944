"""The parameters of a model taken out into tensors or a file, and put back; never a pickle."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import safetensors
import safetensors.torch
import torch
from torch import Tensor, nn

from regard.files import write_whole


class MisfitError(ValueError):
    """Weights of a model of other sizes or ties than the one they are to be put into."""


class Weights(NamedTuple):
    """The tensors of a model, each once, and the further names that tied ones go by."""

    tensors: dict[str, Tensor]
    tied: dict[str, str]  # further name -> the name that the tensor is kept by


def save_weights(model: nn.Module, path: Path) -> None:
    """Write a ``model.safetensors``; the same weights give the same bytes.

    Tied ones are there once; the one entry of the metadata names them (the order of several
    would be random).
    """
    tensors, tied = pack_model(model)
    write_whole(path, safetensors.torch.save(tensors, {"tied": json.dumps(tied)}))


def load_weights(model: nn.Module, path: str | Path) -> None:
    """Copy the weights of a ``model.safetensors`` into a model; its ties stay tied."""
    unpack_model(model, read_weights(path), str(path))


def read_weights(path: str | Path) -> Weights:
    """The weights of a ``model.safetensors``, on the CPU."""
    path = Path(path)
    if not path.is_file():
        raise ValueError(
            f"there is no file {str(path)!r}; it is written at the first validation of a training, "
            "or by save_pretrained"
        )
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            tied = json.loads((file.metadata() or {}).get("tied", "{}"))
    except safetensors.SafetensorError as error:
        raise ValueError(f"{str(path)!r} is cut short or no safetensors file: {error}") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"{str(path)!r} says in no JSON what is tied: {error}") from error
    return Weights(tensors, tied)


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
            tensors[name] = copy(tensor)
    return Weights(tensors, tied)


def unpack_model(model: nn.Module, weights: Weights, source: str) -> None:
    """Copy the tensors into a model of the same shape; what is tied stays tied."""
    now = pack_model(model).tied
    if now != weights.tied:
        raise MisfitError(
            f"{source} does not fit this model: tied are {weights.tied or 'no names'} there and "
            f"{now or 'no names'} here; build the model as it was when it was saved"
        )
    tensors = weights.tensors | {name: weights.tensors[kept] for name, kept in weights.tied.items()}
    try:
        model.load_state_dict(tensors)
    except RuntimeError as error:
        raise MisfitError(
            f"{source} does not fit this model: {error}; build the model as it was when "
            "it was saved"
        ) from error


def copy(tensor: Tensor) -> Tensor:
    """A copy on the CPU that shares no memory, as a safetensors file wants it."""
    return torch.empty(tensor.shape, dtype=tensor.dtype).copy_(tensor.detach())


def unfit(found: object, owner: str) -> TypeError:
    """What to say of something that a file of tensors and numbers cannot hold."""
    return TypeError(
        f"{owner} is a {type(found).__name__}, but checkpoints hold tensors, numbers, words and "
        "None only; they are never pickled"
    )
