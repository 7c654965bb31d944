"""The state of all sources of noise: torch's, Python's, and that of the model's device."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from math import isnan, nan

import torch
from torch import Tensor

APART = 1_000_003  # between the seeds of two processes of one run


def seed(number: int, rank: int = 0) -> None:
    """Begin all noise anew; processes that train together draw differently."""
    torch.manual_seed(number + APART * rank)
    random.seed(number + APART * rank)


def capture(device: torch.device) -> dict[str, Tensor]:
    """The state of every source, as tensors."""
    _, numbers, gauss = random.getstate()  # its version is 3 since Python 3.2
    state = {
        "torch": torch.get_rng_state(),
        "python": torch.tensor(numbers),
        "gauss": torch.tensor([nan if gauss is None else gauss], dtype=torch.float64),
    }
    if device.type != "cpu":
        state[device.type] = torch.get_device_module(device).get_rng_state()
    return state


def restore(state: dict[str, Tensor], device: torch.device) -> None:
    """Go on drawing from where the state was captured."""
    torch.set_rng_state(state["torch"].clone())
    gauss = state["gauss"].item()
    random.setstate((3, tuple(state["python"].tolist()), None if isnan(gauss) else gauss))
    if device.type in state:
        torch.get_device_module(device).set_rng_state(state[device.type].clone())


@contextmanager
def set_aside(device: torch.device) -> Iterator[None]:
    """Give back whatever noise is drawn inside the block."""
    before = capture(device)
    try:
        yield
    finally:
        restore(before, device)
