"""Recall what came after an item."""

import torch
from torch import Generator

from regard.tasks.algorithms.drawing import (
    Drawn,
    SequenceTask,
    check_range,
    draw_between,
    draw_bits,
)


class Recall(SequenceTask):
    """Items one after the other, then one of them again: say the item that followed it.

    Graves, Wayne, Danihelka 2014, section 4.3: items of three vectors of 6 bits, 2 to 6 of them; a
    mark before each item, and another mark before and after the item that is asked about.
    https://arxiv.org/abs/1410.5401
    """

    def __init__(
        self, items: tuple[int, int] = (2, 6), item_length: int = 3, bits: int = 6
    ) -> None:
        check_range(
            "Recall", bits=(bits, bits), items=items, item_length=(item_length, item_length)
        )
        if items[0] < 2:
            raise ValueError(f"an item that follows another takes two or more, but items={items}")
        self.items = items
        self.item_length = item_length
        self.bits = bits
        self.input_size = bits + 2  # the bits, the mark of an item, the mark of the question
        self.output_size = bits
        self.stored = items[1] * item_length

    def draw(self, batch: int, generator: Generator) -> Drawn:
        return self.draw_items(draw_between(*self.items, generator), batch, generator)

    def draw_items(self, items: int, batch: int, generator: Generator) -> Drawn:
        """A batch of so many items each."""
        if items < 2:
            raise ValueError(f"an item that follows another takes two or more, but items={items}")
        each = self.item_length + 1
        said = draw_bits((batch, items, self.item_length, self.bits), generator)
        asked = torch.randint(0, items - 1, (batch,), generator=generator)
        rows = torch.arange(batch)
        time = items * each + each + 1 + self.item_length
        inputs = said.new_zeros(batch, time, self.input_size)
        for item in range(items):
            inputs[:, item * each, self.bits] = 1
            inputs[:, item * each + 1 : (item + 1) * each, : self.bits] = said[:, item]
        question = items * each
        inputs[:, question, self.bits + 1] = 1
        inputs[:, question + 1 : question + each, : self.bits] = said[rows, asked]
        inputs[:, question + each, self.bits + 1] = 1
        targets = said.new_zeros(batch, time, self.bits)
        targets[:, -self.item_length :] = said[rows, asked + 1]
        return Drawn(inputs, targets, torch.arange(time) >= time - self.item_length)
