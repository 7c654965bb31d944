"""A small experiment with everything that is hard to resume, and ways to train it elsewhere.

Tokens are repeated by a GRU with dropout and a tied output; batches are ragged, so that items and
rows are not the same thing.
"""

import json
import os
import random
import sys
from functools import partial
from pathlib import Path

import torch
import torch._dynamo  # an optimiser imports it at its first step; children are to inherit it
from torch import nn

from regard.training import (
    Descent,
    Epochs,
    Experiment,
    InverseRoot,
    Loss,
    RunFolder,
    Schedule,
    Steps,
    train,
)
from regard.training.crew import LeaderError

WORDS, SIZE, LENGTH, ROWS, BATCHES = 11, 7, 5, 6, 8


class Repeater(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, SIZE)
        self.cell = nn.GRU(SIZE, SIZE, batch_first=True)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(SIZE, WORDS)
        self.output.weight = self.embedding.weight
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def forward(self, words):
        if self.training:
            self.calls += 1
        return self.output(self.dropout(self.cell(self.dropout(self.embedding(words)))[0]))


class Repeating(Experiment):
    """Word 0 is padding. ``trouble(call)`` is asked before every loss, for tests to interfere."""

    selected_by = "loss"
    higher_is_better = False

    def __init__(self, dropout=0.2, rows=ROWS, trouble=None, validation=None):
        torch.manual_seed(3)
        self.model = Repeater(dropout)
        self.rows = rows
        self.trouble = trouble
        self.validation = validation
        self.calls = 0
        self.validations = 0

    def epoch(self, number):
        noise = torch.Generator().manual_seed(number)
        words = torch.randint(1, WORDS, (BATCHES, self.rows, LENGTH), generator=noise)
        lengths = torch.randint(1, LENGTH + 1, (BATCHES, self.rows, 1), generator=noise)
        words = words * (torch.arange(LENGTH) < lengths)
        return [(batch,) for batch in words]

    def loss(self, batch):
        self.calls += 1
        factor = 1.0 if self.trouble is None else self.trouble(self.calls)
        return self._loss(batch[0], 1.0 if factor is None else factor)

    def validate(self):
        assert not self.model.training
        assert not torch.is_grad_enabled()
        torch.rand(self.validations + 1)  # noise that must not reach the training
        self.validations += 1
        if self.validation is not None:
            return {"loss": self.validation[self.validations - 1]}
        total, count, metrics = self._loss(self.epoch(1000)[0][0])
        return {"loss": float(total) / count, "right": metrics["right"] / count}

    def _loss(self, words, factor=1.0):
        logits = self.model(words).flatten(0, 1)
        total = nn.functional.cross_entropy(
            logits, words.flatten(), ignore_index=0, reduction="sum"
        )
        right = (logits.argmax(-1) == words.flatten())[words.flatten() > 0]
        return Loss(total * factor, len(right), {"right": float(right.sum())})


def schedule(steps=20, **changes):
    knobs = {
        "validate": Epochs(0.5),
        "measure": Steps(3),
        "save": Steps(5),
        "seed": 5,
        "patience": 50,
        **{name: changes.pop(name) for name in list(changes) if name in Schedule.__annotations__},
    }
    adam = partial(torch.optim.Adam, lr=0.02, betas=(0.9, 0.98))
    descent = {"optimiser": adam, "rate": InverseRoot(4), "clip": 0.4, **changes}
    return Schedule(Steps(steps), Descent(**descent), **knobs)


def run(path, experiment=None, plan=None, **more):
    """Train in a folder, or go on there."""
    folder = RunFolder.create(path, {"recipe": "repeating"})
    return train(experiment or Repeating(), plan or schedule(), folder, **more)


def state(path):
    """The newest checkpoint of a run."""
    from regard.training.checkpoints import unpack

    packed, problems = RunFolder.open(path).states.read()
    assert not problems
    return unpack(packed)


def weights(path):
    tensors = state(path).tensors.items()
    return {
        name: part for name, part in tensors if name.startswith("model.") and "calls" not in name
    }


def curve(path):
    """What was measured, the clock left out."""
    lines = [json.loads(line) for line in (Path(path) / "metrics.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


def train_in_child(path, steps):
    """What a process that will be killed does."""
    torch.set_num_threads(1)
    quiet()
    plan = schedule(steps, save=Steps(2), measure=Steps(1))
    run(path, Repeating(trouble=lambda _: 0.5 + random.random()), plan)


def train_in_crew(path, rank, world, rows, dropout, stop_at, accumulate):
    """What one of several processes does; stops by Ctrl-C in the last one at a step, if asked."""
    torch.set_num_threads(1)
    quiet()
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{path}.meeting{stop_at}", rank=rank, world_size=world
    )
    import signal

    def trouble(call):
        if call == stop_at and rank == world - 1:
            signal.raise_signal(signal.SIGINT)

    try:
        run(path, Repeating(dropout, rows, trouble), schedule(accumulate=accumulate))
    except KeyboardInterrupt:
        assert stop_at
    except LeaderError as error:
        sys.exit(3 if "not empty and not a run" in str(error) else 4)
    finally:
        torch.distributed.destroy_process_group()


def quiet():
    """Keep what a child says out of the test's own words."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


if __name__ == "__main__":  # as torchrun starts it
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo")
    run(sys.argv[1], Repeating(dropout=0.0))
    torch.distributed.destroy_process_group()
