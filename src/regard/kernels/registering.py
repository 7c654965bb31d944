"""Functions as operators that torch knows, so that autograd, vmap and compilation go through them.

``torch.library.custom_op`` would do the same, but the first call of an operator made by it imports
torch's compiler, which takes more than a second, and every call pays for asking it.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.library import Library, infer_schema, register_autograd, register_fake, register_vmap

_library = Library("regard", "FRAGMENT")  # type: ignore[no-untyped-call]


def operator(
    name: str,
    function: Callable[..., Any],
    *,
    fake: Callable[..., Any],
    save: Callable[..., None],
    backward: Callable[..., Any],
) -> Callable[..., Any]:
    """Make the operator ``regard::name`` of ``function``, the same on every device.

    ``fake`` gives outputs of the right shapes; ``save`` and ``backward`` are as in
    ``torch.library.register_autograd``.
    """
    schema = infer_schema(function, mutates_args=())
    _library.define(name + schema)  # type: ignore[no-untyped-call]
    _library.impl(name, function, "CompositeExplicitAutograd")  # type: ignore[no-untyped-call]
    register_fake(f"regard::{name}", fake)
    register_autograd(f"regard::{name}", backward, setup_context=save)
    made: Callable[..., Any] = getattr(torch.ops.regard, name).default
    register_vmap(f"regard::{name}", _one_by_one(made))
    return made


def _one_by_one(made: Callable[..., Any]) -> Callable[..., tuple[Any, Any]]:
    """Make vmap's rule: call for each element along the mapped axis, and stack."""

    def walk(info: Any, in_dims: tuple[int | None, ...], *arguments: Any) -> tuple[Any, Any]:
        outputs = [
            made(
                *(
                    each if axis is None else each.select(axis, index)
                    for each, axis in zip(arguments, in_dims, strict=True)
                )
            )
            for index in range(info.batch_size)
        ]
        if isinstance(outputs[0], Tensor):
            return torch.stack(outputs), 0
        stacked = tuple(torch.stack(each) for each in zip(*outputs, strict=True))
        return stacked, (0,) * len(stacked)

    return walk
