"""Sort vectors by their priority."""

import torch
from torch import Generator

from regard.tasks.algorithms.drawing import Drawn, SequenceTask, check_range, draw_bits


class PrioritySort(SequenceTask):
    """Say the vectors of highest priority, the highest first.

    Graves, Wayne, Danihelka 2014, section 4.5: 20 vectors of 8 bits, each with a priority from -1
    to 1 on a channel of its own; the 16 highest are to be said. https://arxiv.org/abs/1410.5401
    """

    def __init__(self, given: int = 20, wanted: int = 16, bits: int = 8) -> None:
        check_range("PrioritySort", bits=(bits, bits), wanted=(wanted, wanted))
        if wanted > given:
            raise ValueError(
                f"PrioritySort: {wanted} vectors are wanted, but only {given} are given"
            )
        self.given = given
        self.wanted = wanted
        self.bits = bits
        self.input_size = bits + 2  # the bits, the priority, the mark
        self.output_size = bits
        self.stored = given

    def draw(self, batch: int, generator: Generator) -> Drawn:
        said = draw_bits((batch, self.given, self.bits), generator)
        priority = 2 * torch.rand(batch, self.given, generator=generator) - 1
        time = self.given + 1 + self.wanted
        inputs = said.new_zeros(batch, time, self.input_size)
        inputs[:, : self.given, : self.bits] = said
        inputs[:, : self.given, self.bits] = priority
        inputs[:, self.given, self.bits + 1] = 1
        order = priority.argsort(dim=1, descending=True)[:, : self.wanted]
        targets = said.new_zeros(batch, time, self.bits)
        targets[:, self.given + 1 :] = said[torch.arange(batch).unsqueeze(1), order]
        return Drawn(inputs, targets, torch.arange(time) > self.given)
