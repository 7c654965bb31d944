"""Recurrent cells against their equations, and gradients that are worked out after the loop."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from regard.kernels.packed import LARGE, packable
from regard.linear import LoopLinear
from regard.recurrence import Forgetting, GatedUnit, StackedMemoryCells

INPUTS = torch.randn(2, 5, 3, dtype=torch.float64)


def gated_by_hand(unit, inputs, context):
    """The appendix of RNNsearch, letter by letter."""
    size = unit.from_reset.weight.shape[0]
    w_z, w_r, w = unit.from_input.weight.split(size)
    b_z, b_r, b = unit.from_input.bias.split(size)
    u_z, u_r = unit.from_state.weight.split(size)
    c_z, c_r, c = unit.from_context.weight.split(size)
    u = unit.from_reset.weight
    state, states = torch.zeros(len(inputs), size, dtype=inputs.dtype), []
    for x, y in zip(inputs.unbind(1), context.unbind(1), strict=True):
        z = torch.sigmoid(x @ w_z.T + b_z + state @ u_z.T + y @ c_z.T)
        r = torch.sigmoid(x @ w_r.T + b_r + state @ u_r.T + y @ c_r.T)
        new = torch.tanh(x @ w.T + b + (r * state) @ u.T + y @ c.T)
        state = (1 - z) * state + z * new
        states.append(state)
    return torch.stack(states, dim=1)


def test_the_gated_unit_is_that_of_the_paper_with_a_context():
    unit = GatedUnit(input_size=3, state_size=7, context_size=2).double()
    context = torch.randn(2, 5, 2, dtype=torch.float64)
    maps, state, states = unit.maps_over(5, 2), torch.zeros(2, 7, dtype=torch.float64), []
    for given, seen in zip(unit.from_input(INPUTS).unbind(1), context.unbind(1), strict=True):
        state = unit(state, given, seen, maps)
        states.append(state)
    found, expected = torch.stack(states, dim=1), gated_by_hand(unit, INPUTS, context)
    assert_close(found, expected)
    parameters = list(unit.parameters())
    slopes = torch.randn_like(found)
    for one, other in zip(
        torch.autograd.grad(found, parameters, slopes),
        torch.autograd.grad(expected, parameters, slopes),
        strict=True,
    ):
        assert_close(one, other)


def test_the_gated_unit_is_not_torchs():
    unit, torchs = GatedUnit(input_size=3, state_size=7), nn.GRU(3, 7, batch_first=True)
    torchs.weight_ih_l0.data = unit.from_input.weight.data
    recurrent = [unit.from_state.weight.data, unit.from_reset.weight.data]
    torchs.weight_hh_l0.data = torch.cat(recurrent)
    torchs.bias_ih_l0.data = unit.from_input.bias.data
    torchs.bias_hh_l0.data.zero_()
    assert not torch.allclose(unit.run(INPUTS.float()), torchs(INPUTS.float())[0], atol=1e-3)


def test_a_loop_that_stops_early_still_has_the_right_gradient():
    linear, steps = LoopLinear(3, 5).double(), INPUTS.unbind(1)
    apply = linear.over(5, 2)
    found = sum(apply(step).square().sum() for step in steps[:3])
    expected = sum(linear(step).square().sum() for step in steps[:3])
    (one,) = torch.autograd.grad(found, linear.weight)
    (other,) = torch.autograd.grad(expected, linear.weight)
    assert_close(one, other)


def test_a_loop_by_a_large_matrix_has_the_gradients_of_its_steps_one_by_one():
    linear = LoopLinear(512, LARGE // 512)
    assert packable(linear.weight)
    found, expected = [], []
    for made, apply in ((found, linear.over(5, 2)), (expected, linear)):
        state = first = torch.ones(2, 1, 512, requires_grad=True)
        for _ in range(4):  # one step fewer than said
            state = (state + apply(state)).tanh()
        loss = state.square().sum()
        made.extend([loss, *torch.autograd.grad(loss, [first, linear.weight])])
    for one, other in zip(found, expected, strict=True):
        assert_close(one, other, atol=1e-4, rtol=1e-3)


def test_gradients_reach_what_a_loop_is_given():
    linear, given = LoopLinear(3, 5).double(), INPUTS[:, 0].clone().requires_grad_()
    assert torch.autograd.gradcheck(linear.over(99, 2), given)


def test_stacked_cells_are_torchs_lstm():
    cells = StackedMemoryCells(input_size=3, fed_size=4, size=7, layers=2).double()
    torchs = nn.LSTM(7, 7, 2, batch_first=True).double()  # word and fed vector joined: 3 + 4
    order = torch.tensor([0, 1, 3, 2])  # torch has i, f, g, o

    def reorder(tensor):
        return tensor.view(4, 7, -1)[order].reshape(tensor.shape)

    both = torch.cat([cells.from_input.weight, cells.from_fed.weight], dim=1)
    torchs.weight_ih_l0.data = reorder(both.data)
    torchs.weight_hh_l0.data = reorder(cells.from_state[0].weight.data)
    torchs.bias_ih_l0.data = reorder(cells.from_input.bias.data)
    torchs.weight_ih_l1.data = reorder(cells.from_below[0].weight.data)
    torchs.weight_hh_l1.data = reorder(cells.from_state[1].weight.data)
    torchs.bias_ih_l1.data = reorder(cells.biases[0].data)
    torchs.bias_hh_l0.data.zero_()
    torchs.bias_hh_l1.data.zero_()
    fed = torch.randn(2, 5, 4, dtype=torch.float64)
    expected, (last_hidden, last_cell) = torchs(torch.cat([INPUTS, fed], dim=-1))
    hidden = cell = torch.zeros(2, 14, dtype=torch.float64)
    maps, tops = cells.maps_over(5, 2), []
    for given, more in zip(cells.from_input(INPUTS).unbind(1), fed.unbind(1), strict=True):
        hidden, cell = cells(hidden, cell, given, more, maps)
        tops.append(hidden[:, 7:])
    assert_close(torch.stack(tops, dim=1), expected)
    assert_close(hidden, torch.cat([*last_hidden], dim=-1))
    assert_close(cell, torch.cat([*last_cell], dim=-1))


def test_forgetting_sets_whole_rows_to_zero_by_their_share():
    torch.manual_seed(0)
    kept = Forgetting(0.3)(torch.ones(2000, 1, 5))
    assert set(kept.sum(dim=-1).unique().tolist()) == {0.0, 5.0}
    assert (kept[..., 0] == 0).float().mean() == pytest.approx(0.3, abs=0.04)


def test_nothing_is_forgotten_once_trained_or_at_a_share_of_zero():
    state = torch.randn(7, 5)
    assert Forgetting(0.9).eval()(state) is state
    assert Forgetting(0.0)(state) is state


def test_a_forgetful_unit_steps_from_zero_where_it_forgot():
    torch.manual_seed(0)
    unit = GatedUnit(input_size=2, state_size=3, forgetting=0.5)
    given, state = unit.from_input(torch.randn(64, 2)), torch.randn(64, 3)
    nothing = torch.zeros(64, 0)
    found = unit(state, given, nothing, unit.maps())
    unit.eval()
    kept, anew = (unit(each, given, nothing, unit.maps()) for each in (state, 0 * state))
    from_zero = (found == anew).all(dim=-1)
    assert 10 < int(from_zero.sum()) < 54
    assert torch.equal(found[~from_zero], kept[~from_zero])


@pytest.mark.parametrize("share", [-0.1, 1.0])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(ValueError, match=rf"in \[0, 1\), but it is {share}"):
        Forgetting(share)
