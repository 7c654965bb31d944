"""Saving all that a run is, and going on from it."""

import json
from collections import defaultdict
from typing import Generic

import safetensors.torch
import torch

from regard.parameters import Weights, pack_model, unpack_model
from regard.training import randomness
from regard.training.checkpoints import Checkpoint, Packed, pack, unpack
from regard.training.experiment import Batch
from regard.training.packing import pack_optimiser, unpack_optimiser
from regard.training.progress import Progress
from regard.training.run_folder import RunFolder
from regard.training.update import NotFiniteError, Updater, all_finite


class Keeper(Generic[Batch]):
    """Knows what a checkpoint is made of: model, its mean, optimiser, progress, all noise."""

    def __init__(self, updater: Updater[Batch], folder: RunFolder) -> None:
        self.updater = updater
        self.crew = updater.crew
        self.model = updater.experiment.model
        self.device = updater.parameters[0].device
        self.folder = folder
        self.saved: int | None = None  # the step of the last good state
        self.notes: list[str] = []  # what the user should know of how it was restored

    @property
    def last_good(self) -> str:
        """Where the last good state is, in words."""
        if self.saved is None:
            return "nothing was saved yet"
        return f"the last good state is that of step {self.saved}, in {self.folder.states.good}"

    def save(self, progress: Progress) -> None:
        """Write a checkpoint; process 0 does, with the noise of all."""
        if not all_finite(self.updater.parameters):
            raise NotFiniteError("a weight is not finite")
        noise = self.crew.gather(safetensors.torch.save(randomness.capture(self.device)))
        self.crew.lead(lambda: self._write(progress, noise))
        self.saved = progress.step

    def restore(self) -> Progress | None:
        """Go on from the newest whole checkpoint; None where there is none."""
        content = self.crew.lead(self._read)
        if not content:
            return None
        length = int.from_bytes(content[:8], "big")
        tensors, rest = unpack(Packed(content[8 : 8 + length], content[8 + length :]))
        source = str(self.folder.states.folder)
        parts: defaultdict[str, dict[str, torch.Tensor]] = defaultdict(dict)
        for name, tensor in tensors.items():
            part, own = name.split(".", 1)
            parts[part][own] = tensor
        unpack_model(self.model, Weights(parts["model"], rest["tied"]), source)
        unpack_optimiser(self.updater.optimiser, parts["optimiser"], rest["optimiser"])
        self.updater.kept.restore(parts["kept"])
        self._restore_noise(parts["random"], rest["processes"])
        progress = Progress.from_json(rest["progress"])
        self.saved = progress.step
        return progress

    def _write(self, progress: Progress, noise: list[bytes]) -> bytes:
        model, tied = pack_model(self.model)
        state, numbers = pack_optimiser(self.updater.optimiser)
        tensors = {f"model.{name}": tensor for name, tensor in model.items()}
        tensors |= {f"optimiser.{name}": tensor for name, tensor in state.items()}
        tensors |= {f"kept.{name}": tensor for name, tensor in self.updater.kept.state().items()}
        for rank, content in enumerate(noise):
            for name, tensor in safetensors.torch.load(content).items():
                tensors[f"random.{rank}.{name}"] = tensor
        rest = {
            "progress": progress.to_json(),
            "tied": tied,
            "optimiser": numbers,
            "processes": self.crew.size,
        }
        self.folder.states.write(pack(Checkpoint(tensors, rest)))
        return b""

    def _read(self) -> bytes:
        packed, problems = self.folder.states.read()
        if packed is None:
            if self.folder.metrics.stat().st_size or self.folder.model.exists():
                raise ValueError(
                    f"{str(self.folder.path)!r} holds measurements or a model, but no state to go "
                    "on from; begin again in another folder"
                )
            return b""
        for problem in problems:
            self.notes.append(f"not used: {problem}")
        if problems:
            step = json.loads(packed.rest)["rest"]["progress"]["step"]
            self.notes.append(f"going on from the checkpoint before it, of step {step}")
        return len(packed.tensors).to_bytes(8, "big") + packed.tensors + packed.rest

    def _restore_noise(self, states: dict[str, torch.Tensor], processes: int) -> None:
        own = f"{self.crew.rank}."
        if processes != self.crew.size:
            self.notes.append(
                f"saved by {processes} processes and going on with {self.crew.size}: noise such as "
                "dropout is drawn differently from here on"
            )
        state = {
            name.removeprefix(own): tensor
            for name, tensor in states.items()
            if name.startswith(own)
        }
        if state:
            randomness.restore(state, self.device)
