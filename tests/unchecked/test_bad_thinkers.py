"""Machines and thinkers say what does not fit them."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard.halting import FixedSteps, HaltingUnit
from regard.memory import read, write
from regard.models import NTM, AdaptiveComputation, LongShort, Machine, PlainLSTM, Recurrent
from regard.tasks.algorithms import Copy, PrioritySort, Recall

FITS = HaltingUnit(6)


def thinking(inputs, cell=None):
    return AdaptiveComputation(cell or LongShort(5, 6), FITS, output_size=2)(inputs)


def thinking_machine(inputs):
    return thinking(inputs, Machine(NTM(Recurrent(9, 7), output_size=6, word_size=4)))


CASES = {
    "no room for the flag": (
        lambda: AdaptiveComputation(LongShort(4, 6), FITS, output_size=2)(torch.randn(2, 3, 4)),
        ValueError,
        "the cell takes 4 numbers, but inputs of 4 and the flag make 5",
    ),
    "a halting unit of another size": (
        lambda: AdaptiveComputation(LongShort(5, 6), HaltingUnit(7), output_size=2),
        ValueError,
        r"sees 7 numbers, but the cell has 6; HaltingUnit\(6\) fits",
    ),
    "a cell of torch": (
        lambda: AdaptiveComputation(nn.GRUCell(5, 6), FITS, output_size=2),
        TypeError,
        "Elman, Gated, LongShort or Machine.* but it is GRUCell",
    ),
    "a number for halting": (
        lambda: AdaptiveComputation(LongShort(5, 6), 3, output_size=2),
        TypeError,
        "halting is a HaltingUnit .* but it is int",
    ),
    "no batch axis": (
        lambda: NTM(Recurrent(9, 6), output_size=2, word_size=4)(torch.randn(5, 5)),
        ValueError,
        r"inputs must be \(batch, time, size\), but their shape is \(5, 5\)",
    ),
    "no batch axis, thinking": (
        lambda: AdaptiveComputation(LongShort(5, 6), FITS, output_size=2)(torch.randn(3, 4)),
        ValueError,
        r"inputs must be \(batch, time, size\)",
    ),
    "no batch axis, without a tape": (
        lambda: PlainLSTM(input_size=4, output_size=2, size=3)(torch.randn(3, 4)),
        ValueError,
        r"inputs must be \(batch, time, size\)",
    ),
    "a number for a controller": (
        lambda: NTM(100, output_size=2),
        TypeError,
        r"a Controller, such as Recurrent\(29, 100\), but it is 100",
    ),
    "inputs of another width for a machine": (
        lambda: thinking_machine(torch.randn(2, 3, 5)),
        ValueError,
        "the cell takes 5 numbers, but inputs of 5 and the flag make 6",
    ),
    "doubles for singles": (
        lambda: thinking_machine(torch.randn(2, 3, 4).double()),
        TypeError,
        r"are torch.float64, but the parameters torch.float32; inputs.to\(torch.float32\) fits",
    ),
    "whole numbers": (
        lambda: thinking(torch.ones(2, 3, 4, dtype=torch.long)),
        TypeError,
        "inputs are torch.int64, but the parameters torch.float32",
    ),
    "doubles for a machine alone": (
        lambda: NTM(Recurrent(9, 6), output_size=2, word_size=4)(torch.ones(2, 3, 5).double()),
        TypeError,
        "inputs are torch.float64, but the parameters torch.float32",
    ),
    "half a step": (
        lambda: HaltingUnit(6, most=2.5),
        TypeError,
        "HaltingUnit needs a whole number for most, but most=2.5",
    ),
    "half a fixed step": (
        lambda: FixedSteps(2.5),
        TypeError,
        "FixedSteps needs a whole number for steps, but steps=2.5",
    ),
    "nothing that writes": (
        lambda: NTM(Recurrent(24, 6), output_size=2, write_heads=0),
        ValueError,
        "write_heads must be 1 or more, but write_heads=0",
    ),
    "vectors of nothing": (lambda: Copy(bits=0), ValueError, "Copy: bits must be 1 or more"),
    "items that end before they begin": (
        lambda: Recall((2, 1)),
        ValueError,
        "Recall: items must be 1 or more, the last no less .* they go from 2 to 1",
    ),
    "half a vector": (
        lambda: Copy((1.5, 3)),
        TypeError,
        r"Copy needs a whole number for lengths, but lengths=1\.5",
    ),
    "a bias that is none": (
        lambda: HaltingUnit(6, bias=float("nan")),
        ValueError,
        "the bias must be finite, but bias=nan",
    ),
    "a machine of torch in a cell": (
        lambda: Machine(nn.Linear(2, 3)),
        TypeError,
        "the machine of a cell is an NTM, but it is Linear",
    ),
    "LSTMs of another width": (
        lambda: PlainLSTM(input_size=3, output_size=2, size=5)(torch.randn(2, 7, 4)),
        ValueError,
        "the cells take 3 numbers, but inputs have 4",
    ),
    "heads of another tape": (
        lambda: read(torch.randn(2, 5, 3), torch.randn(2, 1, 7)),
        ValueError,
        "heads weigh 7 slots, but the tape has 5",
    ),
    "one head that writes, and two that erase": (
        lambda: write(
            torch.randn(2, 5, 3), torch.randn(2, 1, 5), torch.randn(2, 2, 3), torch.randn(2, 1, 3)
        ),
        ValueError,
        r"what heads erase .* \(2, 1, 3\) here, but it is \(2, 2, 3\)",
    ),
    "more wanted than given": (
        lambda: PrioritySort(given=20, wanted=30),
        ValueError,
        "30 vectors are wanted, but only 20 are given",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_does_not_fit_is_named(name):
    make, kind, message = CASES[name]
    with pytest.raises(kind, match=message):
        make()


@pytest.mark.parametrize("kind", [torch.long, torch.bool, torch.half])
def test_a_machine_takes_whole_and_narrower_numbers(kind):
    bits = torch.randint(0, 2, (2, 3, 4))
    machine = NTM(Recurrent(8, 6), output_size=2, word_size=4)
    assert_close(machine(bits.to(kind)), machine(bits.float()))
    thinker = AdaptiveComputation(
        Machine(NTM(Recurrent(9, 6), output_size=6, word_size=4)), FITS, output_size=2
    )
    assert_close(thinker(bits.to(kind)).outputs, thinker(bits.float()).outputs)
