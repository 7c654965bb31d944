"""What a cell does after an example has halted cannot touch that example, forth or back."""

import pytest
import torch
from torch import nn, tensor
from torch.testing import assert_close

from regard import record
from regard.halting import Halting, blend_states
from regard.models import NTM, AdaptiveComputation, Machine, Recurrent
from regard.models.cells import Cell

MANY = 12


class Exploding(Cell):
    """s' = k (x s^2 + 1): infinite after some steps, where x is large."""

    size = 2
    given_size = 2

    def __init__(self):
        super().__init__()
        self.factor = nn.Parameter(tensor(1.0))

    def begin(self, batch):
        return torch.ones(batch, 2), (torch.ones(batch),)

    def prepare(self, given):
        return given

    def forward(self, prepared, state):
        grown = self.factor * (prepared[:, :1] * state[0].square() + 1)
        return grown, (grown.prod(dim=1),)

    def read(self, state):
        return state[0]


class ByPlace(Halting):
    """Halts the first example at its first step, any other when it must."""

    most = MANY

    def forward(self, output, step):
        return torch.where(torch.arange(len(output)) == 0, 1.0, 0.05) + 0 * output.mean(dim=1)


@pytest.fixture
def network():
    torch.manual_seed(0)
    return AdaptiveComputation(Exploding(), ByPlace(), output_size=1)


@pytest.fixture
def inputs():
    return tensor([100.0, 0.01]).view(2, 1, 1).expand(2, 3, 1)  # the first explodes, if it goes on


def test_the_answer_is_that_of_the_example_alone(network, inputs):
    together, alone = network(inputs), network(inputs[:1])
    assert together.steps.tolist() == [[1] * 3, [MANY] * 3]
    assert alone.outputs[:, 0].isfinite().all()
    assert_close(together.outputs[:1], alone.outputs, equal_nan=True)
    assert_close(together.ponder[:1], alone.ponder, equal_nan=True)


def test_the_gradient_is_that_of_the_example_alone(network, inputs):
    def slope(given, example):
        made = network(given[:, :1])
        loss = made.outputs[example].sum() + made.ponder[example].sum()
        return torch.autograd.grad(loss, network.cell.factor)[0]

    alone = slope(inputs[:1], 0)
    assert alone.isfinite()
    assert_close(slope(inputs, 0), alone)
    assert slope(inputs, 1).isfinite()


def test_a_recorded_machine_idles_by_repeating_its_first_step():
    torch.manual_seed(0)
    machine = NTM(Recurrent(3 + 1 + 5, 7), output_size=2, slots=11, word_size=5)
    network = AdaptiveComputation(Machine(machine), ByPlace(), output_size=1)
    with record(network) as maps:
        network(torch.randn(2, 1, 3))
    halted, going = maps["cell.machine.readers.watch"].weights.squeeze(1)  # example step slot
    assert len(halted) == MANY
    assert_close(halted, halted[:1].expand_as(halted))
    assert not torch.allclose(going[0], going[-1])


def test_states_of_steps_not_taken_are_not_looked_at():
    weights = tensor([[0.25, 0.75], [1.0, 0.0]], requires_grad=True)
    taken = tensor([[True, True], [True, False]])
    wild = tensor([[5.0], [torch.inf]], requires_grad=True)
    blended = blend_states(weights, [tensor([[1.0], [2.0]]), wild], taken)
    assert_close(blended, tensor([[4.0], [2.0]]))
    blended.sum().backward()
    assert_close(wild.grad, tensor([[0.75], [0.0]]))
    assert_close(weights.grad, tensor([[1.0, 5.0], [2.0, 0.0]]))
