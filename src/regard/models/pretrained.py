"""Models in folders as the Hub has them: ``config.json`` and ``model.safetensors``."""

import json
from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from regard.files import write_whole
from regard.parameters import read_weights, save_weights, unpack_model

CONFIG = "config.json"
MODEL = "model.safetensors"
Kind = TypeVar("Kind", bound="Pretrained")


class Pretrained(nn.Module):
    """A model that remembers what it was made with, so that a folder can hold it whole.

    A constructor hands all its arguments to ``super().__init__``. Numbers are kept as they are; a
    part cannot be made of JSON again, so it is kept as what ``print`` shows of it, and given again
    when the model is loaded. Never a pickle.
    """

    def __init__(self, **arguments: Any) -> None:
        super().__init__()
        self.arguments = arguments

    def save_pretrained(self, folder: str | Path) -> None:
        """Write ``config.json`` and ``model.safetensors`` into a folder, which is made if new."""
        name, folder, parts = type(self).__name__, Path(folder), _describe(self.arguments)
        unsaid = signature(type(self)).parameters.keys() - self.arguments.keys()
        if unsaid:
            raise ValueError(
                f"{name} cannot be made again without {', '.join(sorted(unsaid))}; hand all "
                "arguments of its constructor to super().__init__"
            )
        _only_dtype(self.state_dict(), name)
        numbers = {key: value for key, value in self.arguments.items() if key not in parts}
        config = {"class": name, "arguments": numbers, "parts": parts}
        text = json.dumps(config, indent=2, ensure_ascii=False) + "\n"
        folder.mkdir(parents=True, exist_ok=True)
        save_weights(self, folder / MODEL)
        write_whole(folder / CONFIG, text.encode())

    @classmethod
    def from_pretrained(cls: type[Kind], folder: str | Path, **parts: nn.Module | None) -> Kind:
        """The model that ``save_pretrained`` wrote: on the CPU, in its dtype, in evaluation mode.

        ``parts`` are as it was made with, such as ``look=Attention(Dot())``; their weights are
        loaded, too. Nothing is downloaded: a folder is wanted.
        """
        name, numbers, described = _read_config(Path(folder) / CONFIG)
        if name != cls.__name__:
            raise ValueError(
                f"{str(folder)!r} holds a {name}, not a {cls.__name__}; load it by "
                f"{name}.from_pretrained"
            )
        _compare(described, _describe(parts), str(folder))
        source = str(Path(folder) / MODEL)
        weights = read_weights(source)
        model = cls(**numbers | parts).to(_only_dtype(weights.tensors, source))
        unpack_model(model, weights, source)
        return model.eval()


def _describe(arguments: Mapping[str, Any]) -> dict[str, str]:
    """The parts among the arguments, as ``print`` shows them."""
    return {name: repr(part) for name, part in arguments.items() if isinstance(part, nn.Module)}


def _compare(saved: dict[str, str], given: dict[str, str], folder: str) -> None:
    names = [name for name in sorted(saved | given) if saved.get(name) != given.get(name)]
    if names:
        changes = "; ".join(
            f"{name} was {saved.get(name, 'none')}, now {given.get(name, 'none')}" for name in names
        )
        raise ValueError(
            f"{folder!r} was saved with other parts: {changes}; give from_pretrained the parts "
            "that it was saved with, by name"
        )


def _only_dtype(tensors: Mapping[str, Tensor], owner: str) -> torch.dtype:
    """The dtype of all weights; tables that are not saved are made anew in it."""
    found = {tensor.dtype for tensor in tensors.values() if tensor.is_floating_point()}
    if len(found) != 1:
        raise ValueError(
            f"the weights of {owner} are {' and '.join(sorted(map(str, found))) or 'none'}, but a "
            "model is kept in one dtype; bring it there by model.to(torch.float32)"
        )
    return found.pop()


def _read_config(path: Path) -> tuple[str, dict[str, Any], dict[str, str]]:
    if not path.is_file():
        raise ValueError(
            f"there is no file {str(path)!r}; give a folder that save_pretrained wrote (a run "
            "folder is opened by regard.load)"
        )
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
        return config["class"], dict(config["arguments"]), dict(config["parts"])
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{str(path)!r} is cut short or not what save_pretrained wrote: {error!r}"
        ) from error
