"""The processes that train together: one alone, or those of a process group that is up.

Whoever starts them (torchrun, Slurm, Ray) sets up the group; nothing here does. What travels
between them is bytes and numbers, never a pickle.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

CPU = torch.device("cpu")


class LeaderError(RuntimeError):
    """Said by every other process when process 0 could not do its part."""


@dataclass(frozen=True)
class Crew:
    """All processes of a run. Process 0 leads: it validates, and it alone writes."""

    rank: int = 0
    size: int = 1
    device: torch.device = CPU  # where messages between the processes lie

    @classmethod
    def present(cls) -> "Crew":
        """The crew of this moment."""
        if not (dist.is_available() and dist.is_initialized()):
            return cls()
        nccl = dist.get_backend() == "nccl"
        device = torch.device("cuda", torch.cuda.current_device()) if nccl else CPU
        return cls(dist.get_rank(), dist.get_world_size(), device)

    def wrap(self, module: nn.Module) -> nn.Module:
        """The same module, its gradients averaged over the crew after every backward pass."""
        if self.size == 1:
            return module
        places = None if self.device == CPU else [self.device]
        return DistributedDataParallel(module, places, find_unused_parameters=True)

    def quiet(self, module: nn.Module) -> AbstractContextManager[Any]:
        """A block whose gradients stay at home until the next backward pass outside of it."""
        if isinstance(module, DistributedDataParallel):
            return module.no_sync()
        return nullcontext()

    def sum(self, *numbers: float) -> tuple[float, ...]:
        """Each number, summed over the crew."""
        if self.size == 1:
            return numbers
        sums = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        dist.all_reduce(sums)
        return tuple(sums.tolist())

    def gather(self, content: bytes) -> list[bytes]:
        """What each process of the crew has to say, by rank."""
        if self.size == 1:
            return [content]
        lengths = self._all(torch.tensor([len(content)], device=self.device))
        longest = int(max(lengths))
        padded = self._all(self._message(content.ljust(longest, b"\0")))
        return [
            bytes(part.cpu().numpy())[: int(length)]
            for part, length in zip(padded, lengths, strict=True)
        ]

    def lead(self, action: Callable[[], bytes]) -> bytes:
        """Let process 0 act alone, and tell all what came of it; its failure is everybody's."""
        if self.size == 1:
            return action()
        problem, content = None, b""
        if self.rank == 0:
            try:
                content = b"+" + action()
            except Exception as error:
                problem, content = error, b"-" + f"{type(error).__name__}: {error}".encode()
        content = self._broadcast(content)
        if problem is not None:
            raise problem
        if content[:1] == b"-":
            raise LeaderError(f"process 0 stopped the run: {content[1:].decode()}")
        return content[1:]

    def _broadcast(self, content: bytes) -> bytes:
        length = torch.tensor([len(content)], device=self.device)
        dist.broadcast(length, src=0)
        message = self._message(content.ljust(int(length), b"\0"))
        dist.broadcast(message, src=0)
        return bytes(message.cpu().numpy())

    def _all(self, message: Tensor) -> list[Tensor]:
        parts = [torch.empty_like(message) for _ in range(self.size)]
        dist.all_gather(parts, message)
        return parts

    def _message(self, content: bytes) -> Tensor:
        if not content:
            return torch.zeros(0, dtype=torch.uint8, device=self.device)
        return torch.frombuffer(bytearray(content), dtype=torch.uint8).to(self.device)
