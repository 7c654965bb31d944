"""Whole trainings of an end-to-end memory network, fused: every batch, forward, backward, update.

End-To-End Memory Networks, Sukhbaatar, Szlam, Weston, Fergus 2015. https://arxiv.org/abs/1503.08895
Batches are drawn with replacement, the loss is summed over them, each matrix of slopes is held to a
spectral norm, plain descent follows: as in the authors' code. One thread. ``regard.models.MemN2N``
holds the equations, ``plain`` their slopes in torch, by which ``regard.models.story_learning``
learns where the kernel cannot.
"""

from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor

from regard.kernels.choosing import equation_wanted
from regard.kernels.compiling import available
from regard.kernels.hops import training

Array = Any  # of numpy


class Network(NamedTuple):
    """A memory network as the kernel knows it; ``tables`` and ``turn`` are changed in place."""

    tables: Array  # word or time, table, size: words first, 0 being none, then times 1, 2, ...
    turn: Array  # size, 1, size: H; or 0, 1, size where there is none
    roles: Any  # a list: the tables of question, answer, each hop's keys, each hop's values
    shares: Array  # own length or 1, word, table * size: how much each word counts in a sentence
    time_shares: Array  # table * size
    words: int  # how many of the rows are words
    straight: int  # units before this one have no ReLU


class Examples(NamedTuple):
    """Questions about stories, sentences being given by number; 0 is an empty slot."""

    sentences: Array  # sentence, word: the distinct ones; the first has no words
    story: Array  # example, slot
    question: Array  # example
    answer: Array  # example


class Course(NamedTuple):
    """How to train: a rate for each epoch, and how scores become weights in it."""

    rates: Array  # epoch
    rooms: Array  # epoch; -1 leaves scores as they are, 0 is softmax, -2 one empty slot, more slots
    batch: int = 32
    clip: float = 40.0
    noise: float = 0.1


def usable(*parameters: Tensor) -> bool:
    """Whether the kernel takes these parameters here and now."""
    return (
        not equation_wanted()
        and not torch.compiler.is_compiling()
        and len({each.dtype for each in parameters}) == 1
        and parameters[0].dtype in (torch.float32, torch.float64)
        and all(each.device.type == "cpu" and each.is_contiguous() for each in parameters)
        and available()
    )


def train(
    network: Network, examples: Examples, course: Course, state: Array
) -> tuple[Array, Array]:
    """Train in place; the mean loss and the share of wrong answers in each epoch.

    An epoch is as many whole batches as there are examples; ``state`` is that of ``seeded``.
    """
    losses, errors = numpy.zeros((2, len(course.rates)))
    network = network._replace(roles=numpy.array(network.roles))
    task = examples.sentences, own_lengths(examples.sentences), *examples[1:]
    steps = len(examples.story) // course.batch
    rest = course.batch, steps, course.clip, course.noise, state, losses, errors
    # The first call compiles, and says so when it takes long: it should not have to learn, too.
    training.train(*network, *task, course.rates[:0], course.rooms[:0], *rest)
    training.train(*network, *task, course.rates, course.rooms, *rest)
    return losses, errors


def slopes(
    network: Network, examples: Examples, times: Array, room: int
) -> tuple[float, Array, Array]:
    """The summed loss of all examples, and its slopes by ``tables`` and by ``turn``."""
    to_tables, to_turn = numpy.zeros_like(network.tables), numpy.zeros_like(network.turn)
    network, found = network._replace(roles=numpy.array(network.roles)), numpy.zeros(2)
    training.slopes(
        *network,
        room,
        examples.sentences,
        own_lengths(examples.sentences),
        *examples[1:],
        times,
        to_tables,
        to_turn,
        found,
    )
    return float(found[0]), to_tables, to_turn


def own_lengths(sentences: Array) -> Array:
    """How many words each sentence has, up to its last that is not 0."""
    places = numpy.arange(1, sentences.shape[1] + 1)
    return ((sentences != 0) * places).max(axis=1, initial=0)
